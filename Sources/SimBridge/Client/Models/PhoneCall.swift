package import Foundation
import SimBridgeWire

/// A call of the host.
package struct PhoneCall: Codable, Hashable, Sendable, Identifiable {
    package enum State: Codable, Hashable, Sendable {
        /// Requested from the relay.
        case requested
        /// The relay keeps it for a host that is away, until its deadline.
        case queued
        case dialing, ringing, active, ended
        /// The call was not placed, because the host did not get it in time.
        case expired
        /// Failed, in the host's words, if it gave any.
        case failed(String?)
    }

    package var id = UUID()
    package var number: String
    package var sim: Int?
    package var isIncoming: Bool
    package var state: State
    /// The time of the answer, by this phone's clock.
    package internal(set) var answeredAt: Date?
    /// The host of the call; nil when an older relay does not name it.
    var host: Device.ID?
    /// The command that began the call; nil for an incoming call.
    var reqId: RequestID?
    /// The command to end the call, once it was sent.
    var hangUpId: RequestID?
    /// The network's answer to a service code.
    package internal(set) var answer: String?
    /// The host was offline, or the app restarted, since the last report on this active call: its end may never be reported. Optional because
    /// calls kept by earlier versions lack it.
    var isUnconfirmed: Bool?

    /// True if the call can be hung up.
    package var isUnderWay: Bool {
        switch state {
        case .requested, .queued, .dialing, .ringing, .active: true
        case .ended, .expired, .failed: false
        }
    }

    /// No other incoming call takes the place of this one: it is outgoing and under way, or active according to its host.
    var staysOnScreen: Bool {
        guard isUnderWay else { return false }
        return state == .active ? isUnconfirmed != true : !isIncoming
    }

    /// An incoming call that ended without an answer, here or on the host.
    package var isMissed: Bool { isIncoming && state == .ended && answeredAt == nil && hangUpId == nil }
}
