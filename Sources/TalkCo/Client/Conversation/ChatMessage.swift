package import Foundation
import TalkCoWire

/// A message of a conversation.
package struct ChatMessage: Hashable, Sendable, Identifiable {
    package enum Role: Hashable, Sendable { case user, ai }

    package enum State: Hashable, Sendable {
        /// On its way to the service, or arriving from it.
        case underWay
        /// The connection failed. Another attempt follows by itself; the user may discard the turn.
        case sendingAgain(TalkCoProblem)
        /// The user may retry or discard the turn.
        case failed(TalkCoProblem)
        /// A recording that was not understood. The user may hear it, send it again or discard it.
        case notUnderstood
        case complete
    }

    package let id: UUID
    package let role: Role
    /// Empty until the words of a recording, or of the tutor, are known.
    package internal(set) var text: String
    package internal(set) var state: State
    /// True if the learner spoke the message.
    package internal(set) var isSpoken = false
    /// The turn of the message; nil for the greeting, and for messages that the service has stored.
    var turn: Turn.ID?

    init(id: UUID = UUID(), role: Role, text: String, state: State, isSpoken: Bool = false, turn: Turn.ID? = nil) {
        (self.id, self.role, self.text, self.state, self.isSpoken, self.turn) = (id, role, text, state, isSpoken, turn)
    }

    /// The reason why the message failed, or is sent again; nil in other states.
    package var problem: TalkCoProblem? {
        switch state {
        case .sendingAgain(let problem), .failed(let problem): problem
        case .underWay, .notUnderstood, .complete: nil
        }
    }
}
