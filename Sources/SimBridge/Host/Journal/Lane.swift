import SimBridgeWire

/// A queue of commands. Commands of one lane are carried out one after the other; lanes do not wait for each other.
enum Lane: String, CaseIterable, Sendable {
    /// Texts, by SIM: a slow network does not hold up the other card.
    case text1, text2
    case calls
    case sims
    /// Commands that are refused anyway.
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

    /// The age beyond which a command is not begun any more (`Docs/Protocols/SimBridge-Line.md`).
    var maximumAge: Duration { name == .sendText ? .seconds(86_400) : .seconds(60) }
}
