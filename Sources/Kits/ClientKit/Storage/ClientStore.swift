package import Foundation
package import NetworkingKit
package import PlatformKit
package import StorageKit
import WireKit

/// The database of one app on one phone: saved values and the outbox, each write in one transaction. Created when first needed.
package final class ClientStore: OutboxStore {
    private let database: Locked<Database?>
    private let folder: @Sendable () throws -> URL
    private let saved: SavedValues

    /// Opens the database of the app on `phone`, if there is one. A demonstration has a database in memory.
    ///
    /// - Throws: `StorageError`.
    package convenience init(of phone: Phone, saved: SavedValues = SavedValues()) throws {
        if phone.isDemonstration {
            self.init(try Database(inMemory: Self.migrations), folder: phone.folder, saved: saved)
        } else {
            try self.init(stored: phone.storedFolder(), folder: phone.folder, saved: saved)
        }
    }

    /// Opens the database in `folder`, if there is one.
    ///
    /// - Throws: `StorageError`.
    package convenience init(folder: URL, saved: SavedValues = SavedValues()) throws {
        try self.init(stored: folder, folder: { folder }, saved: saved)
    }

    private convenience init(stored: URL?, folder: @escaping @Sendable () throws -> URL, saved: SavedValues) throws {
        let file = stored.map { Self.file(in: $0).path }
        let found = try file.flatMap { FileManager.default.fileExists(atPath: $0) ? try Self.open($0) : nil }
        self.init(found, folder: folder, saved: saved)
    }

    private init(_ database: Database?, folder: @escaping @Sendable () throws -> URL, saved: SavedValues) {
        self.database = Locked(database)
        (self.folder, self.saved) = (folder, saved)
    }

    private static func open(_ path: String) throws -> Database { try Database(phonePath: path, migrations: migrations) }

    /// Returns the database, created if there is none yet.
    ///
    /// - Throws: `StorageError`; `PhoneError`.
    @concurrent private func opened() async throws -> Database {
        try database.withLock { database in
            if let database { return database }
            let new = try Self.open(Self.file(in: folder()).path)
            database = new
            return new
        }
    }

    /// The database; nil until the first write that is worth one.
    private var existing: Database? { database.withLock { $0 } }

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
        guard let database = existing else { return [:] }
        let rows = try await database.read { try $0.all("SELECT name, value FROM saved", as: SavedRow.self) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.value) })
    }

    /// Writes the values that were set since the last transaction.
    package func save() async throws {
        if saved.isDirty { try await write { _ in } }
    }

    /// Returns once every value that was set so far is on disk, also those of transactions under way.
    package func flush() async throws { try await write { _ in } }

    /// Runs `body` in a transaction that writes the dirty values as well. Does nothing without a database if no value is worth one.
    ///
    /// - Parameter item: The id of the outbox item that `body` stores; nil if it stores none.
    private func write(item: String? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Void) async throws {
        guard existing != nil || item != nil || saved.isWorthADatabase else { return }
        let database = try await opened()
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

    // MARK: Outbox

    package func items() async throws -> [OutboxItem] {
        try await existing?.read { try $0.storedItems(from: "outbox") } ?? []
    }

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

    /// Takes over data that earlier versions stored elsewhere: values among the preferences, and an outbox in a file of its own.
    /// Later calls change nothing.
    ///
    /// - Parameters:
    ///   - values: The values by key, encoded as in ``SavedValues``.
    ///   - oldOutbox: The path of the earlier outbox; nil for none.
    package func takeOver(_ values: [String: Data], oldOutbox: String?) async throws {
        let oldOutbox = oldOutbox.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
        guard !values.isEmpty || oldOutbox != nil else { return }
        guard try await storedValues()[Self.takeoverKey] == nil else { return removeOldOutbox(oldOutbox) }
        var items: [OutboxItem] = []
        if let oldOutbox {
            let old = try Database(phonePath: oldOutbox, migrations: [Self.formerOutbox])
            items = try await old.read { try $0.storedItems(from: "items", orderedBy: "place") }
            old.close()
        }
        try await opened().write { [items] transaction in
            for (name, value) in values { try Self.set(value, for: name, in: transaction) }
            for item in items { try Self.insert(item, in: transaction) }
            try Self.set(Data("[true]".utf8), for: Self.takeoverKey, in: transaction)
        }
        removeOldOutbox(oldOutbox)
    }

    /// Runs a statement that changes items as an earlier version stored them.
    package func changeItems(_ sql: String) async throws { try await write { try $0.execute(sql) } }

    package static let takeoverKey = "tookOverEarlierData"

    private func removeOldOutbox(_ path: String?) {
        guard let path else { return }
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
