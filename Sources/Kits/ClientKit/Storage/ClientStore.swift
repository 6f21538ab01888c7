package import Foundation
package import NetworkingKit
package import StorageKit
import WireKit

/// The database of one app on one phone: saved values and the outbox, each write in one transaction.
package final class ClientStore: OutboxStore {
    private let database: Database
    private let saved: SavedValues

    /// Opens or makes the database in `folder`.
    ///
    /// - Throws: `StorageError`.
    package init(folder: URL, saved: SavedValues = SavedValues()) throws {
        database = try Database(phonePath: Self.file(in: folder).path, migrations: Self.migrations)
        self.saved = saved
    }

    package static func file(in folder: URL) -> URL { folder.appending(path: "client.db") }

    package static let migrations = [
        Migration("client") { transaction in
            try transaction.execute("CREATE TABLE saved (name TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL)")
            try transaction.execute(
                """
                CREATE TABLE outbox (
                    position INTEGER PRIMARY KEY,
                    id TEXT NOT NULL UNIQUE,
                    lane TEXT NOT NULL,
                    payload BLOB NOT NULL,
                    created_at REAL NOT NULL,
                    failure TEXT
                )
                """)
        }
    ]

    // MARK: Saved values

    /// Reads all values into memory.
    package func load() async throws {
        saved.load(try await storedValues())
    }

    private func storedValues() async throws -> [String: Data] {
        let rows = try await database.read { try $0.all("SELECT name, value FROM saved", as: SavedRow.self) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.value) })
    }

    /// Writes the values that were set since the last transaction.
    package func save() async throws {
        if saved.isDirty { try await write { _ in } }
    }

    /// Returns once every value that was set so far is on disk, also those of transactions under way.
    package func flush() async throws { try await write { _ in } }

    /// Runs `body` in a transaction that writes the dirty values as well.
    ///
    /// - Parameter item: The item of the outbox that `body` stores.
    private func write(item: String? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Void) async throws {
        let taken = Locked<[String]>([])
        do {
            try await database.write { [saved] transaction in
                let values = saved.takeDirty(with: item)
                taken.withLock { $0 = Array(values.keys) }
                for (name, value) in values { try Self.set(value, for: name, in: transaction) }
                try body(transaction)
            }
        } catch {
            saved.putBack(taken.withLock { $0 })
            throw error
        }
    }

    private static func set(_ value: Data?, for name: String, in transaction: WriteTransaction) throws {
        guard let value else {
            try transaction.execute("DELETE FROM saved WHERE name = ?", name)
            return
        }
        try transaction.execute(
            "INSERT INTO saved (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", name, value)
    }

    // MARK: The outbox

    package func items() async throws -> [OutboxItem] { try await database.read { try $0.storedItems(from: "outbox") } }

    package func append(_ item: OutboxItem) async throws {
        try await write(item: item.id) { try Self.insert(item, in: $0) }
    }

    package func update(_ item: OutboxItem) async throws {
        try await write { transaction in
            try transaction.execute(
                "UPDATE outbox SET payload = ?, created_at = ?, failure = ? WHERE id = ?", item.payload,
                item.createdAt.timeIntervalSince1970, item.state.failure, item.id)
        }
    }

    package func remove(id: OutboxItem.ID) async throws {
        try await write { try $0.execute("DELETE FROM outbox WHERE id = ?", id) }
    }

    package func removeAllItems() async throws {
        try await write { try $0.execute("DELETE FROM outbox") }
    }

    private static func insert(_ item: OutboxItem, in transaction: WriteTransaction) throws {
        try transaction.execute(
            "INSERT INTO outbox (id, lane, payload, created_at, failure) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            item.id, item.lane, item.payload, item.createdAt.timeIntervalSince1970, item.state.failure)
    }

    // MARK: Data of earlier versions

    /// Takes over what earlier versions stored elsewhere: values among the preferences, and an outbox in a file of its own. Once: later calls
    /// change nothing.
    ///
    /// - Parameters:
    ///   - values: In the form of ``SavedValues``.
    ///   - oldOutbox: The path of the earlier outbox.
    package func takeOver(_ values: [String: Data], oldOutbox: String) async throws {
        let hasOldOutbox = FileManager.default.fileExists(atPath: oldOutbox)
        guard !values.isEmpty || hasOldOutbox else { return }
        guard try await storedValues()[Self.takeoverKey] == nil else { return removeOldOutbox(oldOutbox) }
        var items: [OutboxItem] = []
        if hasOldOutbox {
            let old = try Database(phonePath: oldOutbox, migrations: [Self.formerOutbox])
            items = try await old.read { try $0.storedItems(from: "items", orderedBy: "place") }
            old.close()
        }
        try await database.write { [items] transaction in
            for (name, value) in values { try Self.set(value, for: name, in: transaction) }
            for item in items { try Self.insert(item, in: transaction) }
            try Self.set(Data("[true]".utf8), for: Self.takeoverKey, in: transaction)
        }
        removeOldOutbox(oldOutbox)
    }

    /// Runs a statement that changes items as an earlier version stored them.
    package func changeItems(_ sql: String) async throws { try await write { try $0.execute(sql) } }

    package static let takeoverKey = "tookOverEarlierData"

    private func removeOldOutbox(_ path: String) {
        // A file that cannot be removed now is removed at the next start.
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// The schema of the outbox of earlier versions.
    package static let formerOutbox = Migration("outbox") { transaction in
        try transaction.execute(
            """
            CREATE TABLE items (
                place INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL UNIQUE,
                lane TEXT NOT NULL,
                payload BLOB NOT NULL,
                created_at REAL NOT NULL,
                failure TEXT
            )
            """)
    }
}

private struct SavedRow: RowDecodable, Sendable {
    var name: String
    var value: Data

    init(row: Row) throws {
        name = try row.get("name")
        value = try row.get("value")
    }
}

/// A row of the outbox.
private struct ItemRow: RowDecodable {
    var item: OutboxItem

    init(row: Row) throws {
        let failure: String? = try row.get("failure")
        item = OutboxItem(
            id: try row.get("id"), lane: try row.get("lane"), payload: try row.get("payload"),
            createdAt: Date(timeIntervalSince1970: try row.get("created_at")), state: failure.map { .failed($0) } ?? .waiting)
    }
}

extension ReadTransaction {
    fileprivate func storedItems(from table: String, orderedBy position: String = "position") throws -> [OutboxItem] {
        try all("SELECT id, lane, payload, created_at, failure FROM \(table) ORDER BY \(position)", as: ItemRow.self).map(\.item)
    }
}

extension OutboxItem.State {
    fileprivate var failure: String? { if case .failed(let reason) = self { reason } else { nil } }
}
