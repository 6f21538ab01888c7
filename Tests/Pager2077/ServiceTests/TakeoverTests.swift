import Foundation
import StorageKit
import TestKit
import Testing

@testable import Pager2077Service

/// Databases that earlier versions have written: Tests/Pager2077/Databases.
@Suite struct TakeoverTests {
    /// Logs did not note which events were removed.
    @Test func eventsAndCursorsStay() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.copy(ofDatabase: "before-one-log.db", as: "pager.db")
        // As retention has left one of the two logs.
        let earlier = try Database(existing: path)
        let (logs, payloads) = try await earlier.write { transaction in
            let logs = try transaction.all("SELECT log FROM logs ORDER BY log", as: String.self)
            try transaction.execute("DELETE FROM events WHERE log = ? AND seq <= 5", logs[1])
            let payloads = try logs.map {
                try transaction.all("SELECT payload FROM events WHERE log = ? ORDER BY seq", $0, as: Data.self)
            }
            return (logs, payloads)
        }
        earlier.close()
        #expect(payloads.map(\.count) == [21, 16])

        let store = try Database(path: path, migrations: PagerMigrations.all)
        defer { store.close() }
        for (name, payloads) in zip(logs, payloads) {
            let log = Log(name)
            let range = try await store.read { try $0.range(of: log) }
            #expect(range.last == 21 && range.removed == Int64(21 - payloads.count))
            #expect(try await store.read { try $0.events(of: log, after: 0, count: 100).map(\.payload) } == payloads)
            let (feed, latest) = try await store.feed(of: log, after: 19)
            #expect(latest == 21)
            let seqs = try await feed.next()?.compactMap { if case .event(let event) = $0 { event.seq } else { nil } }
            #expect(seqs == [20, 21])
            feed.end()
        }
        let (old, _) = try await store.feed(of: Log(logs[1]), after: 4)
        #expect(try await old.next() == [.reset(log: logs[1], after: 4, seq: 21)])
        old.end()
    }
}
