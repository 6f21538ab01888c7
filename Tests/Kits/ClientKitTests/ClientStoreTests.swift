import Foundation
import NetworkingKit
import PhoneTestKit
import PlatformKit
import StorageKit
import TestKit
import Testing

@testable import ClientKit

@Suite struct ClientStoreTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func store(_ saved: SavedValues = SavedValues()) throws -> ClientStore {
        try ClientStore(folder: folder.url, saved: saved)
    }

    /// The values of a new start.
    private func reloaded() async throws -> SavedValues {
        let saved = SavedValues()
        try await store(saved).load()
        return saved
    }

    private func item(_ id: String) -> OutboxItem {
        OutboxItem(id: id, lane: "a", payload: Data(id.utf8), createdAt: Date(timeIntervalSince1970: 1))
    }

    @Test func valuesSurviveARestart() async throws {
        let saved = SavedValues()
        let store = try store(saved)
        saved.set(41, for: "cursor")
        saved.set("half a", for: "draft")
        saved.set("gone", for: "other")
        try await store.save()
        saved.set(String?.none, for: "other")
        try await store.save()
        let again = try await reloaded()
        #expect(again.value(Int.self, for: "cursor") == 41 && again.value(String.self, for: "draft") == "half a")
        #expect(again.value(String.self, for: "other") == nil)
        #expect(again.value(Int.self, for: "draft") == nil, "of another type")
    }

    /// Its phone has no folder.
    @Test func demonstrationHasItsDatabaseInMemory() async throws {
        let phone = await TestPhone().phone().demonstration()
        let saved = SavedValues()
        let store = try ClientStore(of: phone, saved: saved)
        saved.set("half a", for: "draft")
        try await store.append(item("1"))
        try await store.load()
        #expect(try await store.items().map(\.id) == ["1"] && saved.value(String.self, for: "draft") == "half a")
        #expect(try await ClientStore(of: phone).items().isEmpty)
    }

    @Test func valuesSetBeforeLoadingStay() async throws {
        let saved = SavedValues()
        let store = try store(saved)
        saved.set("old", for: "draft")
        saved.set("old", for: "other")
        try await store.save()
        let again = SavedValues()
        again.set("new", for: "draft")
        try await self.store(again).load()
        #expect(again.value(String.self, for: "draft") == "new" && again.value(String.self, for: "other") == "old")
    }

    @Test func aDraftIsRemovedInItsMessagesTransaction() async throws {
        let saved = SavedValues()
        let store = try store(saved)
        saved.set("half a", for: "draft")
        try await store.save()
        let item = item("1")
        saved.set(SavedChange(String?.none, for: "draft"), with: item.id)
        // Another save in between does not remove the draft.
        saved.set(1, for: "cursor")
        try await store.save()
        #expect(try await reloaded().value(String.self, for: "draft") == "half a")
        #expect(saved.value(String.self, for: "draft") == nil)
        try await store.append(item)
        #expect(try await reloaded().value(String.self, for: "draft") == nil)
        #expect(try await store.items() == [item])
    }

    @Test func aFailedTransactionKeepsItsValuesForTheNext() async throws {
        let saved = SavedValues()
        let store = try store(saved)
        let other = try Database(phonePath: ClientStore.file(in: folder.url).path, migrations: ClientStore.migrations)
        _ = try await other.write { try $0.execute("ALTER TABLE saved RENAME TO hidden") }
        saved.set(41, for: "cursor")
        await #expect(throws: StorageError.self) { try await store.save() }
        saved.set(42, for: "cursor")
        _ = try await other.write { try $0.execute("ALTER TABLE hidden RENAME TO saved") }
        try await store.save()
        #expect(try await reloaded().value(Int.self, for: "cursor") == 42)
    }

    @Test func theOutboxKeepsItsOrder() async throws {
        let store = try store()
        for id in ["3", "1", "2"] { try await store.append(item(id)) }
        try await store.remove(id: "2")
        try await store.append(item("0"))
        #expect(try await store.items().map(\.id) == ["3", "1", "0"])
        try await store.removeAllItems()
        #expect(try await store.items() == [])
    }

    @Test func earlierDataIsMigratedOnce() async throws {
        let path = folder.file("outbox.db")
        func writeOldOutbox() async throws {
            let old = try Database(phonePath: path, migrations: [ClientStore.formerOutbox])
            _ = try await old.write {
                try $0.execute(
                    "INSERT INTO items (id, lane, payload, created_at, failure) VALUES (?, ?, ?, ?, ?)", "1", "a", Data("1".utf8),
                    1.0,
                    "refused")
            }
            old.close()
        }
        try await writeOldOutbox()
        let saved = SavedValues()
        let store = try store(saved)
        try await store.takeOver(["cursor": Data("[41]".utf8)], oldOutbox: path)
        try await store.load()
        var expected = item("1")
        expected.state = .failed("refused")
        #expect(try await store.items() == [expected])
        #expect(saved.value(Int.self, for: "cursor") == 41)
        #expect(!FileManager.default.fileExists(atPath: path))
        // The process ended before the migration removed the old values.
        try await store.remove(id: "1")
        saved.set(50, for: "cursor")
        try await store.save()
        try await writeOldOutbox()
        try await store.takeOver(["cursor": Data("[41]".utf8)], oldOutbox: path)
        #expect(try await store.items() == [])
        #expect(try await reloaded().value(Int.self, for: "cursor") == 50)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
