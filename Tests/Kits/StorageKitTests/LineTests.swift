import Foundation
import TestKit
import Testing
import WireKit

@testable import StorageKit

@Suite struct EventLogTests {
    let folder: TemporaryFolder
    let store: Database

    init() throws {
        folder = try TemporaryFolder()
        store = try Database(path: folder.file("test.db"), migrations: [])
    }

    private func append(_ text: String, to log: String = "a", at time: Int64 = 0) async throws {
        try await store.write { _ = try $0.append(Data(text.utf8), to: log, at: Timestamp(milliseconds: time)) }
    }

    private func texts(after: Int64, log: String = "a") async throws -> [String]? {
        guard case .events(let events) = try await store.events(of: log, after: after, limit: 1000) else { return nil }
        return events.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test func eventsAreNumberedFromOneWithoutGapsInEachLog() async throws {
        for text in ["x", "y", "z"] { try await append(text) }
        try await append("other", to: "b")

        #expect(
            try await store.events(of: "a", after: 1, limit: 1000)
                == .events([
                    StoredEvent(seq: 2, at: .epoch, payload: Data("y".utf8)),
                    StoredEvent(seq: 3, at: .epoch, payload: Data("z".utf8)),
                ]))
        #expect(try await store.latestEvent(of: "b") == 1)
        #expect(try await texts(after: 3) == [])
    }

    @Test func aFailedWriteUsesNoNumber() async throws {
        struct Refused: Error {}
        try? await store.write { transaction in
            try transaction.append(Data(), to: "a", at: .epoch)
            throw Refused()
        }
        try await append("x")
        #expect(try await store.latestEvent(of: "a") == 1)
    }

    @Test(arguments: [4, 1000, -1] as [Int64]) func anInvalidCursorIsReset(_ cursor: Int64) async throws {
        for text in ["x", "y", "z"] { try await append(text) }
        #expect(try await store.events(of: "a", after: cursor, limit: 10) == .reset(seq: 3))
    }

    @Test func onlyTheLatestAreKeptAndOlderCursorsAreReset() async throws {
        let kept = LineLimits.eventsPerLog
        let total = kept + 128
        try await store.write { transaction in
            for _ in 0..<total { try transaction.append(Data(), to: "a", at: .epoch) }
        }
        let count = try await store.read { try $0.one("SELECT COUNT(*) FROM events", as: Int64.self) }
        // Removed 64 at a time.
        #expect((kept..<kept + 64).contains(count))
        #expect(try await store.events(of: "a", after: 0, limit: 10) == .reset(seq: total))
        guard case .events(let events) = try await store.events(of: "a", after: 112, limit: 1) else {
            Issue.record("the first that is kept is not given")
            return
        }
        #expect(events.map(\.seq) == [113])
    }

    @Test func pruningLeavesNoGapInALog() async throws {
        let month = LineLimits.eventAge.components.seconds * 1000
        // The clock was set back between the second and the third.
        for at in [10, month, 20, month + 10] as [Int64] { try await append("x", at: at) }

        try await store.prune(now: Timestamp(milliseconds: month + 100))

        #expect(try await store.events(of: "a", after: 2, limit: 10) == .reset(seq: 4))
        #expect(try await texts(after: 3) == ["x"])
        try await append("y", at: month + 20)
        #expect(try await store.latestEvent(of: "a") == 5)
    }

    // MARK: Feed

    private func feed(after: Int64, log: String = "a") async throws -> EventFeed {
        try await store.feed(of: log, after: after).feed
    }

    /// The feed begins anywhere in the middle of 3,000 appends by ten writers.
    @Test func replayAndLiveMeetWithoutGapOrDouble() async throws {
        let readers = (0..<5).map { number in
            Task {
                try await eventually { try await store.latestEvent(of: "a") > Int64(number * 300) }
                var seen: [Int64] = []
                let feed = try await feed(after: 0)
                defer { feed.end() }
                while seen.last != 3000, case .events(let events) = try await feed.page() { seen += events.map(\.seq) }
                return seen
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { for _ in 0..<300 { try await append("x") } }
            }
            try await group.waitForAll()
        }
        for reader in readers {
            let seen = try await within { try await reader.value }
            #expect(seen == Array(1...3000))
        }
    }

