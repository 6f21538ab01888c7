import Foundation
import TestKit
import Testing
import WireKit

@testable import StorageKit

/// Two boxes on one schema of PostgreSQL.
@Suite(.onPostgreSQL) struct TwoBoxesTests {
    private let path = "/two-boxes/\(UUID())"
    private let boxes: [Database]
    private let log = Log("log")

    init() throws {
        let counts = Migration("counts", script: "CREATE TABLE counts (name TEXT PRIMARY KEY NOT NULL, count INTEGER NOT NULL)")
        let path = path
        boxes = try (0..<2).map { _ in try TestDatabase.open(path, migrations: [counts]) }
    }

    /// Reads a row, and writes it back.
    private func increment(_ names: [String], on box: Int, locking subjects: [String]?) async throws {
        try await boxes[box].write(locking: subjects) { transaction in
            for name in names {
                let count = try transaction.first("SELECT count FROM counts WHERE name = ?", name, as: Int.self)
                if let count {
                    try transaction.execute("UPDATE counts SET count = ? WHERE name = ?", count + 1, name)
                } else {
                    try transaction.execute("INSERT INTO counts (name, count) VALUES (?, 1)", name)
                }
            }
        }
    }

    private func count(_ name: String) async throws -> Int? {
        try await boxes[0].read { try $0.first("SELECT count FROM counts WHERE name = ?", name, as: Int.self) }
    }

