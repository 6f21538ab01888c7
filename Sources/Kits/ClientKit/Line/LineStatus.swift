import NetworkingKit

/// The state of a line, as far as a screen shows it.
package enum LineStatus: Hashable, Sendable {
    case down, connecting, open
}

/// The recovery from a failure after which the line does not reconnect by itself.
package enum LineRecovery: Hashable, Sendable {
    /// The line reopens when the user requests it: another connection of this client replaced it, or the user has to decide first.
    case waitForUser
    case reopen(after: Duration)
    /// The line stays closed until a user signs in again.
    case stop
}

extension LineStatus {
    init(_ state: Line.State) {
        switch state {
        case .open: self = .open
        case .connecting: self = .connecting
        case .waiting, .idle, .closed: self = .down
        }
    }
}
