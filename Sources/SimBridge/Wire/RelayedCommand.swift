/// `POST /sms`: have a host send a text.
public struct TextCommand: Codable, Hashable, Sendable {
    /// SIM slots that a command may name.
    public static let sims = 1...2
    /// How long a phone number may be, in characters (Unicode scalar values).
    public static let numberLength = 1...30
    /// How long a text may be, in characters (Unicode scalar values).
    public static let bodyLength = 1...1600

    public var toDeviceId: Device.ID
    /// One of ``sims``.
    public var sim: Int
    /// Phone number.
    public var to: String
    public var body: String
    /// A UUID chosen by the sender, so that the same text sent again is still one text. Remembered for at least 24 hours.
    public var reqId: RequestID?

    public init(toDeviceId: Device.ID, sim: Int, to: String, body: String, reqId: RequestID? = nil) {
        self.toDeviceId = toDeviceId
        self.sim = sim
        self.to = to
        self.body = body
        self.reqId = reqId
    }

    private enum CodingKeys: String, CodingKey {
        case toDeviceId = "to_device_id"
        case sim, to, body
        case reqId = "req_id"
    }
}

/// `POST /call`: have a host dial. Limits as in ``TextCommand``.
public struct CallCommand: Codable, Hashable, Sendable {
    public var toDeviceId: Device.ID
    public var sim: Int
    /// Phone number.
    public var to: String
    /// As in ``TextCommand/reqId``.
    public var reqId: RequestID?
    /// As in ``Command/deadline``.
    public var deadline: RelayTime?

    public init(toDeviceId: Device.ID, sim: Int, to: String, reqId: RequestID? = nil, deadline: RelayTime? = nil) {
        self.toDeviceId = toDeviceId
        self.sim = sim
        self.to = to
        self.reqId = reqId
        self.deadline = deadline
    }

    private enum CodingKeys: String, CodingKey {
        case toDeviceId = "to_device_id"
        case sim, to, deadline
        case reqId = "req_id"
    }
}

/// What the relay answers to a command. The host's own answer comes later, as an event over the line.
public struct CommandReceipt: Codable, Hashable, Sendable {
    public enum Status: String, Codable, Hashable, Sendable {
        /// The host's socket was open and took it.
        case sent
        /// The host is not connected. It is delivered when the host comes, unless it expires before.
        case queued
    }

    public var status: Status
    public var reqId: RequestID

    public init(status: Status, reqId: RequestID) {
        self.status = status
        self.reqId = reqId
    }

    private enum CodingKeys: String, CodingKey {
        case status
        case reqId = "req_id"
    }
}
