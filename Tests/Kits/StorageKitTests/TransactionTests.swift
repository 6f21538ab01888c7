import Foundation
import TestKit
import Testing
import WireKit

@testable import StorageKit

/// Queries, arguments and typed rows.
@Suite struct TransactionTests {
    private enum Kind: String, SQLValue { case small, large }

    private struct Item: RowDecodable, Equatable, Sendable {
        var id: Int64
        var kind: Kind
        var name: String?
        var data: Data
        var weight: Double
        var isOpen: Bool
        var at: Timestamp

        init(row: Row) throws {
            id = try row.get("id")
            kind = try row.get("kind")
            name = try row.get("name")
            data = try row.get("data")
            weight = try row.get("weight")
            isOpen = try row.get("is_open")
            at = try row.get("at")
        }
    }

    private let folder: TemporaryFolder
    private let database: Database

    init() throws {
        folder = try TemporaryFolder()
        let items = Migration(
            "items",
            script: """
                CREATE TABLE items (
                    id INTEGER PRIMARY KEY,
                    kind TEXT NOT NULL,
                    name TEXT,
                    data BLOB NOT NULL,
                    weight REAL NOT NULL,
                    is_open INTEGER NOT NULL,
                    at INTEGER NOT NULL
                );
                CREATE INDEX items_kind ON items (kind);
                """)
        database = try TestDatabase.open(folder.file("test.db"), migrations: [items])
    }

    @discardableResult
    private func insert(_ kind: Kind = .small, name: String? = nil, data: Data = Data(), weight: Double = 1) async throws -> Int64 {
        try await database.write {
            try $0.one(
                "INSERT INTO items (kind, name, data, weight, is_open, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id", kind, name,
                data, weight, true, Timestamp(milliseconds: 1_234))
        }
    }

    @Test func everyTypeIsReadAsWritten() async throws {
        let id = try await insert(.large, name: "日本 '; --", data: Data([0, 255]), weight: 2.5)
        let item = try #require(try await database.read { try $0.first("SELECT * FROM items WHERE id = ?", id, as: Item.self) })
        #expect(item.kind == .large && item.name == "日本 '; --" && item.data == Data([0, 255]) && item.weight == 2.5)
        #expect(item.isOpen && item.at == Timestamp(milliseconds: 1_234))
    }

    @Test func nullAndEmptyAreDistinct() async throws {
        try await insert(name: nil)
        try await insert(name: "")
        let names = try await database.read { try $0.all("SELECT name FROM items ORDER BY id", as: String?.self) }
        #expect(names == [nil, ""])
        let data = try await database.read { try $0.first("SELECT data FROM items", as: Data.self) }
        #expect(data == Data())
    }

    @Test func numberedArgumentsMayRepeat() async throws {
        try await insert(name: "a")
        let found = try await database.read {
            try $0.one("SELECT ?1 = name AND ?1 = 'a' FROM items WHERE name = ?1", "a", as: Bool.self)
        }
        #expect(found)
    }

