import Foundation
import GRDB
import TestKit
import Testing
import WireKit

@testable import StorageKit

@Suite struct SQLiteStoreTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("test.db")
    }

    private static let notes = Migration("notes") { try $0.execute(sql: "CREATE TABLE notes (text TEXT NOT NULL UNIQUE)") }

    private func open() throws -> SQLiteStore { try SQLiteStore(path: path, migrations: [Self.notes]) }

    private func add(_ text: String, to store: SQLiteStore) async throws {
        try await store.write { try $0.database.execute(sql: "INSERT INTO notes VALUES (?)", arguments: [text]) }
    }

    private func notes(in store: SQLiteStore) async throws -> Set<String> {
        try await store.read { try String.fetchSet($0, sql: "SELECT text FROM notes") }
    }

    /// 2 is FULL: https://www.sqlite.org/pragma.html#pragma_synchronous
    @Test func aWriteThatHasReturnedIsOnDisk() async throws {
        let store = try open()
        let (synchronous, journal) = try await store.write { transaction in
            (
                try Int.fetchOne(transaction.database, sql: "PRAGMA synchronous"),
                try String.fetchOne(transaction.database, sql: "PRAGMA journal_mode")
            )
        }
        #expect(synchronous == 2)
        #expect(journal == "wal")
    }

    /// A backup or the shell of SQLite.
    @Test func anotherProgramsLockIsWaitedFor() async throws {
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

    @Test func whatWasWrittenIsThereWhenOpenedAgain() async throws {
        var store: SQLiteStore? = try open()
        try await add("a", to: store!)
        store!.close()
        store = nil
        #expect(try await notes(in: open()) == ["a"])
    }

    @Test func afterClosingEverythingIsInTheOneFile() async throws {
        let store = try open()
        try await add("a", to: store)
        store.close()
        let wal = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        #expect((wal ?? 0) == 0)
    }

    @Test func manyWritersAtOnceAllGetTheirAnswer() async throws {
        let store = try open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2000 { group.addTask { try await self.add("\(number)", to: store) } }
            try await group.waitForAll()
        }
        #expect(try await notes(in: store).count == 2000)
    }

    @Test func writesThatComeTogetherAreCommittedTogether() async throws {
        let store = try open()
        let counter = CommitCounter()
        try await store.write { $0.database.add(transactionObserver: counter, extent: .databaseLifetime) }
        let before = counter.commits

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 { group.addTask { try await self.add("\(number)", to: store) } }
            try await group.waitForAll()
        }

        #expect(counter.commits - before < 500)
    }

    @Test func aWriteThatFailsUndoesOnlyItself() async throws {
        struct Refused: Error {}
        let store = try open()
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            try transaction.database.execute(sql: "INSERT INTO notes VALUES (?)", arguments: ["\(number)"])
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

    @Test func whatFollowsACommitComesInTheOrderOfTheWritesAndBeforeTheAnswers() async throws {
        struct Refused: Error {}
        let store = try open()
        let seen = Locked<[Int64]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    do {
                        let id = try await store.write { transaction in
                            try transaction.database.execute(sql: "INSERT INTO notes VALUES (?)", arguments: ["\(number)"])
                            let id = transaction.database.lastInsertedRowID
                            transaction.onCommit { seen.withLock { $0.append(id) } }
                            if number % 10 == 0 { throw Refused() }
                            return id
                        }
                        #expect(seen.withLock { $0.contains(id) })
                    } catch is Refused {}
                }
            }
            try await group.waitForAll()
        }
        let order = seen.withLock { $0 }
        #expect(order.count == 90 && order == order.sorted())
    }

    @Test func aCancelledTaskStillHasItsWriteDone() async throws {
        let store = try open()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await self.add("a", to: store)
        }
        try await task.value
        #expect(try await notes(in: store) == ["a"])
    }

    @Test func aSchemaFromTheFutureIsRefused() async throws {
        var store: SQLiteStore? = try SQLiteStore(
            path: path, migrations: [Self.notes, Migration("more") { try $0.execute(sql: "CREATE TABLE more (x)") }])
        store!.close()
        store = nil
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.code == .newerSchema)
        #expect(error?.description.contains(path) == true)
    }

    /// Also its write-ahead log, as a newer version leaves it when it is killed.
    @Test(arguments: [false, true]) func aSchemaFromTheFutureIsLeftAsItIs(_ wasKilled: Bool) async throws {
        let newer = folder.file("newer.db")
        let future = [Self.notes, Migration("future") { try $0.execute(sql: "CREATE TABLE future (x)") }]
        let store = try SQLiteStore(path: newer, migrations: future)
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

    /// As a crash leaves it that came before the first write-ahead log.
    @Test func aRollbackJournalThatWasLeftIsUndone() async throws {
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
        #expect(try await store.read { try String.fetchAll($0, sql: "SELECT text FROM other") } == ["kept"])
    }

    @Test func aMigrationThatFailsLeavesTheSchemaAsItWas() throws {
        do { _ = try open() }
        let broken = Migration("broken") { database in
            try database.execute(sql: "CREATE TABLE half (x)")
            try database.execute(sql: "this is not SQL")
        }
        #expect(throws: StorageError.self) { try SQLiteStore(path: path, migrations: [Self.notes, broken]) }
        #expect(throws: Never.self) { _ = try open() }
    }

    @Test func aSecondOpeningIsRefused() throws {
        let first = try open()
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.code == .inUse)
        withExtendedLifetime(first) {}
    }

    @Test func aFileThatIsNoDatabaseIsRefused() throws {
        try Data(repeating: 7, count: 10_000).write(to: URL(filePath: path))
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.code == .unusable)
        #expect(error?.description.contains(path) == true)
    }

    @Test func aFolderThatIsNotThereIsRefused() {
        let error = #expect(throws: StorageError.self) { try SQLiteStore(path: folder.file("none/x.db"), migrations: []) }
        #expect(error?.code == .unusable)
    }
}

/// Counts commits on the writer's connection, whose queue calls it; read when no write is under way.
private final class CommitCounter: TransactionObserver, @unchecked Sendable {
    var commits = 0
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { commits += 1 }
    func databaseDidRollback(_ db: Database) {}
}
