public import WireKit

/// The reply of `GET /history`, newest first.
public struct HistoryPage: Codable, Hashable, Sendable {
    /// The values of the query item `limit`.
    public static let limits = 0...200
    public static let defaultLimit = 50

    public var items: [HistoryItem]
    /// Count of the items of all pages.
    public var total: Int
    public var offset: Int
    public var limit: Int

    public init(items: [HistoryItem], total: Int, offset: Int, limit: Int) {
        self.items = items
        self.total = total
        self.offset = offset
        self.limit = limit
    }
}

/// A relayed message in the history.
public struct HistoryItem: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = NumericID<HistoryItem>

    public var id: ID
    public var fromDeviceId: Device.ID
    public var toDeviceId: Device.ID
    public var msgType: MessageType
    private var relayed: RelayedMessage
    public var createdAt: RelayTime?
    /// The delivery state. Absent on relays that do not record it.
    public var state: DeliveryState?
    /// The times of the delivery states so far. Absent on relays that do not record them.
    public var stateTimes: StateTimes?
    /// Maximum length of ``reason``, in Unicode scalar values. Longer reasons are truncated.
    public static let maximumReasonLength = 500

    /// The reason for a failure, for developers; nil if none was reported.
    public var reason: String?

    public init(
        id: ID, fromDeviceId: Device.ID, toDeviceId: Device.ID, msgType: MessageType, payload: JSONValue, createdAt: RelayTime?,
        state: DeliveryState? = nil, stateTimes: StateTimes? = nil, reason: String? = nil
    ) {
        self.id = id
        self.fromDeviceId = fromDeviceId
        self.toDeviceId = toDeviceId
        self.msgType = msgType
        relayed = RelayedMessage(payload)
        self.createdAt = createdAt
        self.state = state
        self.stateTimes = stateTimes
        self.reason = reason
    }

    private enum CodingKeys: String, CodingKey {
        case id, state, reason
        case relayed = "payload"
        case fromDeviceId = "from_device_id"
        case toDeviceId = "to_device_id"
        case msgType = "msg_type"
        case createdAt = "created_at"
        case stateTimes = "state_times"
    }

    /// The message object as its sender wrote it.
    public var payload: JSONValue {
        get { relayed.payload }
        set { relayed = RelayedMessage(newValue) }
    }
    /// The decoded ``payload``.
    public var message: RelayMessage { relayed.message }
}

/// A payload and its decoded message. Decoded once, because a screen reads the message at each evaluation.
private struct RelayedMessage: Codable, Hashable, Sendable {
    let payload: JSONValue
    let message: RelayMessage

    init(_ payload: JSONValue) {
        self.payload = payload
        message = RelayMessage(payload)
    }

    init(from decoder: any Decoder) throws { self.init(try JSONValue(from: decoder)) }

    func encode(to encoder: any Encoder) throws { try payload.encode(to: encoder) }
}

/// The type of a message between devices.
public struct MessageType: RawRepresentable, Hashable, Sendable, Codable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let command = MessageType(rawValue: "command")
    public static let event = MessageType(rawValue: "event")
    public static let webrtc = MessageType(rawValue: "webrtc")

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// The delivery state of a message. See `Docs/Protocols/SimBridge-Line.md`.
///
/// ```
///   accepted ──▶ sent ──▶ confirmed ──▶ failed or unknown, as reported by the host
///       │          ├────▶ failed        the receiver was removed, or the host reports a failure
///       │          └────▶ unknown       never acknowledged, or the host does not know the outcome
///       └────────▶ expired              not delivered in time
/// ```
public enum DeliveryState: String, Codable, Hashable, Sendable, CaseIterable {
    /// The relay stores the message for a disconnected receiver.
    case accepted
    /// The relay has written the message to the receiver's socket.
    case sent
    /// The receiver has acknowledged the message.
    case confirmed
    case failed
    case expired
    /// The outcome is unknown: the receiver may have processed the message.
    case unknown
}

/// The times at which a message reached each delivery state.
public struct StateTimes: Codable, Hashable, Sendable {
    public var accepted: RelayTime?
    public var sent: RelayTime?
    public var confirmed: RelayTime?
    public var failed: RelayTime?
    public var expired: RelayTime?
    public var unknown: RelayTime?

    public init(
        accepted: RelayTime? = nil, sent: RelayTime? = nil, confirmed: RelayTime? = nil, failed: RelayTime? = nil,
        expired: RelayTime? = nil, unknown: RelayTime? = nil
    ) {
        self.accepted = accepted
        self.sent = sent
        self.confirmed = confirmed
        self.failed = failed
        self.expired = expired
        self.unknown = unknown
    }
}
