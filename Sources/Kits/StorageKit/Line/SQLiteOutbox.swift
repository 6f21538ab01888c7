import Foundation
import GRDB
public import NetworkingKit

/// An outbox in an SQLite file of its own, for one app on one phone. What was added survives a power cut.
public final class SQLiteOutbox: OutboxStore {
    private let queue: DatabaseQueue

    /// Opens or makes the database at `path`; its folder must be there.
    ///
    /// - Throws: ``StorageError``.
    public init(path: String) throws(StorageError) {
        let files = try DatabaseFiles(path: path)
        try files.closeToOthers()
        do {
            var configuration = GRDB.Configuration()
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            queue = try DatabaseQueue(path: files.path, configuration: configuration)
            try Self.migrator.migrate(queue)
        } catch {
            throw StorageError(code: .unusable, description: "Cannot use the outbox \(path): \(error)")
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("outbox") { database in
            try database.execute(
                sql: """
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
        return migrator
    }

    public func items() async throws -> [OutboxItem] {
        try await queue.read { database in
            try GRDB.Row.fetchAll(database, sql: "SELECT id, lane, payload, created_at, failure FROM items ORDER BY place").map {
                row in
                OutboxItem(
                    id: row["id"], lane: row["lane"], payload: row["payload"],
                    createdAt: Date(timeIntervalSince1970: row["created_at"]),
                    state: (row["failure"] as String?).map { .failed($0) } ?? .waiting)
            }
        }
    }

    public func append(_ item: OutboxItem) async throws {
        try await queue.write { database in
            try database.execute(
                sql: "INSERT INTO items (id, lane, payload, created_at, failure) VALUES (?, ?, ?, ?, ?)",
                arguments: [item.id, item.lane, item.payload, item.createdAt.timeIntervalSince1970, item.state.failure])
        }
    }

    public func update(_ item: OutboxItem) async throws {
        try await queue.write { database in
            try database.execute(
                sql: "UPDATE items SET payload = ?, created_at = ?, failure = ? WHERE id = ?",
                arguments: [item.payload, item.createdAt.timeIntervalSince1970, item.state.failure, item.id])
        }
    }

    public func remove(id: OutboxItem.ID) async throws {
        try await queue.write { try $0.execute(sql: "DELETE FROM items WHERE id = ?", arguments: [id]) }
    }
}

extension OutboxItem.State {
    fileprivate var failure: String? { if case .failed(let reason) = self { reason } else { nil } }
}