    @Test func aFeedSeesEventsAppendedBetweenTwoReads() async throws {
        let feed = try await feed(after: 0)
        try await append("x")
        let first = try await within { try await feed.page() }
        feed.end()
        #expect(first == .events([StoredEvent(seq: 1, at: .epoch, payload: Data("x".utf8))]))
    }

    @Test func aFeedContinuesAfterAReset() async throws {
        try await append("x")
        let feed = try await feed(after: 9)
        let pages = Task {
            var pages: [EventPage] = []
            pages.append(try await feed.page())
            try await append("y")
            pages.append(try await feed.page())
            feed.end()
            return pages
        }
        let seen = try await within { try await pages.value }
        #expect(seen == [.reset(seq: 1), .events([StoredEvent(seq: 2, at: .epoch, payload: Data("y".utf8))])])
    }

    /// A reader at the end of the log is called once when there are more events, which it can read then.
    @Test func aFeedCallsItsReaderOncePerSubscription() async throws {
        let feed = try await feed(after: 0)
        #expect(try await feed.next() == nil)
        let calls = Locked(0)
        feed.onEvents { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 0)
        for text in ["x", "y", "z"] { try await append(text) }
        #expect(calls.withLock { $0 } == 1)
        guard case .events(let events)? = try await feed.next() else {
            Issue.record("what is new is not given")
            return
        }
        #expect(events.map(\.seq) == [1, 2, 3])
        #expect(try await feed.next() == nil)
        try await append("a")
        feed.onEvents { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 2, "what has come before it was asked for")
        feed.end()
    }

    @Test func aReaderThatHasLeftMoreThanAPageReadsTheRestFromTheLog() async throws {
        let feed = try await feed(after: 0)
        #expect(try await feed.next() == nil)
        let count = Int64(EventFeed.pageSize) + 1
        for _ in 1...count { try await append("x") }
        var seen: [Int64] = []
        while case .events(let events)? = try await feed.next() { seen += events.map(\.seq) }
        #expect(seen == Array(1...count))
        feed.end()
    }

    /// Events of one transaction come in order, and none of a transaction that failed.
    @Test func aFeedGetsTheEventsOfCommitsOnly() async throws {
        let feed = try await feed(after: 0)
        struct Refused: Error {}
        for fails in [false, true, false] {
            try? await store.write { transaction in
                for text in ["x", "y"] { try transaction.append(Data(text.utf8), to: "a", at: .epoch) }
                if fails { throw Refused() }
            }
        }
        guard case .events(let events)? = try await feed.next() else {
            Issue.record("no page")
            return
        }
        #expect(events.map(\.seq) == [1, 2, 3, 4])
        #expect(events.map { String(decoding: $0.payload, as: UTF8.self) } == ["x", "y", "x", "y"])
        #expect(try await feed.next() == nil)
        feed.end()
    }

    @Test func anEndedFeedIsUnsubscribed() async throws {
        let feed = try await feed(after: 0)
        #expect(store.publisher.count == 1)
        feed.end()
        #expect(store.publisher.count == 0)
    }
}

extension Timestamp {
    fileprivate static let epoch = Timestamp(milliseconds: 0)
}

extension EventFeed {
    /// The next page, now or once there is one.
    fileprivate func page() async throws -> EventPage {
        while true {
            if let page = try await next() { return page }
            await withCheckedContinuation { continuation in onEvents { continuation.resume() } }
        }
    }
}

@Suite struct IdempotencyTests {
    let folder: TemporaryFolder
    let store: Database

    init() throws {
        folder = try TemporaryFolder()
        store = try Database(path: folder.file("test.db"), migrations: [])
    }

    /// Runs the command as often as given, and returns the reply.
    private func command(_ id: String, sender: String = "me", content: String = "x", at time: Int64 = 0) async throws -> String {
        try await store.write { transaction in
            let at = Timestamp(milliseconds: time)
            let reply = try transaction.once(id, from: sender, content: Data(content.utf8), at: at) {
                let seq = try transaction.append(Data(), to: "done", at: at)
                return Data("reply \(seq)".utf8)
            }
            return String(decoding: reply, as: UTF8.self)
        }
    }

