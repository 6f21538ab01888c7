import Foundation
import TestKit
import Testing
import WireKit

import class GRDB.DatabaseQueue

@testable import StorageKit

@Suite struct DatabaseTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("test.db")
    }

    private static let notes = Migration("notes", script: "CREATE TABLE notes (text TEXT NOT NULL UNIQUE)")

    private func open() throws -> Database { try TestDatabase.open(path, migrations: [Self.notes]) }

    private func add(_ text: String, to store: Database) async throws {
        try await store.write { _ = try $0.execute("INSERT INTO notes (text) VALUES (?)", text) }
    }

    private func notes(in store: Database) async throws -> Set<String> {
        Set(try await store.read { try $0.all("SELECT text FROM notes", as: String.self) })
    }

    /// 2 is FULL: https://www.sqlite.org/pragma.html#pragma_synchronous
    @Test(.onSQLite) func everyCommitIsSyncedToDisk() async throws {
        let store = try open()
        let (synchronous, journal) = try await store.write { transaction in
            (
                try transaction.one("PRAGMA synchronous", as: Int.self),
                try transaction.one("PRAGMA journal_mode", as: String.self)
            )
        }
        #expect(synchronous == 2)
        #expect(journal == "wal")
    }

    /// A backup or the shell of SQLite.
    @Test(.onSQLite) func anotherProgramsLockIsWaitedFor() async throws {
        let other = try DatabaseQueue(path: path)
        try await other.write { try $0.execute(sql: "CREATE TABLE others (text TEXT)") }
        let (locked, isLocked) = AsyncStream.makeStream(of: Void.self)
        // Not cancelled when the opening fails: a transaction has to end.
        let unlocking = Task {
            try await other.writeWithoutTransaction { database in
                try database.execute(sql: "BEGIN EXCLUSIVE")
                isLocked.finish()
                Thread.sleep(forTimeInterval: 0.5)
                try database.execute(sql: "COMMIT")
            }
        }
        for await _ in locked {}
        try open().close()
        try await unlocking.value
    }

    @Test func writesSurviveReopening() async throws {
        var store: Database? = try open()
        try await add("a", to: store!)
        store!.close()
        store = nil
        #expect(try await notes(in: open()) == ["a"])
    }

    @Test(.onSQLite) func closingMovesEverythingIntoOneFile() async throws {
        let store = try open()
        try await add("a", to: store)
        store.close()
        let wal = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        #expect((wal ?? 0) == 0)
    }

    @Test func concurrentWritesAllReturn() async throws {
        let store = try open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2000 { group.addTask { try await self.add("\(number)", to: store) } }
            try await group.waitForAll()
        }
        #expect(try await notes(in: store).count == 2000)
    }

    @Test(.onSQLite) func concurrentWritesShareCommits() async throws {
        let store = try open()
        let counter = CommitCounter()
        try await store.write { counter.observe($0.database) }
        let before = counter.commits

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 { group.addTask { try await self.add("\(number)", to: store) } }
            try await group.waitForAll()
        }

        #expect(counter.commits - before < 500)
    }

    @Test func aFailedWriteUndoesOnlyItself() async throws {
        struct Refused: Error {}
        let store = try open()
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            try transaction.execute("INSERT INTO notes (text) VALUES (?)", "\(number)")
                            if number % 10 == 0 { throw Refused() }
                        }
                        return false
                    } catch {
                        return error is Refused
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 10)
        #expect(try await notes(in: store).count == 90)
        #expect(try await !notes(in: store).contains("50"))
    }

    @Test func commitCallbacksRunInWriteOrderBeforeReplies() async throws {
        struct Refused: Error {}
        let store = try open()
        let seen = Locked<[Int64]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    do {
                        let isSeen = try await store.write { transaction in
                            try transaction.execute("INSERT INTO notes (text) VALUES (?)", "\(number)")
                            let count = try transaction.one("SELECT COUNT(*) FROM notes", as: Int64.self)
                            if number % 10 == 0 { throw Refused() }
                            return count
                        } onCommit: { (count: Int64) in
                            seen.withLock { $0.append(count) }
                            return true
                        }
                        #expect(isSeen)
                    } catch is Refused {}
                }
            }
            try await group.waitForAll()
        }
        let order = seen.withLock { $0 }
        #expect(order.count == 90 && order == order.sorted())
    }

    @Test func aWriteOfACancelledTaskCompletes() async throws {
        let store = try open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await self.add("a", to: store)
        }
        try await task.value
        #expect(try await notes(in: store) == ["a"])
    }

    @Test func aNewerSchemaIsRefused() async throws {
        var store: Database? = try TestDatabase.open(
            path, migrations: [Self.notes, Migration("more", script: "CREATE TABLE more (x INTEGER)")])
        store!.close()
        store = nil
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.code == .newerSchema)
        #expect(error?.description.contains(TestDatabase.isPostgreSQL ? "schema" : path) == true)
    }

    /// The database with its write-ahead log, as a killed newer version leaves them.
    @Test(.onSQLite, arguments: [false, true]) func aNewerSchemaIsNotChanged(_ wasKilled: Bool) async throws {
        let newer = folder.file("newer.db")
        let future = [Self.notes, Migration("future", script: "CREATE TABLE future (x INTEGER)")]
        let store = try Database(path: newer, migrations: future)
        try await add("a", to: store)
        if !wasKilled { store.close() }
        let kinds = wasKilled ? ["", "-wal"] : [""]
        for kind in kinds { try FileManager.default.copyItem(atPath: newer + kind, toPath: path + kind) }
        // An earlier version of SQLite's journal: WAL would be a change of the file's header.
        if !wasKilled {
            let queue = try DatabaseQueue(path: path)
            try await queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try queue.close()
        }
        let before = try kinds.map { try Data(contentsOf: URL(filePath: path + $0)) }
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.code == .newerSchema)
        #expect(try kinds.map { try Data(contentsOf: URL(filePath: path + $0)) } == before)
        withExtendedLifetime(store) {}
    }

    /// The state after a crash before the first write-ahead log.
    @Test(.onSQLite) func aLeftoverRollbackJournalIsUndone() async throws {
        let old = folder.file("old.db")
        let queue = try DatabaseQueue(path: old)
        try await queue.writeWithoutTransaction { database in
            try database.execute(sql: "CREATE TABLE other (text TEXT); INSERT INTO other VALUES ('kept')")
            try database.execute(sql: "PRAGMA cache_size = 1; BEGIN")
            // Larger than the cache, so that the file itself is written before the end of the transaction.
            for _ in 0..<100 { try database.execute(sql: "INSERT INTO other VALUES (randomblob(4000))") }
            for kind in ["", "-journal"] { try FileManager.default.copyItem(atPath: old + kind, toPath: path + kind) }
            try database.execute(sql: "ROLLBACK")
        }
        let store = try open()
        #expect(try await store.read { try $0.all("SELECT text FROM other", as: String.self) } == ["kept"])
    }

    @Test func aFailedMigrationLeavesTheSchemaUnchanged() throws {
        do { _ = try open() }
        let broken = Migration("broken") { transaction in
            try transaction.execute("CREATE TABLE half (x INTEGER)")
            try transaction.execute("this is not SQL")
        }
        #expect(throws: StorageError.self) { try TestDatabase.open(path, migrations: [Self.notes, broken]) }
        #expect(throws: Never.self) { _ = try open() }
    }

    @Test(.onSQLite) func aSecondProcessIsRefused() throws {
        let first = try open()
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.code == .inUse)
        withExtendedLifetime(first) {}
    }

    @Test(.onSQLite) func anotherFileFormatIsRefused() throws {
        try Data(repeating: 7, count: 10_000).write(to: URL(filePath: path))
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.code == .damaged)
        #expect(error?.description.contains(path) == true)
    }

    @Test(.onSQLite) func aMissingFolderIsRefused() {
        let error = #expect(throws: StorageError.self) { try Database(path: folder.file("none/x.db"), migrations: []) }
        #expect(error?.code == .unusable)
    }
}
