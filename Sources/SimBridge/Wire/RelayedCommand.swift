/// The body of `POST /sms`, which makes a host send a text.
public struct TextCommand: Codable, Hashable, Sendable {
    /// The valid SIM slots.
    public static let sims = 1...2
    /// The allowed length of a phone number, in characters (Unicode scalar values).
    public static let numberLength = 1...30
    /// The allowed length of a text, in characters (Unicode scalar values).
    public static let bodyLength = 1...1600

    public var toDeviceId: Device.ID
    /// The SIM slot, within ``sims``.
    public var sim: Int
    /// The phone number.
    public var to: String
    public var body: String
    /// The idempotency key, a UUID chosen by the sender: a text sent again with the same key is sent once. Stored for at least 24 hours.
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

/// The body of `POST /call`, which makes a host dial. Limits as in ``TextCommand``.
public struct CallCommand: Codable, Hashable, Sendable {
    public var toDeviceId: Device.ID
    public var sim: Int
    /// The phone number.
    public var to: String
    /// As in ``TextCommand/reqId``.
    public var reqId: RequestID?
    /// As in ``Command/deadline``.
    public var deadline: RelayTime?
    /// As in ``Command/isConfirmed``; nil is false.
    public var isConfirmed: Bool?

    public init(
        toDeviceId: Device.ID, sim: Int, to: String, reqId: RequestID? = nil, deadline: RelayTime? = nil, isConfirmed: Bool? = nil
    ) {
        self.toDeviceId = toDeviceId
        self.sim = sim
        self.to = to
        self.reqId = reqId
        self.deadline = deadline
        self.isConfirmed = isConfirmed
    }

    private enum CodingKeys: String, CodingKey {
        case toDeviceId = "to_device_id"
        case sim, to, deadline
        case isConfirmed = "confirmed"
        case reqId = "req_id"
    }
}

/// The relay's reply to a command. The host reports the outcome later, as an event on the line.
public struct CommandReceipt: Codable, Hashable, Sendable {
    public enum Status: String, Codable, Hashable, Sendable {
        /// The relay has written the command to the host's socket.
        case sent
        /// The host is not connected. It gets the command when it connects, unless the command expires before.
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