    @Test func aRepeatedIDReturnsTheFirstReply() async throws {
        #expect(try await command("1") == "reply 1")
        #expect(try await command("1") == "reply 1")
        #expect(try await command("2") == "reply 2")
        #expect(try await store.latestEvent(of: "done") == 2)
    }

    @Test func aRepeatedIDReturnsTheValueOfTheFirstReply() async throws {
        for _ in 0..<2 {
            let reply = try await store.write { transaction in
                try transaction.once("1", from: "me", content: Data(), at: .epoch) {
                    ["seq": try transaction.append(Data(), to: "done", at: .epoch)]
                }
            }
            #expect(reply == ["seq": 1])
        }
    }

    @Test func keysOfDifferentSendersAreIndependent() async throws {
        #expect(try await command("1", sender: "me") == "reply 1")
        #expect(try await command("1", sender: "you") == "reply 2")
    }

    @Test func aKeyUsedForAnotherCommandIsAConflict() async throws {
        _ = try await command("1", content: "x")
        await #expect(throws: CommandConflict.self) { try await command("1", content: "y") }
    }

    @Test func aFailedCommandMayBeTriedAgain() async throws {
        struct Refused: Error {}
        await #expect(throws: Refused.self) {
            try await store.write { transaction in
                _ = try transaction.once("1", from: "me", content: Data(), at: .epoch) { throw Refused() }
            }
        }
        #expect(try await command("1") == "reply 1")
    }

    /// The store holds a digest of a command's content. Content that an earlier version stored in full is recognized.
    @Test func onlyADigestOfACommandIsStored() async throws {
        let long = String(repeating: "x", count: 100_000)
        #expect(try await command("1", content: long) == "reply 1")
        #expect(try await command("1", content: long) == "reply 1")
        await #expect(throws: CommandConflict.self) { try await command("1", content: long + "x") }
        let kept = try await store.read { try $0.one("SELECT LENGTH(content) FROM commands", as: Int.self) }
        #expect(kept == 32)
        try await store.write { transaction in
            _ = try transaction.execute("UPDATE commands SET content = ?", Data(long.utf8))
        }
        #expect(try await command("1", content: long) == "reply 1")
    }

    @Test func idsAreForgottenAfterTheirTimeOnly() async throws {
        let age = LineLimits.commandAge.components.seconds * 1000
        #expect(age >= 86_400_000)
        _ = try await command("1", at: 1000)

        try await store.prune(now: Timestamp(milliseconds: age + 1000))
        #expect(try await command("1", at: 1000) == "reply 1")
        try await store.prune(now: Timestamp(milliseconds: age + 1001))
        #expect(try await command("1") == "reply 2")
    }

    @Test func hundredTriesAtOnceDoItOnce() async throws {
        let replies = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await command("1") } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(replies == ["reply 1"])
        #expect(try await store.latestEvent(of: "done") == 1)
    }
}

@Suite struct LineTablesTests {
    /// Systems before PushKit had an outbox among the line's tables.
    @Test func outboxOfEarlierVersionsIsRemoved() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.db")
        let earlier = try Database(phonePath: path, migrations: Array(LineTables.migrations.prefix(1)))
        try await earlier.write { transaction in
            try transaction.append(Data("kept".utf8), to: "a", at: .epoch)
            _ = try transaction.execute(
                "INSERT INTO outbox (recipient, urgency, state, payload, at, state_at) VALUES ('ada', 0, 'waiting', '', 0, 0)")
        }
        earlier.close()

        let store = try Database(path: path, migrations: [])
        let tables = try await store.read { transaction in
            try transaction.all("SELECT name FROM sqlite_master WHERE type = 'table'", as: String.self)
        }
        #expect(!tables.contains("outbox") && tables.contains("commands"))
        #expect(try await store.latestEvent(of: "a") == 1)
    }
}
