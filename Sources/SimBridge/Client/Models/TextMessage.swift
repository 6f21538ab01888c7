package import Foundation
package import SimBridgeWire
import WireKit

/// A text, as a bubble of a conversation.
package struct TextMessage: Hashable, Sendable, Identifiable {
    package enum State: Hashable, Sendable {
        case received
        /// The text waits on this phone.
        case waiting
        /// The relay stores the text for an offline host.
        case queued
        /// The relay has sent the text to the host.
        case sent
        /// The network has accepted the text.
        case confirmed
        /// The receiver's phone has the text.
        case delivered
        /// The host does not know whether the text was sent.
        case unknown
        case failed(Failure)
    }

    package enum Failure: Hashable, Sendable {
        /// The relay has refused the text.
        case refused(BridgeProblem)
        /// The text was not sent; the reason, in the host's words, is nil if the host gave none.
        case host(String?)
        /// The host did not connect in time.
        case expired
    }

    /// The `req_id` of an outgoing text; `history-` and the history id for a received text.
    package let id: String
    /// The other number.
    package let number: String
    package let body: String
    package let sim: Int?
    package let time: Date
    package internal(set) var state: State
    /// The kind of a message that no person has written; nil for an ordinary text.
    package var kind: EventDetails.Kind?
    /// True if the text was sent long before it arrived.
    var isLate = false

    package var isOutgoing: Bool { state != .received }
    package var isFailed: Bool { if case .failed = state { true } else { false } }
}

/// A text that the relay has accepted, until the history has it.
struct AcceptedText: Hashable, Sendable {
    var id: RequestID
    var text: TextCommand
    var time: Date
    var status: CommandReceipt.Status
}

/// Texts and calls with one number.
package struct Conversation: Hashable, Sendable, Identifiable {
    package enum Entry: Hashable, Sendable, Identifiable {
        case text(TextMessage)
        case call(CallRecord)

        package var id: String {
            switch self {
            case .text(let text): text.id
            case .call(let call): call.id
            }
        }
        package var time: Date {
            switch self {
            case .text(let text): text.time
            case .call(let call): call.time
            }
        }
        package var sim: Int? {
            switch self {
            case .text(let text): text.sim
            case .call(let call): call.sim
            }
        }
        var isLate: Bool {
            switch self {
            case .text(let text): text.isLate
            case .call(let call): call.isLate
            }
        }
        var number: String {
            switch self {
            case .text(let text): text.number
            case .call(let call): call.number
            }
        }
    }

    /// The other number, in international form if that is known; empty if it is withheld.
    package let number: String
    /// The entries, oldest first.
    package let entries: [Entry]

    package var id: String { number }
    package var messages: [TextMessage] { entries.compactMap { if case .text(let text) = $0 { text } else { nil } } }
    /// The latest entry. A conversation has at least one entry.
    package var last: Entry { entries[entries.count - 1] }
}
