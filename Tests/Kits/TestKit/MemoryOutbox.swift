package import NetworkingKit

/// An outbox store in memory.
package actor MemoryOutbox: OutboxStore {
    private var stored: [OutboxItem] = []

    package init() {}

    package func items() -> [OutboxItem] { stored }
    package func append(_ item: OutboxItem) { stored.append(item) }
    package func update(_ item: OutboxItem) {
        if let index = stored.firstIndex(where: { $0.id == item.id }) { stored[index] = item }
    }
    package func remove(id: OutboxItem.ID) { stored.removeAll { $0.id == id } }
}
