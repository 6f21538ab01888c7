import Foundation
import GRDB
import TestKit
import Testing
import WireKit

@testable import StorageKit

/// Room that removed rows leave in a file.
@Suite struct ShrinkingTests {
    let folder: TemporaryFolder
    let path: String
    private let migration = Migration("notes", script: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text BLOB NOT NULL)")

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("test.db")
    }

    private func size(_ path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    private func fill(_ store: StorageKit.Database, megabytes: Int) async throws {
        for _ in 0..<megabytes {
            try await store.write { _ = try $0.execute("INSERT INTO notes (text) VALUES (?)", Data(count: 1_048_576)) }
        }
    }

    @Test func databaseShrinksWhenRowsAreRemoved() async throws {
        let store = try StorageKit.Database(path: path, migrations: [migration])
        try await fill(store, megabytes: 20)
        try await store.write { _ = try $0.execute("DELETE FROM notes WHERE id > 1") }
        try await store.shrink()
        #expect(try size(path) < 4 * 1_048_576)
        #expect(try await store.read { try $0.one("SELECT LENGTH(text) FROM notes", as: Int.self) } == 1_048_576)
        // A second time there is nothing to do.
        try await store.shrink()
        store.close()
    }

    @Test func pruningGivesTheRoomBack() async throws {
        let store = try StorageKit.Database(path: path, migrations: [])
        let start = Timestamp(milliseconds: 1_790_000_000_000)
        for _ in 0..<10 { try await store.write { _ = try $0.append(Data(count: 1_048_576), to: Log("log"), at: start) } }
        try await store.prune(now: start + LineLimits.eventAge + .seconds(1))
        #expect(try size(path) < 4 * 1_048_576)
        store.close()
    }

    @Test func logOfTheDatabaseDoesNotKeepItsLargestSize() async throws {
        let store = try StorageKit.Database(path: path, migrations: [migration])
        // One transaction: nothing of it can be written back before it ends.
        try await store.write { transaction in
            for _ in 0..<40 { try transaction.execute("INSERT INTO notes (text) VALUES (?)", Data(count: 1_048_576)) }
        }
        #expect(try size(path + "-wal") > 40 * 1_048_576)
        try await store.shrink()
        #expect(try size(path + "-wal") <= SQLiteEngine.maximumIdleLogSize)
        store.close()
    }

    /// A database of a version that did not let files shrink, with half of its room free.
    private func makeEarlier(_ path: String, mode: String) throws {
        let earlier = try DatabaseQueue(path: path)
        try earlier.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = \(mode);
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('notes');
                    CREATE TABLE notes (id INTEGER PRIMARY KEY, text BLOB NOT NULL);
                    """)
            for _ in 0..<20 { try database.execute(sql: "INSERT INTO notes (text) VALUES (zeroblob(1048576))") }
            try database.execute(sql: "DELETE FROM notes WHERE id > 2")
            #expect(try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") == 0)
        }
        try earlier.close()
        #expect(try size(path) > 19 * 1_048_576)
    }

    @Test(arguments: ["delete", "wal"]) func databaseOfAnEarlierVersionShrinks(_ mode: String) async throws {
        try makeEarlier(path, mode: mode)
        try StorageKit.Database(phonePath: path, migrations: [migration]).close()
        #expect(try size(path) < 4 * 1_048_576)
        try makeEarlier(folder.file("service.db"), mode: mode)
        // The line's tables come with it.
        let store = try StorageKit.Database(path: folder.file("service.db"), migrations: [migration])
        #expect(try size(folder.file("service.db")) < 4 * 1_048_576)
        #expect(try await store.read { try $0.one("SELECT COUNT(*) FROM notes", as: Int.self) } == 2)
        try await fill(store, megabytes: 10)
        try await store.write { _ = try $0.execute("DELETE FROM notes WHERE id > 2") }
        try await store.shrink()
        store.close()
        #expect(try size(folder.file("service.db")) < 4 * 1_048_576)
    }

    @Test func openingGivesFreePagesBack() async throws {
        // The lock goes with the database.
        var store: StorageKit.Database? = try StorageKit.Database(path: path, migrations: [migration])
        if let store {
            try await fill(store, megabytes: 10)
            try await store.write { _ = try $0.execute("DELETE FROM notes") }
            store.close()
        }
        store = nil
        #expect(try size(path) > 9 * 1_048_576)
        try StorageKit.Database(path: path, migrations: [migration]).close()
        #expect(try size(path) < 3 * 1_048_576)
    }
}
