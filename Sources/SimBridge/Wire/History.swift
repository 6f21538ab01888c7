public import WireKit

/// What `GET /history` answers: the newest first.
public struct HistoryPage: Codable, Hashable, Sendable {
    /// How many items one reply may hold, and holds when not told.
    public static let limits = 0...200
    public static let defaultLimit = 50

    public var items: [HistoryItem]
    /// How many there are in all.
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

/// One relayed message.
public struct HistoryItem: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = NumericID<HistoryItem>

    public var id: ID
    public var fromDeviceId: Device.ID
    public var toDeviceId: Device.ID
    public var msgType: MessageType
    /// The message as its sender wrote it: an object. ``message`` reads it.
    public var payload: JSONValue
    public var createdAt: RelayTime?
    /// How far it came. Absent on relays that do not know.
    public var state: DeliveryState?
    /// When it came into each state that it has been in.
    public var stateTimes: StateTimes?
    /// The length, in Unicode scalar values, to which ``reason`` is cut.
    public static let maximumReasonLength = 500

    /// Why it failed, for developers.
    public var reason: String?

    public init(
        id: ID, fromDeviceId: Device.ID, toDeviceId: Device.ID, msgType: MessageType, payload: JSONValue, createdAt: RelayTime?,
        state: DeliveryState? = nil, stateTimes: StateTimes? = nil, reason: String? = nil
    ) {
        self.id = id
        self.fromDeviceId = fromDeviceId
        self.toDeviceId = toDeviceId
        self.msgType = msgType
        self.payload = payload
        self.createdAt = createdAt
        self.state = state
        self.stateTimes = stateTimes
        self.reason = reason
    }

    private enum CodingKeys: String, CodingKey {
        case id, payload, state, reason
        case fromDeviceId = "from_device_id"
        case toDeviceId = "to_device_id"
        case msgType = "msg_type"
        case createdAt = "created_at"
        case stateTimes = "state_times"
    }

    /// The payload as the message that it is.
    public var message: RelayMessage { RelayMessage(payload) }
}

/// What kind of message devices send each other.
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

/// How far a message came. See `Docs/Protocols/SimBridge-Line.md`.
///
/// ```
///   accepted ──▶ sent ──▶ confirmed ──▶ failed or unknown, when the host says so
///       │          ├────▶ failed        the receiver is gone, or the host says so
///       │          └────▶ unknown       never acknowledged, or the host does not know
///       └────────▶ expired              not delivered in time
/// ```
public enum DeliveryState: String, Codable, Hashable, Sendable, CaseIterable {
    /// The relay keeps it for a receiver that is away.
    case accepted
    /// Written to the receiver's socket.
    case sent
    /// The receiver has acknowledged it.
    case confirmed
    case failed
    case expired
    /// It may or may not have been carried out.
    case unknown
}

/// When a message came into each state that it has been in.
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