    /// - Parameter isNamed: False for writes that name no subject, and so run alone.
    @Test(arguments: [false, true]) func noWriteOfTwoBoxesIsLost(_ isNamed: Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { try await increment(["a"], on: number % 2, locking: isNamed ? ["a"] : nil) }
                // A write of all meets those of one.
                if number % 20 == 0 { group.addTask { try await increment(["a"], on: 0, locking: nil) } }
            }
            try await group.waitForAll()
        }
        #expect(try await count("a") == 210)
    }

    @Test func locksInOppositeOrderDoNotWaitForEachOther() async throws {
        try await within(.seconds(60)) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    let names = number % 2 == 0 ? ["a", "b"] : ["b", "a"]
                    group.addTask { try await increment(names, on: number % 2, locking: names) }
                }
                try await group.waitForAll()
            }
        }
        let counts = (try await count("a"), try await count("b"))
        #expect(counts == (100, 100))
    }

    /// A deadlock of rows that nobody named is found by PostgreSQL; the transaction that it ends is repeated.
    @Test func deadlockIsRepeated() async throws {
        for name in ["a", "b"] { try await increment([name], on: 0, locking: [name]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    try await boxes[number % 2].write(locking: []) { transaction in
                        for name in number % 2 == 0 ? ["a", "b"] : ["b", "a"] {
                            try transaction.execute("UPDATE counts SET count = count + 1 WHERE name = ?", name)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let counts = (try await count("a"), try await count("b"))
        #expect(counts == (5, 5))
    }

    @Test func oneCommandAtBothBoxesGetsOneReply() async throws {
        for command in 0..<20 {
            let replies = try await withThrowingTaskGroup(of: Data.self) { group in
                for box in boxes + boxes {
                    group.addTask {
                        try await box.write(locking: ["ada"]) { transaction in
                            try transaction.once("\(command)", from: "ada", content: Data(), at: .now) {
                                Data("\(try transaction.append(Data(), to: log, at: .now))".utf8)
                            }
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(replies == [Data("\(command + 1)".utf8)])
        }
    }

    /// Without the names of what they lock, two boxes insert the same key; the second transaction is repeated and finds it.
    @Test func uniqueKeyThatAnotherBoxHasInsertedIsFoundByTheRepetition() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 { group.addTask { try await increment(["\(number / 4)"], on: number % 2, locking: []) } }
            try await group.waitForAll()
        }
        for name in 0..<5 {
            let count = try await count("\(name)")
            #expect(count != nil)
        }
    }

    // MARK: Feeds

    /// A reader at one box gets what both append, in order, without a gap or a double, long before the poll.
    @Test func feedOfOneBoxHasTheEventsOfBoth() async throws {
        let feed = try await boxes[1].feed(of: log, after: 0).feed
        defer { feed.end() }
        let start = ContinuousClock.now
        let reader = Task { try await feed.numbers(upTo: 300) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    try await boxes[number % 2].write(locking: ["log"]) { _ = try $0.append(Data(), to: log, at: .now) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await within { try await reader.value } == Array(1...300))
        // The last one may be of the other box alone.
        try await boxes[0].write(locking: ["log"]) { _ = try $0.append(Data(), to: log, at: .now) }
        #expect(try await within { try await feed.numbers(upTo: 301) } == [301])
        // Not a measurement: a lost wake-up would cost a poll each.
        #expect(ContinuousClock.now - start < ChangeFeed.pollInterval * 4)
    }

    @Test func namesOfLogsMayHaveAnyCharacter() async throws {
        for name in ["tab\tin it", "日本", "' quotes \" ; --", String(repeating: "long", count: 500)] {
            let log = Log(name)
            let feed = try await boxes[1].feed(of: log, after: 0).feed
            try await boxes[0].write { _ = try $0.append(Data(name.utf8), to: log, at: .now) }
            #expect(try await within { try await feed.numbers(upTo: 1) } == [1])
            feed.end()
        }
    }

    @Test func listenerComesBackAfterItsConnectionWasCut() async throws {
        let feed = try await boxes[1].feed(of: log, after: 0).feed
        let start = ContinuousClock.now
        defer { feed.end() }
        for number in 1...5 as ClosedRange<Int64> {
            try await cutConnections()
            try await boxes[0].write { _ = try $0.append(Data(), to: log, at: .now) }
            #expect(try await within { try await feed.numbers(upTo: number) } == [number])
        }
        #expect(ContinuousClock.now - start < ChangeFeed.pollInterval * 4, "without its notifications, each one is a poll")
    }

    // MARK: A server that goes away

    /// Ends all connections of the schema but the one that does so, as a restart of the server does.
    private func cutConnections() async throws {
        guard case .postgreSQL(let address) = try TestDatabase.location(path) else { return }
        let connection = try PostgreSQLConnection(address)
        try connection.plain(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'switchboard \(address.schema)' AND pid <> pg_backend_pid()
            """)
    }

    /// Connections are cut while transactions run, wait for locks and are committed. Every one that succeeded is there once.
    @Test func cutConnectionsLoseAndDoubleNothing() async throws {
        let isDone = Locked(false)
        let cutter = Task {
            while !isDone.withLock({ $0 }) {
                try await cutConnections()
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        let total = Effort.count(400, soak: 10_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<total {
                if number >= 16 { try await group.next() }
                group.addTask { try await increment(["a"], on: number % 2, locking: number % 5 == 0 ? nil : ["a"]) }
            }
            try await group.waitForAll()
        }
        isDone.withLock { $0 = true }
        try await cutter.value
        #expect(try await count("a") == total)
    }

    /// A commit that takes long is cut: it is not on disk, and the transaction is repeated.
    @Test func commitThatWasCutIsRepeated() async throws {
        try await boxes[0].write {
            try $0.execute(
                script: """
                    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$;
                    CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON counts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
                        EXECUTE FUNCTION wait();
                    """)
        }
        async let write: Void = increment(["a"], on: 0, locking: ["a"])
        try await Task.sleep(for: .milliseconds(200))
        try await cutConnections()
        try await write
        #expect(try await count("a") == 1)
    }

    @Test func serverThatIsNotThereIsNamed() throws {
        let address = PostgreSQLAddress(url: "postgresql://ada:secret@127.0.0.1:1/none", schema: "a")
        let error = #expect(throws: StorageError.self) { try Database(at: .postgreSQL(address), migrations: []) }
        #expect(error?.code == .unavailable && error?.isTemporary == true)
        #expect(error?.description.contains("127.0.0.1") == true && error?.description.contains("secret") == false)
        let wrong = #expect(throws: StorageError.self) {
            try Database(at: .postgreSQL(PostgreSQLAddress(url: "postgresql://[x", schema: "a")), migrations: [])
        }
        #expect(wrong?.code == .unusable)
    }

    // MARK: Values

    @Test func numbersOfEveryKindAreRead() async throws {
        let big = Int64.max / 2
        try await boxes[0].write { transaction in
            for (name, count) in [("a", big), ("b", big), ("c", 1)] {
                try transaction.execute("INSERT INTO counts (name, count) VALUES (?, ?)", name, count)
            }
        }
        func one<Value: SQLValue & Sendable>(_ sql: String, as type: Value.Type = Value.self) async throws -> Value {
            try await boxes[0].read { try $0.one(sql, as: Value.self) }
        }
        #expect(try await one("SELECT SUM(count) FROM counts") == big * 2 + 1)
        #expect(try await one("SELECT -SUM(count) FROM counts") == -(big * 2) - 1)
        #expect(try await one("SELECT SUM(count) FROM counts WHERE name = 'none'", as: Int64?.self) == nil)
        // Larger than an integer.
        #expect(try await one("SELECT SUM(count) * 4 FROM counts", as: Double.self) > 3e19)
        #expect(try await one("SELECT 12345678.25::numeric", as: Double.self) == 12_345_678.25)
        #expect(try await one("SELECT 0.0001::numeric", as: Double.self) == 0.0001)
        #expect(try await one("SELECT 40000::numeric", as: Int.self) == 40_000)
        #expect(try await one("SELECT 0::numeric", as: Int.self) == 0)
        #expect(try await one("SELECT count > 1 FROM counts WHERE name = 'c'", as: Bool.self) == false)
        #expect(try await one("SELECT LENGTH(name) FROM counts WHERE name = 'c'", as: Int.self) == 1)
        #expect(try await one("SELECT 1.5::real", as: Double.self) == 1.5)
        #expect(try await one("SELECT 7::smallint", as: Int.self) == 7)
    }

    /// A body that goes on after a refused statement commits nothing.
    @Test func refusedStatementThatABodyIgnoresRefusesTheTransaction() async throws {
        let error = await #expect(throws: StorageError.self) {
            try await boxes[0].write { transaction in
                try transaction.execute("INSERT INTO counts (name, count) VALUES ('a', 1)")
                _ = try? transaction.execute("INSERT INTO counts (name, count) VALUES ('a', 2)")
                _ = try? transaction.execute("INSERT INTO counts (name, count) VALUES ('b', 1)")
            }
        }
        #expect(error?.code == .unusable)
        #expect(try await count("a") == nil)
    }
}

extension EventFeed {
    /// The sequence numbers of the next events up to `last`.
    fileprivate func numbers(upTo last: Int64) async throws -> [Int64] {
        var seen: [Int64] = []
        while seen.last != last {
            if let items = try await next() {
                seen += items.compactMap { if case .event(let event) = $0 { event.seq } else { nil } }
            } else {
                await withCheckedContinuation { continuation in onItems { continuation.resume() } }
            }
        }
        return seen
    }
}
