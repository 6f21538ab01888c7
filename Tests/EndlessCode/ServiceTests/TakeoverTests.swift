import EndlessCodeWire
import Foundation
import StorageKit
import TestKit
import Testing

@testable import EndlessCodeService

/// Databases that earlier versions have written: Tests/EndlessCode/Databases.
@Suite struct TakeoverTests {
    /// Events had a table of their own, and sessions the numbers of their logs.
    @Test func sessionsKeepTheirEventsNumbersAndCursors() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.copy(ofDatabase: "before-one-log.db", as: "endlesscode.db")
        let before = try await earlier(path)
        #expect(before.events.count == 2 && before.events.values.allSatisfy { $0.count > 5 })

        let test = try await TestServer(folder: folder)
        for (id, events) in before.events {
            let range = try #require(try await test.store.read { try $0.logRange(of: id) })
            #expect(range.last == Int64(events.count) && range.removed == before.removed[id])
            #expect(
                try await test.store.read { try $0.events(of: id.log, after: 0, count: .max) }.map {
                    String(decoding: $0.payload, as: UTF8.self)
                } == Array(events.dropFirst(Int(range.removed))))
            let history = try await test.sessions.history(of: id, limit: 1000, offset: 0, before: nil)
            #expect(history.messages.map(\.seq) == before.messages[id])
            let session = try await test.record(id).session
            #expect(session.lastSeq == range.last && session.messageCount == before.counts[id])
        }
        // The whole text of a message that was cut.
        let whole = try await test.sessions.message(try #require(before.messages[before.cut]?.last), of: before.cut)
        guard case .chat(let chat) = whole.message.content else { throw Unexpected() }
        #expect(chat.content == "the whole text")

        // A cursor of a phone stays valid, and numbers go on.
        let (id, events) = try #require(before.events.first { $0.key != before.cut })
        try await test.run { server async throws in
            try await test.phone(server, query: "?after=\(id):\(events.count - 3)") { phone async throws in
                _ = try await phone.sync()
                for text in events.suffix(3) { #expect(try await phone.probe.receive().text == text) }
                _ = try await test.sessions.resume(id)
                #expect(try await phone.next().position?.seq == Int64(events.count) + 1)
            }
        }
    }

    private struct Earlier {
        /// Frames from the first one on, removed ones included.
        var events: [Session.ID: [String]] = [:]
        var messages: [Session.ID: [Int64]] = [:]
        var removed: [Session.ID: Int64] = [:]
        var counts: [Session.ID: Int] = [:]
        /// The session with a message that was cut.
        var cut: Session.ID = ""
    }

    /// Reads the file as it is, after its oldest events were removed and a message was cut, as happens to large logs.
    private func earlier(_ path: String) async throws -> Earlier {
        let store = try Database(existing: path)
        defer { store.close() }
        return try await store.write { transaction in
            var earlier = Earlier()
            for id in try transaction.all("SELECT id FROM sessions WHERE state = 'paused' ORDER BY id", as: Session.ID.self) {
                earlier.cut = id
                try transaction.execute("UPDATE sessions SET removed_seq = 3 WHERE id = ?", id)
                earlier.removed[id] = 3
            }
            let whole = """
                {"chat":{"content":"the whole text","id":"c","role":"assistant","timestamp":"2026-11-28T00:00:00.000Z"},\
                "messageType":"chat"}
                """
            try transaction.execute(
                """
                UPDATE session_events SET whole = ?2 WHERE session = ?1
                    AND seq = (SELECT MAX(seq) FROM session_events WHERE session = ?1 AND is_message = 1)
                """, earlier.cut, whole)
            for id in try transaction.all("SELECT id FROM sessions", as: Session.ID.self) {
                earlier.events[id] = try transaction.all(
                    "SELECT frame FROM session_events WHERE session = ? ORDER BY seq", id, as: String.self)
                try transaction.execute(
                    "DELETE FROM session_events WHERE session = ? AND seq <= ?", id, earlier.removed[id, default: 0])
                earlier.removed[id, default: 0] += 0
                earlier.messages[id] = try transaction.all(
                    "SELECT seq FROM session_events WHERE session = ? AND is_message = 1 ORDER BY seq", id, as: Int64.self)
                earlier.counts[id] = try transaction.one("SELECT message_count FROM sessions WHERE id = ?", id)
            }
            return earlier
        }
    }
}
