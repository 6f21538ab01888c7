import Foundation
import GRDB
import Pager2077Wire
import StorageKit
import WireKit

/// The pager's store in one SQLite file.
struct SQLitePagerStore: PagerStore {
    let store: SQLiteStore

    /// - Throws: `StorageError`.
    init(path: String) throws(StorageError) {
        store = try SQLiteStore(path: path, migrations: PagerMigrations.all)
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any PagerReading) throws -> Value) async throws -> Value {
        try await store.read { try body(SQLitePagerReading(database: $0)) }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any PagerWriting) throws -> Value) async throws -> Value {
        try await store.write { try body(SQLitePagerWriting(transaction: $0)) }
    }

    func feed(of user: User.ID, after: Int64?) async throws -> (feed: EventFeed, latest: Int64) {
        try await store.feed(of: user.rawValue, after: after)
    }

    func notificationCounts() async throws -> [OutboxState: Int] { try await store.outboxCounts() }

    func waitingNotifications(limit: Int) async throws -> [(recipient: User.ID, notification: PagerNotification)] {
        try await store.outboxEntries(.waiting, limit: limit).map {
            (User.ID($0.recipient), try WireJSON.decode(PagerNotification.self, from: $0.payload))
        }
    }

    func prune(now: Timestamp) async throws { try await store.prune(now: now.milliseconds) }

    func close() { store.close() }
}