    @Test func aColumnOfAnotherTypeThrows() async throws {
        struct Wrong: RowDecodable {
            init(row: Row) throws { _ = try row.get("name", as: String.self) }
        }
        struct Missing: RowDecodable {
            init(row: Row) throws { _ = try row.get("height", as: Double.self) }
        }
        try await insert(name: nil)
        let wrong = await #expect(throws: StorageError.self) {
            try await database.read { _ = try $0.first("SELECT * FROM items", as: Wrong.self) }
        }
        #expect(wrong?.code == .unreadable && wrong?.description.contains("name") == true)
        let missing = await #expect(throws: StorageError.self) {
            try await database.read { _ = try $0.first("SELECT * FROM items", as: Missing.self) }
        }
        #expect(missing?.code == .unreadable && missing?.description.contains("height") == true)
    }

    @Test func aValueThatATypeDoesNotHaveThrows() async throws {
        try await insert()
        try await database.write { _ = try $0.execute("UPDATE items SET kind = 'huge', is_open = 2") }
        for column in ["kind", "is_open"] {
            let error = await #expect(throws: StorageError.self) {
                _ = try await database.read { transaction in
                    if column == "kind" { _ = try transaction.first("SELECT kind FROM items", as: Kind.self) }
                    if column == "is_open" { _ = try transaction.first("SELECT is_open FROM items", as: Bool.self) }
                }
            }
            #expect(error?.code == .unreadable)
        }
    }

    @Test func executeCountsChangedRows() async throws {
        for _ in 0..<3 { try await insert() }
        let counts = try await database.write { transaction in
            (
                try transaction.execute("UPDATE items SET name = 'x' WHERE id > ?", 1),
                try transaction.execute("DELETE FROM items WHERE id = ?", 99),
                try transaction.execute(
                    "INSERT INTO items (id, kind, data, weight, is_open, at) SELECT id, kind, data, weight, 1, 0 FROM items WHERE TRUE "
                        + "ON CONFLICT DO NOTHING")
            )
        }
        #expect(counts == (2, 0, 0))
    }

    @Test func readingStopsAtThePredicate() async throws {
        for weight in 1...5 { try await insert(weight: Double(weight)) }
        let weights = try await database.read { transaction in
            try transaction.all("SELECT weight FROM items ORDER BY id", as: Double.self, while: { $0 < 3 })
        }
        #expect(weights == [1, 2])
        // PostgreSQL gives a long result in parts.
        for weight in 6...100 { try await insert(weight: Double(weight)) }
        for end in [1, 4, 5, 12, 13, 28, 100, 200] {
            let weights = try await database.read { transaction in
                try transaction.all(
                    "SELECT weight FROM items WHERE weight <> ? ORDER BY id", 50.0, as: Double.self, while: { $0 <= Double(end) })
            }
            #expect(weights == (1...min(end, 100)).filter { $0 != 50 }.map(Double.init))
        }
    }

    @Test func oneThrowsForAnEmptyResult() async throws {
        let error = await #expect(throws: StorageError.self) {
            try await database.read { try $0.one("SELECT id FROM items", as: Int64.self) }
        }
        #expect(error?.code == .unreadable)
    }

    @Test func everyRowOfAReturningStatementIsWritten() async throws {
        for _ in 0..<3 { try await insert() }
        let first = try await database.write { try $0.first("UPDATE items SET name = 'new' RETURNING id", as: Int64.self) }
        #expect(first != nil)
        let count = try await database.read { try $0.one("SELECT COUNT(*) FROM items WHERE name = 'new'", as: Int.self) }
        #expect(count == 3)
    }

    @Test(arguments: ["SELECT nonsense FROM items", "INSERT INTO items (id) VALUES (1)"])
    func aRefusedStatementThrowsStorageError(_ sql: String) async throws {
        let error = await #expect(throws: StorageError.self) { try await database.write { _ = try $0.execute(sql) } }
        #expect(error?.code == .unusable)
    }

    @Test func aMissingOrSuperfluousArgumentIsRefused() async throws {
        for arguments in [[1], [1, 2, 3]] as [[Int]] {
            let error = await #expect(throws: StorageError.self) {
                try await database.read { transaction in
                    switch arguments.count {
                    case 1: try transaction.exists("SELECT 1 FROM items WHERE id IN (?, ?)", arguments[0])
                    default:
                        try transaction.exists("SELECT 1 FROM items WHERE id IN (?, ?)", arguments[0], arguments[1], arguments[2])
                    }
                }
            }
            #expect(error?.code == .unusable)
        }
        #expect(try await database.read { try !$0.exists("SELECT 1 FROM items WHERE id IN (?, ?)", 1, 2) })
    }

    @Test(arguments: ["a\0b", "\0", "M", "M0\0M1", "M\u{301}\0\u{301}", "全角ｆｏｒｍｓ\u{FFFD}"])
    func textWithAnyCharacterIsKept(_ letters: String) async throws {
        // Not a character, and so not in a literal.
        let text = String(String.UnicodeScalarView(letters.unicodeScalars.map { $0 == "M" ? Unicode.Scalar(UInt32(0xFDD0))! : $0 }))
        try await insert(name: text, data: Data())
        let item = try #require(try await database.read { try $0.first("SELECT * FROM items WHERE name = ?", text, as: Item.self) })
        #expect(item.name.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars) && item.data.isEmpty)
    }

    @Test func aCachedStatementKeepsNoArgument() async throws {
        let names = try await database.read { transaction in
            try ["first", nil, "third"].map { try transaction.one("SELECT ?", $0, as: String?.self) }
        }
        #expect(names == ["first", nil, "third"])
    }

    @Test func argumentsStayOutOfErrors() async throws {
        let error = await #expect(throws: StorageError.self) {
            try await database.write { _ = try $0.execute("INSERT INTO items (id, name) VALUES (?, ?)", 1, "secret") }
        }
        #expect(error?.description.contains("secret") == false)
    }

    @Test func aReaderCannotWrite() async throws {
        let error = await #expect(throws: StorageError.self) {
            try await database.read { try $0.first("DELETE FROM items RETURNING id", as: Int64.self) }
        }
        #expect(error?.code == .unusable)
    }

    @Test func commitHooksRunInOrderOnceTheTransactionIsOnDisk() async throws {
        struct Failure: Error {}
        let seen = Locked<[String]>([])
        try await database.write { transaction in
            for name in ["one", "two"] { transaction.onCommit { seen.withLock { $0.append(name) } } }
            #expect(seen.withLock { $0 } == [])
        }
        #expect(seen.withLock { $0 } == ["one", "two"])
        await #expect(throws: Failure.self) {
            try await database.write { transaction in
                transaction.onCommit { seen.withLock { $0.append("failed") } }
                throw Failure()
            }
        }
        #expect(seen.withLock { $0 } == ["one", "two"])
    }

    // MARK: A full disk

    @Test(.onSQLite) func aFullDiskIsToldApartAndLaterWritesSucceed() async throws {
        try await database.limitGrowth(toPages: 2)
        let error = await #expect(throws: StorageError.self) { try await insert(data: Data(repeating: 1, count: 1_000_000)) }
        #expect(error?.code == .full)
        try await insert(name: "small")
        try await database.limitGrowth(toPages: nil)
        try await insert(data: Data(repeating: 1, count: 1_000_000))
        #expect(try await database.read { try $0.one("SELECT COUNT(*) FROM items", as: Int.self) } == 2)
    }

    @Test(.onSQLite) func everyWriteOfACommitThatFoundNoRoomFails() async throws {
        try await database.limitGrowth(toPages: 2)
        let (hold, isHeld) = (DispatchSemaphore(value: 0), Locked(false))
        async let first: Void = database.write { _ in
            isHeld.withLock { $0 = true }
            hold.wait()
        }
        try await eventually { isHeld.withLock { $0 } }
        let published = Locked<[String]>([])
        let outcomes = await withTaskGroup(of: StorageError.Code?.self) { tasks in
            for (number, size) in [1, 1_000_000, 1].enumerated() {
                tasks.addTask { [database] in
                    do {
                        try await database.write {
                            try $0.execute(
                                "INSERT INTO items (kind, data, weight, is_open, at) VALUES ('small', ?, 1, 1, 1)",
                                Data(repeating: 1, count: size))
                        } onCommit: { _ in
                            published.withLock { $0.append("\(number)") }
                        }
                        return nil
                    } catch {
                        return (error as? StorageError)?.code
                    }
                }
                try? await eventually { self.database.waitingWriteCount == number + 1 }
            }
            hold.signal()
            return await tasks.reduce(into: [StorageError.Code?]()) { $0.append($1) }
        }
        try await first
        #expect(outcomes == [.full, .full, .full])
        #expect(published.withLock { $0 } == [])
        #expect(try await database.read { try $0.one("SELECT COUNT(*) FROM items", as: Int.self) } == 0)
        try await insert()
        #expect(try await database.read { try $0.one("SELECT COUNT(*) FROM items", as: Int.self) } == 1)
    }

    @Test func aFullDiskIsKnownInFilesToo() {
        #expect(StorageError.isFullDisk(CocoaError(.fileWriteOutOfSpace)))
        #expect(StorageError.isFullDisk(POSIXError(.ENOSPC)) && StorageError.isFullDisk(POSIXError(.EDQUOT)))
        #expect(!StorageError.isFullDisk(POSIXError(.EACCES)) && !StorageError.isFullDisk(CocoaError(.fileWriteNoPermission)))
        #expect(!StorageError.isFullDisk(StorageError(code: .unusable, description: "")))
    }

    // MARK: A phone's database

    @Test func aPhonesDatabaseHasItsOwnTablesOnly() async throws {
        let path = folder.file("phone.db")
        let notes = Migration("notes", script: "CREATE TABLE notes (text TEXT NOT NULL)")
        var phone: Database? = try Database(phonePath: path, migrations: [notes])
        try await phone!.write { _ = try $0.execute("INSERT INTO notes (text) VALUES ('a')") }
        #expect(try await phone!.write { try $0.one("PRAGMA synchronous", as: Int.self) } == 2)
        phone!.close()
        phone = nil
        let again = try Database(phonePath: path, migrations: [notes])
        #expect(try await again.read { try $0.all("SELECT text FROM notes", as: String.self) } == ["a"])
        let tables = try await again.read { try $0.all("SELECT name FROM sqlite_master WHERE type = 'table'", as: String.self) }
        #expect(Set(tables) == ["notes", "grdb_migrations"])
        #expect(!FileManager.default.fileExists(atPath: path + ".lock"))
    }

    @Test func aPhonesDatabaseOfANewerVersionIsRefused() throws {
        let path = folder.file("phone.db")
        let newer = Migration("newer", script: "CREATE TABLE notes (text TEXT NOT NULL)")
        try Database(phonePath: path, migrations: [newer]).close()
        let error = #expect(throws: StorageError.self) { try Database(phonePath: path, migrations: []) }
        #expect(error?.code == .newerSchema)
    }
}
