import Foundation
import HTTPTypes
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The bounds of talks that are kept. The oldest goes first, and the profile keeps what it learned.
@Suite struct RetentionTests {
    /// A completed talk with a mark, from the profile of a judge.
    private static func learner(_ backend: TestBackend) {
        backend.judge.change {
            $0.marks = { turns in
                turns.map {
                    MarkDraft(turnIndex: $0.index, issueTypes: ["grammar"], original: $0.learner, suggestion: "x", explanation: "e")
                }
            }
            $0.profile = { _, _ in ProfileChanges(level: .b1, learnedExpressions: ["no way"]) }
        }
    }

    private func rowCounts(_ backend: TestBackend) async throws -> [Int] {
        try await backend.store.read { transaction in
            try ["sessions", "segments", "marks", "corrections", "turns", "turn_audio", "jobs"].map {
                try transaction.one("SELECT COUNT(*) FROM \($0)", as: Int.self)
            }
        }
    }

    private func prune(_ backend: TestBackend, _ limits: TalkLimits) async throws -> Bool {
        let (open, time) = (await backend.backend.live.ids, backend.now)
        return try await backend.store.write { try $0.pruneTalks(limits, keeping: open, at: time) }
    }

    @Test func oldTalkIsRemovedAndTheProfileKeepsWhatItLearned() async throws {
        let backend = try await TestBackend {
            ($0.talkAge, $0.idleTime) = (.seconds(10 * 86_400), .seconds(20 * 86_400))
        }
        Self.learner(backend)
        let (old, before) = try await backend.working {
            let id = try await backend.completed(["I goed home"])
            _ = try await backend.ask("why?", about: try await backend.review(id).segments[0].id, in: id)
            return (id, try await backend.profile())
        }
        #expect(before.keptTalks == KeptTalks(maximumCount: 500, days: 10, removedCount: 0))
        let practice = try await backend.opened(topic: nil, mode: .review)
        backend.advance(.seconds(10 * 86_400 + 1))
        #expect(try await prune(backend, TalkLimits(age: .seconds(10 * 86_400))))
        #expect(try await rowCounts(backend) == [1, 0, 0, 0, 0, 0, 0])
        #expect(try await !prune(backend, TalkLimits(age: .seconds(10 * 86_400))))
        expect(try await backend.parts.call(TalkCoEndpoints.review, old.parameters), 404, "Session not found")
        // The open conversation stays, however old it is.
        expect(try await backend.say("still here", in: practice), 200)
        var after = try await backend.profile()
        #expect(after.keptTalks?.removedCount == 1)
        #expect(after.talkRates == [])
        (after.keptTalks, after.talkRates) = (before.keptTalks, before.talkRates)
        #expect(after == before)
        #expect(after.profileData.sessionCount == 1 && after.level == .b1 && after.errorRates?["grammar"] == 33.33)
    }

    @Test func oldestTalkOfAUserMakesRoom() async throws {
        let backend = try await TestBackend { $0.talksPerUser = 3 }
        let others = try await backend.create(user: "bob")
        var ids: [Session.ID] = []
        for _ in 0..<5 {
            backend.advance(.seconds(1))
            let id = try await backend.opened()
            _ = try await backend.say("hello", in: id, turn: "t")
            expect(try await backend.close(id), 200)
            ids.append(id)
        }
        for id in ids.prefix(2) { expect(try await backend.say("x", in: id), 404) }
        for id in ids.suffix(3) + [others] {
            #expect(try await backend.parts.call(TalkCoEndpoints.review, id.parameters).status == 200)
        }
        #expect(try await backend.profile().keptTalks?.removedCount == 2)
        #expect(try await backend.profile("bob").keptTalks?.removedCount == 0)
    }

    @Test func networkThatHoldsTheMostMakesRoom() async throws {
        let backend = try await TestBackend { $0.talksSize = 60_000 }
        let (_, first) = try await backend.create(user: "ada", from: "203.0.113.1")
        let mine = try #require(first)
        expect(try await backend.start(mine), 200)
        expect(try await backend.say("my only talk", in: mine), 200)
        expect(try await backend.close(mine), 200)
        var others: [Session.ID] = []
        for number in 0..<12 {
            backend.advance(.seconds(1))
            let (status, id) = try await backend.create(user: "\(number)", from: "203.0.113.2")
            #expect(status == 200)
            let session = try #require(id)
            expect(try await backend.start(session), 200)
            expect(try await backend.say(String(repeating: "x", count: 4_000), in: session), 200)
            expect(try await backend.close(session), 200)
            others.append(session)
        }
        #expect(try await backend.review(mine).segments.map(\.userText) == ["my only talk"])
        expect(try await backend.parts.call(TalkCoEndpoints.review, others[0].parameters), 404)
        #expect(try await backend.review(others[11]).segments.count == 1)
        let total = try await backend.store.read { transaction in
            (
                try transaction.one("SELECT size FROM talks_total", as: Int.self),
                try transaction.one("SELECT SUM(size) FROM sessions", as: Int.self)
            )
        }
        #expect(total.0 == total.1 && total.0 < 70_000)
    }

    @Test func talkHasAMaximumSize() async throws {
        let backend = try await TestBackend()
        let id = try await backend.opened()
        _ = try await backend.say("hello", in: id, turn: "t")
        _ = try await backend.store.write { transaction in
            try transaction.execute("UPDATE sessions SET size = ? WHERE id = ?", SessionRecord.maximumSize, id)
        }
        expect(try await backend.say("more", in: id), 409, "This conversation is full")
        // What was answered is still replayed, and the talk can be ended.
        #expect(try await backend.say("hello", in: id, turn: "t").events.contains(.response("Answer to hello")))
        expect(try await backend.close(id), 200)
        let segment = try await backend.review(id).segments[0].id
        expect(try await backend.ask("why?", about: segment, in: id), 409, "This conversation is full")
    }

    @Test func profilesOfInventedUsersAreBounded() async throws {
        let backend = try await TestBackend()
        for user in ["learned", "empty1", "empty2", "talks"] {
            backend.advance(.seconds(1))
            _ = try await backend.profile(user)
        }
        _ = try await backend.call(.post, "/users/learned/learning-goal", body: #"{"learning_goal":"a"}"#)
        _ = try await backend.create(user: "talks")
        let users = try await backend.store.write { transaction in
            for limit in [3, 2] { try transaction.boundProfiles(to: limit, keeping: Learner.ID("empty2")) }
            return try transaction.all("SELECT user_id FROM profiles ORDER BY user_id", as: String.self)
        }
        #expect(users == ["empty2", "talks"])
    }

    @Test func talksOfAnEarlierVersionAreCounted() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("talkco.db")
        do {
            let old = try Database(path: path, migrations: [TalkMigrations.all[0]])
            try await old.write { transaction in
                try transaction.execute(
                    """
                    INSERT INTO sessions (id, user_id, mode, status, accepts_choices, created_at)
                    VALUES ('s', 'u', 'conversation', 'completed', 0, 0)
                    """)
                try transaction.execute(
                    "INSERT INTO segments (session, turn_index, user_text, ai_text, created_at) VALUES ('s', 0, '你好', 'abc', 0)")
            }
            old.close()
        }
        let store = try Database(path: path, migrations: TalkMigrations.all)
        let total = try await store.read { try $0.one("SELECT size FROM talks_total", as: Int.self) }
        #expect(total == 512 + 9)
        store.close()
    }
}
