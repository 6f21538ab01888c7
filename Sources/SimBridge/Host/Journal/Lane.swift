import SimBridgeWire

/// A queue of commands. Commands of one lane are carried out one after the other; lanes do not wait for each other.
enum Lane: String, CaseIterable, Sendable {
    /// Texts, by SIM: a slow network does not hold up the other card.
    case text1, text2
    case calls
    /// Service codes: the network may take a minute, and a call or its end does not wait for that.
    case codes
    case sims
    /// Commands that are refused anyway.
    case other
}

extension Command {
    var lane: Lane {
        switch name {
        case .sendText: sim == 2 ? .text2 : .text1
        case .makeCall: serviceCode == nil ? .calls : .codes
        case .hangUp: .calls
        case .getSIMs: .sims
        default: .other
        }
    }

    /// The service code that a call or a text is for.
    var serviceCode: ServiceCode? {
        to.flatMap { try? PhoneNumber.dialable($0) }.flatMap { ServiceCode($0) }
    }

    /// The age beyond which a command is not begun any more (`Docs/Protocols/SimBridge-Line.md`).
    var maximumAge: Duration { name == .sendText ? .seconds(86_400) : .seconds(60) }
}
