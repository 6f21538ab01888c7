import Foundation
import HTTPTypes
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// A disk without room: nothing is lost, and the work goes on when there is room.
@Suite(.onSQLite) struct FullDiskTests {
    let backend: TestBackend

    init() async throws { backend = try await TestBackend() }

    /// More than fits into the pages that the database has.
    private let long = String(repeating: "word ", count: 790)

    @Test func refusedCreationWorksOnceThereIsRoom() async throws {
        try await backend.store.limitGrowth(toPages: 0)
        var reply = try await backend.call(.post, "/sessions", body: #"{"user_id":"0","topic_id":"travel"}"#)
        for number in 1..<500 where reply.status == 200 {
            reply = try await backend.call(.post, "/sessions", body: #"{"user_id":"\#(number)","topic_id":"travel"}"#)
        }
        expect(reply, 507, "The disk of the service is full")
        #expect(reply.headers[.retryAfter] != nil)
        let count = await backend.backend.live.ids.count
        try await backend.store.limitGrowth(toPages: nil)
        expect(try await backend.call(.post, "/sessions", body: #"{"user_id":"z","topic_id":"travel"}"#), 200)
        #expect(await backend.backend.live.ids.count == count + 1)
    }

    @Test func answerIsKeptUntilItCanBeStored() async throws {
        backend.engine.onAnswer { [long] _, output in
            output.yield(.audio(ScriptedEngine.sound(4)))
            output.yield(.response(long))
            output.finish()
        }
        let id = try await backend.opened()
        try await backend.store.limitGrowth(toPages: 0)
        let refused = try await backend.say(long, in: id, turn: "t").events.content
        #expect(refused.map(\.name) == ["transcript", "audio", "failure", "done"])
        #expect(refused[2] == .failure("storage_full"))
        let again = try await backend.say(long, in: id, turn: "t").events.content
        #expect(again.map(\.name) == ["transcript", "failure", "done"])
        try await backend.store.limitGrowth(toPages: nil)
        let answer = try await backend.say(long, in: id, turn: "t").events.content
        let words = long.trimmingCharacters(in: .whitespaces)
        #expect(answer == [.transcript(words), .response(words), .done])
        // The engine was asked once.
        #expect(backend.engine.inputs.count == 1)
        #expect(try await backend.review(id).segments.map(\.userText) == [words])
    }

    @Test func voiceIsLeftOutBeforeWordsAre() async throws {
        backend.engine.onAnswer { _, output in
            output.yield(.audio(ScriptedEngine.sound(200_000)))
            output.yield(.response("Nice"))
            output.finish()
        }
        let id = try await backend.opened()
        try await backend.store.limitGrowth(toPages: 4)
        #expect(try await backend.say("a", in: id, turn: "t").events.contains(.response("Nice")))
        #expect(try await backend.say("a", in: id, turn: "t").events == [.transcript("a"), .response("Nice"), .done])
    }

    @Test func reviewGoesOnOnceThereIsRoom() async throws {
        let backend = backend
        let door = Door()
        backend.judge.change {
            $0.marks = { [long] turns in
                try await door.wait()
                return turns.map {
                    MarkDraft(
                        turnIndex: $0.index, issueTypes: ["grammar"], original: $0.learner, suggestion: "x",
                        explanation: String(long.prefix(2_000)))
                }
            }
        }
        try await backend.working {
            let id = try await backend.opened()
            for text in ["one", "two", "three", "four"] { _ = try await backend.say(text, in: id) }
            expect(try await backend.close(id), 200)
            try await eventually { backend.judge.count(of: "marks") == 1 }
            try await backend.store.limitGrowth(toPages: 0)
            door.open()
            for pause in Jobs.fullDiskPauses + [.seconds(600)] {
                try await eventually { backend.clock.hasSleeper(for: pause) }
                #expect(try await backend.review(id).status == .reviewing)
                try await backend.clock.advance(by: pause)
            }
            try await eventually { backend.clock.hasSleeper(for: .seconds(600)) }
            try await backend.store.limitGrowth(toPages: nil)
            try await backend.clock.advance(by: .seconds(600))
            try await backend.waitFor(.reviewed, id)
            #expect(try await backend.review(id).segments.allSatisfy { $0.aiMarks.count == 1 })
        }
    }

    @Test func conversationCanBeEndedOnceThereIsRoom() async throws {
        let id = try await backend.opened()
        _ = try await backend.store.write { transaction in
            // The row of the job needs a page of its own.
            try transaction.execute(
                "CREATE TRIGGER big AFTER INSERT ON jobs BEGIN INSERT INTO filler VALUES (zeroblob(100000)); END")
        }
        _ = try await backend.store.write { try $0.execute("CREATE TABLE filler (content BLOB)") }
        try await backend.store.limitGrowth(toPages: 0)
        expect(try await backend.close(id), 507, "The disk of the service is full")
        try await backend.store.limitGrowth(toPages: nil)
        expect(try await backend.close(id), 200)
    }
}
