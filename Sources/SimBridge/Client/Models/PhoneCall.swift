package import Foundation
import SimBridgeWire

/// A call of the host.
package struct PhoneCall: Codable, Hashable, Sendable, Identifiable {
    package enum State: Codable, Hashable, Sendable {
        /// The relay has not replied to the command yet.
        case requested
        /// The relay stores the command for an offline host, until the deadline.
        case queued
        case dialing, ringing, active, ended
        /// The call was not placed, because the host did not get it in time.
        case expired
        /// The call failed; the reason, in the host's words, is nil if the host gave none.
        case failed(String?)
    }

    package var id = UUID()
    package var number: String
    package var sim: Int?
    package var isIncoming: Bool
    package var state: State
    /// The time of the answer, by this phone's clock; nil until then.
    package internal(set) var answeredAt: Date?
    /// The host of the call; nil when an older relay does not name it.
    var host: Device.ID?
    /// The id of the command that began the call; nil for an incoming call.
    var reqId: RequestID?
    /// The id of the command to end the call; nil until it is sent.
    var hangUpId: RequestID?
    /// The network's answer to a service code; nil before an answer, and for other calls.
    package internal(set) var answer: String?
    /// True if the host was offline, or the app restarted, since the last report on this active call: its end may never be
    /// reported. Nil counts as false: calls that earlier versions saved lack the value.
    var isUnconfirmed: Bool?

    /// True if the call can be hung up.
    package var isUnderWay: Bool {
        switch state {
        case .requested, .queued, .dialing, .ringing, .active: true
        case .ended, .expired, .failed: false
        }
    }

    /// True if no incoming call takes this call's place: the call is outgoing and under way, or active according to its host.
    var staysOnScreen: Bool {
        guard isUnderWay else { return false }
        return state == .active ? isUnconfirmed != true : !isIncoming
    }

    /// True for an incoming call that ended without being answered on the host or declined here.
    package var isMissed: Bool { isIncoming && state == .ended && answeredAt == nil && hangUpId == nil }
}
