package import NetworkingKit

/// An outbox that is gone with the process.
package actor MemoryOutbox: OutboxStore {
    private var kept: [OutboxItem] = []

    package init() {}

    package func items() -> [OutboxItem] { kept }
    package func append(_ item: OutboxItem) { kept.append(item) }
    package func update(_ item: OutboxItem) {
        if let index = kept.firstIndex(where: { $0.id == item.id }) { kept[index] = item }
    }
    package func remove(id: OutboxItem.ID) { kept.removeAll { $0.id == id } }
}
