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

/// Texts with one number.
public struct Conversation: Hashable, Sendable, Identifiable {
    public let number: String
    /// Oldest first.
    public let messages: [TextMessage]

    public var id: String { number }
    /// There always is one.
    public var last: TextMessage { messages[messages.count - 1] }
}
