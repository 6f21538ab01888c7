public import Foundation
import WireKit

/// Keeps what the user sent until a service has accepted it. StorageKit has one on SQLite.
public protocol OutboxStore: Sendable {
    /// Everything, in the order in which it is to be sent.
    func items() async throws -> [OutboxItem]
    /// Keeps `item` behind all others before it returns.
    func append(_ item: OutboxItem) async throws
    /// Replaces the item with this id, which keeps its place. Without effect when it is gone.
    func update(_ item: OutboxItem) async throws
    func remove(id: OutboxItem.ID) async throws
}

/// Something that was sent by the user and not accepted by a service yet.
public struct OutboxItem: Codable, Hashable, Sendable, Identifiable {
    public enum State: Codable, Hashable, Sendable {
        case waiting
        /// Given up, for this reason, in a word that the system knows. A person may try again, or remove it.
        case failed(String)
    }

    /// The reason of an item that waited too long.
    public static let expired = "expired"

    /// Chosen by the sender. The service takes a second one with the same id for the first.
    public var id: String
    /// What it belongs to: a conversation.
    public var lane: String
    public var payload: Data
    public var createdAt: Date
    public var state: State

    public init(id: String = UUID().uuidString.lowercased(), lane: String, payload: Data, createdAt: Date, state: State = .waiting)
    {
        self.id = id
        self.lane = lane
        self.payload = payload
        self.createdAt = createdAt
        self.state = state
    }

    /// What it carries, in JSON; nil for an item of another version.
    public func content<Content: Decodable>(_: Content.Type = Content.self) -> Content? { try? WireJSON.decode(from: payload) }
}
