import SimBridgeWire

/// Commands of one lane are carried out one after the other; lanes do not wait for each other.
enum Lane: String, CaseIterable, Sendable {
    /// Texts, by SIM: a slow network does not hold up the other card.
    case text1, text2
    case calls
    case sims
    /// What is refused anyway.
    case other
}

extension Command {
    var lane: Lane {
        switch name {
        case .sendText: sim == 2 ? .text2 : .text1
        case .makeCall, .hangUp: .calls
        case .getSIMs: .sims
        default: .other
        }
    }

    /// How old it may be when it is begun (`Docs/Protocols/SimBridge-Line.md`).
    var maximumAge: Duration { name == .sendText ? .seconds(86_400) : .seconds(60) }
}
