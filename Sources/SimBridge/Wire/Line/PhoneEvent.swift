public import WireKit

/// An event of a host's phone, or of the relay about a host. In messages of other implementations, every field may be missing.
public enum PhoneEvent: Hashable, Sendable {
    /// SMS_SENT: the outcome of sending a text. `reason` is `body` on the wire, present on failure.
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
    /// DEVICE_OFFLINE: the WebSocket of a paired device has closed. Sent by the relay itself.
    case deviceOffline(Device.ID?)
    /// An event that this version does not know, with all its fields. Shown to the user, never an error.
    case unknown(name: String, JSONValue)

    /// The values of `status` in SMS_SENT.
    public enum SendStatus: String, Hashable, Sendable {
        case ok
        case error
        /// The text may have been sent. Also the value for an unknown or missing status.
        case unknown
    }

    public enum CallState: String, Hashable, Sendable, CaseIterable {
        case dialing, ringing, active, ended
        /// Also the value for an unknown or missing state.
        case error
    }

    /// The event's name on the wire.
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

    /// The event names that are accepted in `type` itself instead of `event`.
    static let names: Set<String> = [
        "SMS_SENT", "INCOMING_SMS", "INCOMING_CALL", "CALL_STATE", "SIM_INFO", "ERROR", "DEVICE_OFFLINE",
    ]
}

/// A SIM card in a host.
public struct SIMCard: Codable, Hashable, Sendable, Identifiable {
    /// The slot, from 1.
    public var slot: Int
    /// The name of the network operator.
    public var carrier: String
    /// The card's phone number; null if the host does not know it.
    @Nullable public var number: String?
    /// The mobile country code (ITU-T E.212) of the card's issuer, three digits; nil if the host does not report it.
    public var mcc: String?

    public var id: Int { slot }

    public init(slot: Int, carrier: String, number: String?, mcc: String? = nil) {
        self.slot = slot
        self.carrier = carrier
        self.number = number
        self.mcc = mcc
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
    fileprivate init?(_ entry: (offset: Int, element: JSONValue)) {
        guard case .object(let object) = entry.element else { return nil }
        let fields = LineFields(object)
        self.init(
            slot: fields.integer("slot") ?? entry.offset + 1, carrier: fields.string("carrier") ?? "",
            number: fields.string("number"), mcc: fields.string("mcc"))
    }

    fileprivate var asJSON: JSONValue {
        var fields = LineFields(["number": number.map(JSONValue.string) ?? .null])
        fields.set("slot", slot)
        fields.set("carrier", carrier)
        fields.set("mcc", mcc)
        return .object(fields.object)
    }
}
