import Foundation
import TestKit
import Testing
import WireKit

@testable import StorageKit

@Suite struct EventLogTests {
    let folder: TemporaryFolder
    let store: Database
    private let a = Log("a")

    init() throws {
        folder = try TemporaryFolder()
        store = try TestDatabase.open(folder.file("test.db"), migrations: [])
    }

    private func append(_ text: String, to log: String = "a", at time: Int64 = 0) async throws {
        try await store.write { _ = try $0.append(Data(text.utf8), to: Log(log), at: Timestamp(milliseconds: time)) }
    }

    private func texts(after: Int64, log: String = "a") async throws -> [String] {
        try await store.read { try $0.events(of: Log(log), after: after, count: 1000) }.map {
            String(decoding: $0.payload, as: UTF8.self)
        }
    }

    private func range(_ log: String = "a") async throws -> [Int64] {
        let range = try await store.read { try $0.range(of: Log(log)) }
        return [range.removed, range.last]
    }

    @Test func eventsAreNumberedFromOneWithoutGapsInEachLog() async throws {
        for text in ["x", "y", "z"] { try await append(text) }
        try await append("other", to: "b")

        #expect(
            try await store.read { try $0.events(of: a, after: 1, count: 1000) } == [
                StoredEvent(log: "a", seq: 2, at: .epoch, payload: Data("y".utf8)),
                StoredEvent(log: "a", seq: 3, at: .epoch, payload: Data("z".utf8)),
            ])
        #expect(try await store.latestEvent(of: Log("b")) == 1)
        #expect(try await texts(after: 3) == [])
    }

    @Test func payloadsMayContainTheirNumber() async throws {
        let seqs = try await store.write { transaction in
            try (1...3).map { _ in try transaction.append(to: a, at: .epoch) { Data("n\($0)".utf8) } }
        }
        #expect(seqs == [1, 2, 3])
        #expect(try await texts(after: 0) == ["n1", "n2", "n3"])
    }

    @Test func pagesEndAtTheirSize() async throws {
        for text in ["1234", "5678", "9"] { try await append(text) }
        func page(after: Int64, size: Int) async throws -> [Int64] {
            try await store.read { try $0.events(of: a, after: after, count: 10, size: size) }.map(\.seq)
        }
        #expect(try await page(after: 0, size: 1) == [1])
        #expect(try await page(after: 0, size: 5) == [1, 2])
        #expect(try await page(after: 1, size: 100) == [2, 3])
        // The newest events of at most a size.
        let cursors = try await store.read { transaction in
            try [0, 1, 4, 5, 8, 9].map { try transaction.cursor(of: a, after: 0, upTo: 3, size: $0) }
        }
        #expect(cursors == [3, 2, 2, 1, 1, 0])
        #expect(try await store.read { try $0.cursor(of: a, after: 2, upTo: 3, size: 100) } == 2)
    }

    @Test func removedEventsMayStayReadableByNumber() async throws {
        for text in ["1", "2", "3", "4", "5"] { try await append(text) }
        try await store.write { try $0.removeEvents(of: a, upTo: 4, keeping: [2, 5]) }
        #expect(try await range() == [4, 5])
        #expect(try await texts(after: 0) == ["2", "5"])
        #expect(try await store.read { try $0.event(2, of: a)?.payload } == Data("2".utf8))
        #expect(try await store.read { try $0.event(1, of: a) } == nil)
        #expect(try await store.read { try $0.oldestSizes(of: a, count: 1).map(\.seq) } == [2])
        // A feed gets only what follows the removed ones.
        let feed = try await feed(after: 3)
        #expect(try await feed.next() == [.reset(log: "a", after: 3, seq: 5)])
        feed.end()
        try await store.write { try $0.remove(a) }
        #expect(try await range() == [0, 0])
    }

    @Test func aLogMayBeginLater() async throws {
        try await store.write { try $0.begin(a, after: 7) }
        try await append("x")
        #expect(try await range() == [7, 8])
        let feed = try await feed(after: 3)
        #expect(try await feed.next() == [.reset(log: "a", after: 3, seq: 8)])
        feed.end()
    }

    @Test func aFailedWriteUsesNoNumber() async throws {
        struct Refused: Error {}
        try? await store.write { transaction in
            try transaction.append(Data(), to: Log("a"), at: .epoch)
            throw Refused()
        }
        try await append("x")
        #expect(try await store.latestEvent(of: Log("a")) == 1)
    }

    @Test(arguments: [4, 1000, -1] as [Int64]) func anInvalidCursorIsReset(_ cursor: Int64) async throws {
        for text in ["x", "y", "z"] { try await append(text) }
        let feed = try await feed(after: cursor)
        #expect(try await feed.next() == [.reset(log: "a", after: cursor, seq: 3)])
        feed.end()
    }

    @Test func onlyTheLatestAreKeptAndOlderCursorsAreReset() async throws {
        let kept = LineLimits.eventsPerLog
        let total = kept + 128
        try await store.write { transaction in
            for _ in 0..<total { try transaction.append(Data(), to: Log("a"), at: .epoch) }
        }
        let count = try await store.read { try $0.one("SELECT COUNT(*) FROM events", as: Int64.self) }
        // Removed 64 at a time.
        #expect((kept..<kept + 64).contains(count))
        #expect(try await range() == [112, total])
        #expect(try await store.read { try $0.events(of: a, after: 112, count: 1) }.map(\.seq) == [113])
    }

    @Test func pruningLeavesNoGapInALog() async throws {
        let month = LineLimits.eventAge.components.seconds * 1000
        // The clock was set back between the second and the third.
        for at in [10, month, 20, month + 10] as [Int64] { try await append("x", at: at) }

        try await store.prune(now: Timestamp(milliseconds: month + 100))

        #expect(try await range() == [3, 4])
        #expect(try await texts(after: 0) == ["x"])
        try await append("y", at: month + 20)
        #expect(try await store.latestEvent(of: Log("a")) == 5)
    }

    // MARK: Feed

    private func feed(after: Int64, log: String = "a") async throws -> EventFeed {
        try await store.feed(of: Log(log), after: after).feed
    }

    /// The feed begins anywhere in the middle of 3,000 appends by ten writers.
    @Test func replayAndLiveMeetWithoutGapOrDouble() async throws {
        let readers = (0..<5).map { number in
            Task {
                try await eventually { try await store.latestEvent(of: a) > Int64(number * 300) }
                let feed = try await feed(after: 0)
                defer { feed.end() }
                return try await feed.numbers(upTo: 3000)
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

    /// A feed of a group follows logs that it knows from their cursors, and new ones from their first event.
    @Test func aGroupIsFollowedLikeEachOfItsLogs() async throws {
        let logs = (0..<4).map { Log("log \($0)", group: "all") }
        func append(_ count: Int, to log: Log) async throws {
            for number in 1...count { try await store.write { _ = try $0.append(Data("\(number)".utf8), to: log, at: .epoch) } }
        }
        for log in logs.prefix(2) { try await append(150, to: log) }
        let feed = store.feed(ofGroup: "all", maximumLag: nil) {}
        // Between the subscription and the begin.
        try await append(1, to: logs[0])
        feed.begin([.init(log: logs[0], after: 20, latest: 151), .init(log: logs[1], after: 150, latest: 150)])
        async let writes: Void = withThrowingTaskGroup(of: Void.self) { group in
            for log in logs { group.addTask { try await append(200, to: log) } }
            try await group.waitForAll()
        }
        var seen: [String: [Int64]] = [:]
        while seen.values.reduce(0, { $0 + $1.count }) < 131 + 800 {
            for case .event(let event) in try await feed.page() { seen[event.log, default: []].append(event.seq) }
        }
        try await writes
        #expect(seen["log 0"] == Array(21...351))
        #expect(seen["log 1"] == Array(151...350))
        for log in logs.suffix(2) { #expect(seen[log.name] == Array(1...200)) }
        #expect(try await feed.next() == nil)
        feed.end()
    }

    @Test func aFeedSeesEventsAppendedBetweenTwoReads() async throws {
        let feed = try await feed(after: 0)
        try await append("x")
        let first = try await within { try await feed.page() }
        feed.end()
        #expect(first == [.event(StoredEvent(log: "a", seq: 1, at: .epoch, payload: Data("x".utf8))), .live])
    }

    /// An event is on disk before it is published, so its replay may be over in between.
    @Test func anEventThatIsPublishedAfterItsReplayComesOnce() async throws {
        for text in ["x", "y"] { try await append(text) }
        let feed = try await feed(after: 0)
        #expect(try await feed.numbers(upTo: 2) == [1, 2])
        #expect(try await feed.next() == [.live])
        feed.publish(.event(StoredEvent(log: "a", seq: 2, at: .epoch, payload: Data())))
        #expect(try await feed.next() == nil)
        try await append("z")
        #expect(try await feed.next()?.seqs == [3])
        feed.end()
    }

    @Test func aFeedContinuesAfterAReset() async throws {
        try await append("x")
        let feed = try await feed(after: 9)
        #expect(try await feed.page() == [.reset(log: "a", after: 9, seq: 1)])
        try await append("y")
        #expect(try await feed.numbers(upTo: 2) == [2])
        feed.end()
    }

    /// A reader at the end of the log is called once when there are more events, which it can read then.
    @Test func aFeedCallsItsReaderOncePerSubscription() async throws {
        let feed = try await feed(after: 0)
        #expect(try await feed.next() == [.live])
        #expect(try await feed.next() == nil)
        let calls = Locked(0)
        feed.onItems { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 0)
        for text in ["x", "y", "z"] { try await append(text) }
        #expect(calls.withLock { $0 } == 1)
        #expect(try await feed.next()?.seqs == [1, 2, 3])
        #expect(try await feed.next() == nil)
        try await append("a")
        feed.onItems { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 2, "what has come before it was asked for")
        feed.end()
    }

    /// A reader that leaves more than is held reads the rest from the log, and misses what is not stored.
    @Test func aReaderThatFallsBehindReadsTheLog() async throws {
        let feed = try await feed(after: 0)
        #expect(try await feed.next() == [.live])
        store.publish(transient: Data("t".utf8), to: a)
        let count = Int64(EventFeed.maximumHeldCount) + 1
        for _ in 1...count { try await append("x") }
        store.publish(transient: Data("lost".utf8), to: a)
        var seen: [Int64] = []
        var others: [FeedItem] = []
        while let items = try await feed.next() {
            seen += items.seqs
            others += items.filter { if case .event = $0 { false } else { true } }
        }
        #expect(seen == Array(1...count))
        #expect(others == [.live])
        feed.end()
    }

    @Test func largeEventsAreNotHeld() async throws {
        let feed = try await feed(after: 0)
        #expect(try await feed.next() == [.live])
        let large = String(repeating: "x", count: EventFeed.maximumHeldSize + 1)
        for text in [large, "y", large] { try await append(text) }
        var seen: [Int64] = []
        while let items = try await feed.next() { seen += items.seqs }
        #expect(seen == [1, 2, 3])
        feed.end()
    }

    @Test func transientPayloadsComeInOrderToALiveReader() async throws {
        let feed = try await feed(after: 0)
        store.publish(transient: Data("before".utf8), to: a)
        #expect(try await feed.next() == [.live])
        try await append("x")
        store.publish(transient: Data("t".utf8), to: a)
        try await append("y")
        let items = try #require(try await feed.next())
        #expect(items.seqs == [1, 2])
        #expect(items.count == 3 && items[1] == .transient(Data("t".utf8)))
        feed.end()
    }

    @Test func aReaderThatLagsTooFarIsReportedOnce() async throws {
        let log = Log("a", group: "all")
        let reports = Locked(0)
        let feed = store.feed(ofGroup: "all", maximumLag: 10) { reports.withLock { $0 += 1 } }
        feed.begin([])
        func append() async throws { try await store.write { _ = try $0.append(Data("1234".utf8), to: log, at: .epoch) } }
        for _ in 1...2 { try await append() }
        #expect(try await feed.numbers(upTo: 2) == [1, 2])
        for _ in 1...2 { try await append() }
        #expect(reports.withLock { $0 } == 0)
        for _ in 1...2 { try await append() }
        #expect(reports.withLock { $0 } == 1)
        feed.end()
    }

    /// Events of one transaction come in order, and none of a transaction that failed.
    @Test func aFeedGetsTheEventsOfCommitsOnly() async throws {
        let feed = try await feed(after: 0)
        struct Refused: Error {}
        for fails in [false, true, false] {
            try? await store.write { transaction in
                for text in ["x", "y"] { try transaction.append(Data(text.utf8), to: Log("a"), at: .epoch) }
                if fails { throw Refused() }
            }
        }
        let events = try #require(try await feed.next()).compactMap { if case .event(let event) = $0 { event } else { nil } }
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
    /// The next items, now or once there are some.
    fileprivate func page() async throws -> [FeedItem] {
        while true {
            if let items = try await next() { return items }
            await withCheckedContinuation { continuation in onItems { continuation.resume() } }
        }
    }

    /// The sequence numbers up to `last`.
    fileprivate func numbers(upTo last: Int64) async throws -> [Int64] {
        var seen: [Int64] = []
        while seen.last != last { seen += try await page().seqs }
        return seen
    }
}

extension [FeedItem] {
    /// The sequence numbers of the events.
    fileprivate var seqs: [Int64] { compactMap { if case .event(let event) = $0 { event.seq } else { nil } } }
}

@Suite struct IdempotencyTests {
    let folder: TemporaryFolder
    let store: Database

    init() throws {
        folder = try TemporaryFolder()
        store = try TestDatabase.open(folder.file("test.db"), migrations: [])
    }

    /// Runs the command as often as given, and returns the reply.
    private func command(_ id: String, sender: String = "me", content: String = "x", at time: Int64 = 0) async throws -> String {
        try await store.write { transaction in
            let at = Timestamp(milliseconds: time)
            let reply = try transaction.once(id, from: sender, content: Data(content.utf8), at: at) {
                let seq = try transaction.append(Data(), to: Log("done"), at: at)
                return Data("reply \(seq)".utf8)
            }
            return String(decoding: reply, as: UTF8.self)
        }
    }

    @Test func aRepeatedIDReturnsTheFirstReply() async throws {
        #expect(try await command("1") == "reply 1")
        #expect(try await command("1") == "reply 1")
        #expect(try await command("2") == "reply 2")
        #expect(try await store.latestEvent(of: Log("done")) == 2)
    }

    @Test func aRepeatedIDReturnsTheValueOfTheFirstReply() async throws {
        for _ in 0..<2 {
            let reply = try await store.write { transaction in
                try transaction.once("1", from: "me", content: Data(), at: .epoch) {
                    ["seq": try transaction.append(Data(), to: Log("done"), at: .epoch)]
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
        #expect(try await store.latestEvent(of: Log("done")) == 1)
    }
}

@Suite struct LineTablesTests {
    /// Systems before PushKit had an outbox among the line's tables.
    @Test func outboxOfEarlierVersionsIsRemoved() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.db")
        let earlier = try Database(phonePath: path, migrations: Array(LineTables.migrations.prefix(1)))
        try await earlier.write { transaction in
            try transaction.append(Data("kept".utf8), to: Log("a"), at: .epoch)
            _ = try transaction.execute(
                "INSERT INTO outbox (recipient, urgency, state, payload, at, state_at) VALUES ('ada', 0, 'waiting', '', 0, 0)")
        }
        earlier.close()

        let store = try Database(path: path, migrations: [])
        let tables = try await store.read { transaction in
            try transaction.all("SELECT name FROM sqlite_master WHERE type = 'table'", as: String.self)
        }
        #expect(!tables.contains("outbox") && tables.contains("commands"))
        #expect(try await store.latestEvent(of: Log("a")) == 1)
    }
}
