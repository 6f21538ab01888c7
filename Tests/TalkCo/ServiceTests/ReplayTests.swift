import Foundation
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Contract: "A turn has an id".
@Suite struct ReplayTests {
    let backend: TestBackend

    init() async throws {
        backend = try await TestBackend()
        backend.engine.onAnswer { input, output in
            output.yield(.audio(ScriptedEngine.sound(30_000)))
            if case .speech = input { output.yield(.transcript("heard")) }
            output.yield(.response("Answer to \(input.text)"))
            output.yield(.choices(["Yes."]))
            output.finish()
        }
    }

    @Test func repeatedTurnIsAnsweredAsBefore() async throws {
        let id = try await backend.opened(accept: [.choices])
        let first = try await backend.say("hello", in: id, turn: "t").events
        let again = try await backend.say("hello", in: id, turn: "t").events
        #expect(again.essence == first.essence)
        #expect(again.map(\.name) == ["transcript", "audio", "audio", "audio", "response", "choices", "done"])
        let spoken = try await backend.speak(TestForm(sampleCount: 10, turn: "s"), in: id).events
        #expect(Set(try await backend.speak(TestForm(sampleCount: 10, turn: "s"), in: id).events.essence) == Set(spoken.essence))
        #expect(backend.engine.inputs.count == 2)
        #expect(try await backend.review(id).segments.map(\.userText) == ["hello", "heard"])
    }

    @Test(.onSQLite) func turnThatCannotBeStoredHasNoResponseAndCanBeRepeated() async throws {
        let id = try await backend.opened()
        _ = try await backend.store.write { transaction in
            try transaction.execute("CREATE TRIGGER full BEFORE INSERT ON segments BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        let lost = try await backend.say("hello", in: id, turn: "t").events
        #expect(!lost.contains(.response("Answer to hello")) && lost.last == .done)
        _ = try await backend.store.write { try $0.execute("DROP TRIGGER full") }
        #expect(try await backend.say("hello", in: id, turn: "t").events.contains(.response("Answer to hello")))
        #expect(try await backend.review(id).segments.map(\.userText) == ["hello"])
    }

    @Test func turnsOfSessionsAreTheirOwn() async throws {
        let (one, two) = (try await backend.opened(), try await backend.opened())
        _ = try await backend.say("one", in: one, turn: "t")
        #expect(try await backend.say("two", in: two, turn: "t").events.contains(.response("Answer to two")))
    }

    @Test func repeatedTurnJoinsTheRunningOne() async throws {
        let id = try await backend.opened()
        let door = Door()
        backend.engine.onAnswer { input, output in
            output.yield(.audio(ScriptedEngine.sound(4)))
            try? await door.wait()
            output.yield(.response("x"))
            output.finish()
        }
        async let first = backend.say("a", in: id, turn: "t")
        try await eventually { backend.engine.inputs.count == 1 }
        async let second = backend.say("a", in: id, turn: "t")
        async let third = backend.say("a", in: id, turn: "t")
        // Nothing but the end of both shows that they have joined, so let one of them be late.
        door.open()
        let replies = [try await first.events.essence, try await second.events.essence, try await third.events.essence]
        #expect(Set(replies) == [replies[0]])
        #expect(backend.engine.inputs.count == 1)
        #expect(try await backend.review(id).segments.count == 1)
    }

    /// The second request looked for the turn before the first added it, and adds it after the first has ended.
    @Test func turnIsAnsweredOnceHoweverRequestsOverlap() async throws {
        let id = try await backend.opened()
        let first = try await backend.say("a", in: id, turn: "t").events.essence
        let session = try #require(await backend.backend.live.find(id))
        let feed = try await session.add(.text("a"), Turn.ID("t"))
        try await feed.waitUntilFinished()
        let blocks = try await feed.blocks(from: 0) ?? []
        #expect(try TalkEvent.all(in: Data(blocks.joined())).essence == first)
        #expect(backend.engine.inputs.count == 1)
        #expect(try await backend.review(id).segments.count == 1)
    }

    @Test func failedTurnIsTriedAgain() async throws {
        let id = try await backend.opened()
        backend.engine.onAnswer { _, output in output.finish() }
        #expect(try await backend.say("a", in: id, turn: "t").events.content == [.transcript("a"), .done])
        backend.engine.script.withLock { $0 = .init() }
        #expect(try await backend.say("a", in: id, turn: "t").events.contains(.response("Answer to a")))
        #expect(try await backend.review(id).segments.count == 1)
    }

    @Test func turnIsReplayedAfterItsConversation() async throws {
        let id = try await backend.opened()
        let first = try await backend.say("hello", in: id, turn: "t").events.essence
        _ = try await backend.close(id)
        #expect(try await backend.say("hello", in: id, turn: "t").events.essence == first)
        let later = try await backend.restarted()
        #expect(try await later.say("hello", in: id, turn: "t").events.essence == first)
        expect(try await later.say("hello", in: id, turn: "u"), 404, "Session not found")
        #expect(try await later.review(id).segments.count == 1)
    }

    @Test func oldestAudioIsDroppedBeyondTheCapacity() async throws {
        let backend = try await TestBackend { $0.replayAudioSize = 50 }
        let id = try await backend.opened()
        let answers = try await [1, 2, 3].asyncMap { try await backend.say("\($0)", in: id, turn: "\($0)").events }
        #expect(answers.map(\.audio.count) == [20, 20, 20])
        let replays = try await [1, 2, 3].asyncMap { try await backend.say("\($0)", in: id, turn: "\($0)").events }
        #expect(replays.map(\.audio.count) == [0, 20, 20])
        #expect(replays[0] == [.transcript("1"), .response("Answer to 1"), .done])
    }

    @Test func audioIsDroppedAfterADay() async throws {
        let id = try await backend.opened()
        _ = try await backend.say("a", in: id, turn: "t")
        backend.advance(.seconds(86_401))
        try await backend.working {
            try await eventually { [backend] in try await backend.say("a", in: id, turn: "t").events.audio.isEmpty }
        }
        #expect(try await backend.say("a", in: id, turn: "t").events.contains(.response("Answer to a")))
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
