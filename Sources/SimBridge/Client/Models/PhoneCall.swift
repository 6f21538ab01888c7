import SimBridgeWire

/// A call that the host makes or gets.
public struct PhoneCall: Codable, Hashable, Sendable {
    public enum State: Codable, Hashable, Sendable {
        /// Asked of the relay.
        case requested
        /// The relay keeps it for a host that is away, for a minute.
        case queued
        case dialing, ringing, active, ended
        /// The host did not come in time: it is not placed any more.
        case expired
        /// In the host's words, if it gave any.
        case failed(String?)
    }

    public var number: String
    public var sim: Int?
    public var isIncoming: Bool
    public var state: State
    /// Whose call it is; nil when an older relay does not say.
    var host: Device.ID?
    /// The command that began it; nil for one that came in.
    var reqId: RequestID?
    /// The command that ends it, once it was given.
    var hangUpId: RequestID?

    /// It can be hung up.
    public var isUnderWay: Bool {
        switch state {
        case .requested, .queued, .dialing, .ringing, .active: true
        case .ended, .expired, .failed: false
        }
    }
}
