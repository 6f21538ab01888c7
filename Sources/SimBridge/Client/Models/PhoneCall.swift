public import Foundation
import SimBridgeWire

/// A call that the host makes or gets.
public struct PhoneCall: Codable, Hashable, Sendable, Identifiable {
    public enum State: Codable, Hashable, Sendable {
        /// Asked of the relay.
        case requested
        /// The relay keeps it for a host that is away, until its deadline.
        case queued
        case dialing, ringing, active, ended
        /// Not placed: it could not be handed over in time.
        case expired
        /// In the host's words, if it gave any.
        case failed(String?)
    }

    public var id = UUID()
    public var number: String
    public var sim: Int?
    public var isIncoming: Bool
    public var state: State
    /// When it was answered, by this phone's clock.
    public internal(set) var answeredAt: Date?
    /// Whose call it is; nil when an older relay does not say.
    var host: Device.ID?
    /// The command that began it; nil for one that came in.
    var reqId: RequestID?
    /// The command that ends it, once it was given.
    var hangUpId: RequestID?
    /// The host was offline, or the app restarted, since the last report on this active call: its end may never be reported. Optional because
    /// calls kept by earlier versions lack it.
    var isUnconfirmed: Bool?

    /// It can be hung up.
    public var isUnderWay: Bool {
        switch state {
        case .requested, .queued, .dialing, .ringing, .active: true
        case .ended, .expired, .failed: false
        }
    }

    /// No other incoming call takes the place of this one: it is outgoing and under way, or active as far as its host can tell.
    var staysOnScreen: Bool {
        guard isUnderWay else { return false }
        return state == .active ? isUnconfirmed != true : !isIncoming
    }

    /// An incoming call that ended without an answer, here or on the host.
    public var isMissed: Bool { isIncoming && state == .ended && answeredAt == nil && hangUpId == nil }
}
