public import WireKit

/// What a host tells of its phone, and the relay of a host. Everything may be missing in what others write.
public enum PhoneEvent: Hashable, Sendable {
    /// SMS_SENT: how a text went. `reason` is `body` on the wire, there when it did not go.
    case textSent(SendStatus, reason: String?)
    /// INCOMING_SMS.
    case incomingText(sim: Int?, from: String?, body: String?)
    /// INCOMING_CALL.
    case incomingCall(sim: Int?, from: String?)
    /// CALL_STATE. `reason` is `body` on the wire.
    case callState(CallState, sim: Int?, from: String?, reason: String?)
    /// SIM_INFO.
    case simInfo([SIMCard])
    /// ERROR. The reason is `body` on the wire.
    case error(String?)
    /// DEVICE_OFFLINE: a paired device's socket has ended. From the relay itself.
    case deviceOffline(Device.ID?)
    /// One that this version does not know, with all that was said. Shown as such, never fatal.
    case unknown(name: String, JSONValue)

    /// Names of SMS_SENT's `status`.
    public enum SendStatus: String, Hashable, Sendable {
        case ok
        case error
        /// It may or may not have gone. What others write, and what is missing, is this too.
        case unknown
    }

    public enum CallState: String, Hashable, Sendable, CaseIterable {
        case dialing, ringing, active, ended
        /// What others write, and what is missing, is this too.
        case error
    }

    /// The name on the wire.
    public var name: String {
        switch self {
        case .textSent: "SMS_SENT"
        case .incomingText: "INCOMING_SMS"
        case .incomingCall: "INCOMING_CALL"
        case .callState: "CALL_STATE"
        case .simInfo: "SIM_INFO"
        case .error: "ERROR"
        case .deviceOffline: "DEVICE_OFFLINE"
        case .unknown(let name, _): name
        }
    }

    /// Names that may stand in `type` itself, in place of `event`.
    static let names: Set<String> = [
        "SMS_SENT", "INCOMING_SMS", "INCOMING_CALL", "CALL_STATE", "SIM_INFO", "ERROR", "DEVICE_OFFLINE",
    ]
}

/// A SIM card in a host.
public struct SIMCard: Codable, Hashable, Sendable, Identifiable {
    /// From 1.
    public var slot: Int
    /// Name of the network.
    public var carrier: String
    /// The card's own number, where the phone knows it.
    @Nullable public var number: String?

    public var id: Int { slot }

    public init(slot: Int, carrier: String, number: String?) {
        self.slot = slot
        self.carrier = carrier
        self.number = number
    }
}

extension PhoneEvent {
    init(named name: String, from fields: LineFields) {
        switch name {
        case "SMS_SENT":
            let status = fields.string("status").flatMap(SendStatus.init) ?? .unknown
            self = .textSent(status, reason: fields.string("body"))
        case "INCOMING_SMS":
            self = .incomingText(sim: fields.integer("sim"), from: fields.string("from"), body: fields.string("body"))
        case "INCOMING_CALL": self = .incomingCall(sim: fields.integer("sim"), from: fields.string("from"))
        case "CALL_STATE":
            self = .callState(
                fields.string("state").flatMap(CallState.init) ?? .error, sim: fields.integer("sim"), from: fields.string("from"),
                reason: fields.string("body"))
        case "SIM_INFO":
            self = .simInfo((fields.array("sims") ?? fields.array("payload") ?? []).enumerated().compactMap(SIMCard.init))
        case "ERROR": self = .error(fields.string("body"))
        case "DEVICE_OFFLINE": self = .deviceOffline(fields.id("device_id"))
        default: self = .unknown(name: name, .object(fields.object))
        }
    }

    func write(to fields: inout LineFields) {
        if case .unknown(_, .object(let object)) = self { fields = LineFields(object) }
        fields.set("type", "event")
        fields.set("event", name)
        switch self {
        case .textSent(let status, let reason):
            fields.set("status", status.rawValue)
            fields.set("body", reason)
        case .incomingText(let sim, let from, let body):
            fields.set("sim", sim)
            fields.set("from", from)
            fields.set("body", body)
        case .incomingCall(let sim, let from):
            fields.set("sim", sim)
            fields.set("from", from)
        case .callState(let state, let sim, let from, let reason):
            fields.set("state", state.rawValue)
            fields.set("sim", sim)
            fields.set("from", from)
            fields.set("body", reason)
        case .simInfo(let sims): fields["sims"] = .array(sims.map(\.asJSON))
        case .error(let reason): fields.set("body", reason)
        case .deviceOffline(let id): fields.set("device_id", id?.rawValue)
        case .unknown: break
        }
    }
}

extension SIMCard {
    fileprivate init?(_ place: (offset: Int, element: JSONValue)) {
        guard case .object(let object) = place.element else { return nil }
        let fields = LineFields(object)
        self.init(
            slot: fields.integer("slot") ?? place.offset + 1, carrier: fields.string("carrier") ?? "",
            number: fields.string("number"))
    }

    fileprivate var asJSON: JSONValue {
        .object(["slot": .integer(Int64(slot)), "carrier": .string(carrier), "number": number.map(JSONValue.string) ?? .null])
    }
}
