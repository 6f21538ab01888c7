public import Foundation
import SimBridgeWire
import WireKit

/// A text, as a bubble shows it.
public struct TextMessage: Hashable, Sendable, Identifiable {
    public enum State: Hashable, Sendable {
        case received
        /// On this phone: the relay does not have it yet.
        case waiting
        /// The relay keeps it for a host that is away.
        case queued
        /// The host has it.
        case sent
        /// The host's network took it.
        case confirmed
        /// The host does not know whether it went.
        case unknown
        case failed(Failure)
    }

    public enum Failure: Hashable, Sendable {
        /// The relay did not take it.
        case refused(BridgeProblem)
        /// In the host's words; nil: it gave none.
        case host(String?)
        /// The host did not come in time.
        case expired
    }

    /// Of an outgoing text its `req_id`.
    public let id: String
    /// The other end: where it goes, or where it came from.
    public let number: String
    public let body: String
    public let sim: Int?
    public let time: Date
    public internal(set) var state: State

    public var isOutgoing: Bool { state != .received }
    public var isFailed: Bool { if case .failed = state { true } else { false } }
}

/// What the outbox keeps of a text.
struct OutgoingText: Codable, Hashable, Sendable {
    var host: Device.ID
    var sim: Int
    var to: String
    var body: String
}

/// What is known of a text that left the outbox, until the history has it.
struct AcceptedText: Hashable, Sendable {
    var id: RequestID
    var text: OutgoingText
    var time: Date
    var status: CommandReceipt.Status
}

/// Texts and calls with one number.
public struct Conversation: Hashable, Sendable, Identifiable {
    public enum Entry: Hashable, Sendable, Identifiable {
        case text(TextMessage)
        case call(CallRecord)

        public var id: String {
            switch self {
            case .text(let text): text.id
            case .call(let call): call.id
            }
        }
        public var time: Date {
            switch self {
            case .text(let text): text.time
            case .call(let call): call.time
            }
        }
        public var sim: Int? {
            switch self {
            case .text(let text): text.sim
            case .call(let call): call.sim
            }
        }
        var number: String {
            switch self {
            case .text(let text): text.number
            case .call(let call): call.number
            }
        }
    }

    /// Empty for callers and senders that withhold theirs.
    public let number: String
    /// Oldest first.
    public let entries: [Entry]

    public var id: String { number }
    public var messages: [TextMessage] { entries.compactMap { if case .text(let text) = $0 { text } else { nil } } }
    /// There always is one.
    public var last: Entry { entries[entries.count - 1] }
    /// Whether something can be sent there.
    public var canReply: Bool { (try? PhoneNumber.checked(number)) != nil }
}
