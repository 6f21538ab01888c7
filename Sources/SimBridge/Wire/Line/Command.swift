import WireKit

/// A client's command to a host. In messages of other implementations, every field but the name may be missing.
public struct Command: Hashable, Sendable {
    public struct Name: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sendText = Name(rawValue: "SEND_SMS")
        public static let makeCall = Name(rawValue: "MAKE_CALL")
        public static let hangUp = Name(rawValue: "HANG_UP")
        public static let getSIMs = Name(rawValue: "GET_SIMS")
    }

    public var name: Name
    /// The SIM slot, from 1.
    public var sim: Int?
    /// The phone number.
    public var to: String?
    /// The text to send.
    public var body: String?
    /// The time, by the relay's clock, after which neither the relay nor the host executes a call command.
    public var deadline: RelayTime?
    /// The ``CallCommand/reqId`` of the call that `HANG_UP` ends; other calls are unaffected. Nil ends all calls.
    public var callReqId: RequestID?
    /// True if the user has agreed to a service code that changes settings (``ServiceCode/changesSettings``).
    public var isConfirmed: Bool

    public init(
        _ name: Name, sim: Int? = nil, to: String? = nil, body: String? = nil, deadline: RelayTime? = nil,
        callReqId: RequestID? = nil, isConfirmed: Bool = false
    ) {
        self.name = name
        self.sim = sim
        self.to = to
        self.body = body
        self.deadline = deadline
        self.callReqId = callReqId
        self.isConfirmed = isConfirmed
    }

    public static func sendText(sim: Int, to: String, body: String) -> Command { Command(.sendText, sim: sim, to: to, body: body) }
    public static func makeCall(sim: Int, to: String, deadline: RelayTime? = nil, isConfirmed: Bool = false) -> Command {
        Command(.makeCall, sim: sim, to: to, deadline: deadline, isConfirmed: isConfirmed)
    }
    public static let hangUp = Command(.hangUp)
    public static func hangUp(call: RequestID?, deadline: RelayTime? = nil) -> Command {
        Command(.hangUp, deadline: deadline, callReqId: call)
    }
    public static let getSIMs = Command(.getSIMs)
}

extension Command {
    init(from fields: LineFields) {
        self.init(
            Name(rawValue: fields.string("cmd") ?? ""), sim: fields.integer("sim"), to: fields.string("to"),
            body: fields.string("body"), deadline: fields.time("deadline"), callReqId: fields.request("call_req_id"),
            isConfirmed: fields.boolean("confirmed") ?? false)
    }

    func write(to fields: inout LineFields) {
        fields.set("type", "command")
        fields.set("cmd", name.rawValue)
        fields.set("sim", sim)
        fields.set("to", to)
        fields.set("body", body)
        fields.set("deadline", deadline?.description)
        fields.set("call_req_id", callReqId?.rawValue)
        if isConfirmed { fields["confirmed"] = .bool(true) }
    }
}
