package import Foundation
import WireKit

/// A store of the items of an ``Outbox``. ClientKit implements it on SQLite.
package protocol OutboxStore: Sendable {
    /// Returns all items, in the order of delivery.
    func items() async throws -> [OutboxItem]
    /// Stores `item` after all others before it returns.
    func append(_ item: OutboxItem) async throws
    /// Replaces the item with this id, in its position. Has no effect if there is none.
    func update(_ item: OutboxItem) async throws
    func remove(id: OutboxItem.ID) async throws
}

/// A message of the user that the service has not accepted yet.
package struct OutboxItem: Codable, Hashable, Sendable, Identifiable {
    package enum State: Codable, Hashable, Sendable {
        case waiting
        /// The item failed for this reason, a code of the system. The user may retry or discard it.
        case failed(String)
    }

    /// The failure code of an item that was too old.
    package static let expired = "expired"

    /// The idempotency key, chosen by the sender: the service accepts an item with a known id without doing it again.
    package var id: String
    /// The conversation that the item belongs to.
    package var lane: String
    package var payload: Data
    package var createdAt: Date
    package var state: State

    /// Returns a new idempotency key: a UUID in lowercase.
    package static func newID() -> ID { UUID().uuidString.lowercased() }

    package init(id: ID = newID(), lane: String, payload: Data, createdAt: Date, state: State = .waiting) {
        self.id = id
        self.lane = lane
        self.payload = payload
        self.createdAt = createdAt
        self.state = state
    }

    /// Returns the payload, decoded from JSON; nil if another version wrote it in another form.
    package func content<Content: Decodable>(_: Content.Type = Content.self) -> Content? { try? WireJSON.decode(from: payload) }
}
