import NetworkingKit

/// The state of a line, as far as a screen shows it.
package enum LineStatus: Hashable, Sendable {
    case down, connecting, open
}

/// The way back after a final failure of the line.
package enum LineRecovery: Hashable, Sendable {
    /// The line opens again when the user wants it: another connection of the same client has taken it, or the user has to decide first.
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
