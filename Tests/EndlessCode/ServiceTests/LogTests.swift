import EndlessCodeWire
import Foundation
import StorageKit
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// The event log: numbers, large messages, history and retention.
@Suite struct LogTests {
    let test: TestServer

    init() async throws { test = try await TestServer() }

    private func chat(_ text: String) -> Message {
        Message(.chat(Chat(id: "c", role: .assistant, content: text, timestamp: test.now)))
    }

    private func append(_ message: Message, to id: Session.ID) async throws {
        let time = test.now
        try await test.store.write { _ = try $0.append(message, to: id, at: time) }
    }

    @Test func numbersHaveNoGapsWhenManyWriteAtOnce() async throws {
        let (id, _) = try await test.session()
        let message = chat("x")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...200 { group.addTask { try await append(message, to: id) } }
            try await group.waitForAll()
        }
        #expect(try await test.log(id).compactMap(\.position?.seq) == Array(1...201))
        let session = try await test.sessions.session(id)
        #expect(session.lastSeq == 201 && session.messageCount == 200)
    }

    @Test func aLargeMessageIsCutInItsFrameAndKeptWhole() async throws {
        let (id, _) = try await test.session()
        let text = String(repeating: "é", count: 600_000)
        let long = JSONValue.object(["content": .string(text), "path": .string("a")])
        for message in [
            chat(text), Message(.unknown(rawJSON: text)),
            Message(.toolResult(ToolResult(id: "r", toolUseId: "u", output: text, isError: false, timestamp: test.now))),
            Message(.toolUse(ToolUse(id: "r", toolName: "Write", toolInput: long, toolUseId: "u", timestamp: test.now))),
            Message(
                .toolUse(
                    ToolUse(
                        id: "r", toolName: "Write", toolInput: .array((1...200_000).map { .integer($0) }), toolUseId: "u",
                        timestamp: test.now))),
        ] {
            try await append(message, to: id)
            let seq = try await test.sessions.session(id).lastSeq
            let page = try await test.sessions.history(of: id, limit: 1, offset: 0, before: nil)
            let cut = try #require(page.messages.last)
            #expect(cut.seq == seq && cut.message.isLarge)
            #expect(try WireJSON.encode(cut).count < 140_000)
            #expect(try await test.sessions.message(seq, of: id).message == message)
        }
        try await append(chat("short"), to: id)
        #expect(try await test.sessions.history(of: id, limit: 1, offset: 0, before: nil).messages.first?.message.isLarge == false)
    }

    @Test func theHistoryIsReadInPages() async throws {
        let (id, _) = try await test.session()
        for number in 1...10 { try await append(chat("\(number)"), to: id) }
        func page(_ query: String) async throws -> (texts: [String], page: HistoryPage) {
            let page = try await test.call(EndlessCodeEndpoints.history, ["id": id.rawValue], query: query).value(HistoryPage.self)
            let texts = page.messages.map { message -> String in
                if case .chat(let chat) = message.message.content { chat.content } else { "" }
            }
            return (texts, page)
        }
        let newest = try await page("?limit=3")
        #expect(newest.texts == ["8", "9", "10"] && newest.page.totalCount == 10 && newest.page.hasMore)
        #expect(try await page("?limit=3&offset=3").texts == ["5", "6", "7"])
        let before = try #require(newest.page.messages.first?.seq)
        #expect(try await page("?limit=3&before=\(before)").texts == ["5", "6", "7"])
        let last = try await page("?limit=1000&offset=7")
        #expect(last.texts == ["1", "2", "3"] && !last.page.hasMore)
        #expect(try await page("").texts.count == 10)
        #expect(try await page("?offset=50").texts == [])
        for query in ["?limit=0", "?limit=1001", "?limit=x", "?offset=-1", "?before=0"] {
            #expect(try await test.call(EndlessCodeEndpoints.history, ["id": id.rawValue], query: query).status == 400)
        }
    }

    @Test func oldSessionsAndThenTerminatedOnesAreRemoved() async throws {
        var ids: [Session.ID] = []
        for _ in 1...3 {
            let (id, _) = try await test.session()
            try await append(chat(String(repeating: "x", count: 1000)), to: id)
            ids.append(id)
            test.advance(.seconds(86_400))
        }
        try await test.sessions.terminate(ids[0])
        // Its end is an activity.
        test.advance(.seconds(1))
        try await test.sessions.terminate(ids[1])
        // Size: the older terminated one goes.
        try await test.sessions.prune(Retention(size: 3500))
        #expect(try await refusal { _ = try await test.sessions.session(ids[0]) } == .sessionNotFound)
        #expect(try await test.sessions.session(ids[1]).state == .terminated)
        // Never one that is not terminated.
        try await test.sessions.prune(Retention(size: 1))
        #expect(try await refusal { _ = try await test.sessions.session(ids[1]) } == .sessionNotFound)
        #expect(try await test.sessions.session(ids[2]).state == .active)
        _ = try await test.sessions.pause(ids[2])
        test.advance(.seconds(89 * 86_400))
        try await test.sessions.prune(Retention())
        #expect(try await test.sessions.session(ids[2]).state == .paused)
        test.advance(.seconds(2 * 86_400))
        try await test.sessions.prune(Retention())
        #expect(try await refusal { _ = try await test.sessions.session(ids[2]) } == .sessionNotFound)
    }

    /// A session that works without end, and one that nobody terminates.
    @Test func logOfALiveSessionIsBounded() async throws {
        let ((busy, _), (idle, _)) = (try await test.session(), try await test.session())
        for id in [idle, busy] {
            for number in 1...50 { try await append(chat("\(number) " + String(repeating: "x", count: 1000)), to: id) }
            test.advance(.seconds(1))
        }
        func size(_ id: Session.ID) async throws -> Int {
            try await test.store.read {
                try $0.one("SELECT COALESCE(SUM(LENGTH(payload)), 0) FROM events WHERE log = ?", id.log.name, as: Int.self)
            }
        }
        // Each for itself.
        try await test.sessions.prune(Retention(sessionSize: 40_000, keptSize: 10_000))
        for id in [busy, idle] {
            let rest = try await size(id)
            #expect(rest > 30_000 && rest <= 40_000)
            #expect(try await test.log(id).last?.position?.seq == 51)
            let noted = try await test.store.read { try $0.one("SELECT size FROM sessions WHERE id = ?", id, as: Int.self) }
            #expect(try await size(id) == noted)
            #expect(try await test.sessions.session(id).state == .active)
        }
        // All together: first the one that was not active for longer, which keeps its newest events.
        try await test.sessions.prune(Retention(size: 60_000, keptSize: 10_000))
        let sizes = (idle: try await size(idle), busy: try await size(busy))
        #expect(sizes.idle < 30_000 && sizes.busy > 30_000)
        try await test.sessions.prune(Retention(size: 1, keptSize: 10_000))
        for id in [busy, idle] {
            let rest = try await size(id)
            #expect(rest > 5_000 && rest <= 10_000)
        }
        // The history begins later, and a phone is told.
        let first = try #require(try await test.log(busy).first?.position?.seq)
        let page = try await test.sessions.history(of: busy, limit: 100, offset: 0, before: nil)
        #expect(page.messages.first?.seq == first && !page.hasMore)
        try await test.run { server async throws in
            try await test.phone(server, query: "?after=\(busy):1") { phone async throws in
                _ = try await phone.sync()
                #expect(try await phone.next() == .gap(Gap(sessionId: busy, from: 2, to: first - 1)))
                guard case .output(let output) = try await phone.next() else { throw Unexpected() }
                #expect(output.seq == first)
            }
        }
        try await append(chat("after"), to: busy)
        #expect(try await test.log(busy).last?.position?.seq == 52)
    }
}
