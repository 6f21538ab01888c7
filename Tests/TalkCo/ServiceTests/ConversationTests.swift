import Foundation
import HTTPTypes
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Contract: "Event streams".
@Suite struct ConversationTests {
    let backend: TestBackend

    init() async throws { backend = try await TestBackend() }

    @Test func topicsHaveTheirOrder() async throws {
        let topics = try await backend.parts.call(TalkCoEndpoints.topics).value([Topic].self)
        #expect(
            topics.map(\.id.rawValue)
                == ["daily_life", "travel", "workplace", "food_dining", "entertainment", "current_events"])
        #expect(topics.map(\.labelZh) == ["日常生活", "旅遊", "職場", "美食", "娛樂", "時事"])
    }

    @Test func greetingHasNoTranscriptAndIsNotStored() async throws {
        let id = try await backend.create()
        let reply = try await backend.start(id)
        expect(reply, 200)
        #expect(reply.headers[.contentType] == "text/event-stream")
        #expect(reply.headers[.cacheControl] == "no-cache")
        #expect(reply.headers[.accelBuffering] == "no")
        let events = try reply.events
        #expect(events.content == [.audio(ScriptedEngine.sound(4)), .response("Hello!"), .done])
        #expect(events.map(\.name) == ["audio", "response", "timing", "timing", "done"])
        #expect(try await backend.review(id).segments.isEmpty)
    }

    @Test func secondStartIsEmpty() async throws {
        let id = try await backend.opened()
        #expect(try await backend.start(id).events == [.done])
        #expect(backend.engine.record.withLock { $0.greetingCount } == 1)
    }

    @Test func typedTurnBeginsWithItsTranscript() async throws {
        let id = try await backend.opened()
        let events = try await backend.say("  I go to school \n", in: id).events
        #expect(events.first == .transcript("I go to school"))
        #expect(events.contains(.response("Answer to I go to school")))
        #expect(events.last == .done)
        #expect(events.audio == ScriptedEngine.sound(4) + ScriptedEngine.sound(6))
        #expect(backend.engine.inputs == [.text("I go to school")])
    }

    @Test func recordingIsHeardWithoutItsHeader() async throws {
        let id = try await backend.opened()
        let events = try await backend.speak(TestForm(sampleCount: 100), in: id).events
        #expect(backend.engine.inputs == [.speech(ScriptedEngine.sound(100))])
        #expect(events.contains(.transcript("I said 200 bytes")))
        let segments = try await backend.review(id).segments
        #expect(segments.map(\.userText) == ["I said 200 bytes"])
        #expect(segments.map(\.aiText) == ["Answer to 200 bytes"])
    }

    @Test func turnsAreNumberedWithoutGaps() async throws {
        let id = try await backend.opened()
        _ = try await backend.say("one", in: id)
        backend.engine.onAnswer { _, output in output.finish() }
        #expect(try await backend.say("lost", in: id).events.content == [.transcript("lost"), .done])
        backend.engine.script.withLock { $0 = .init() }
        _ = try await backend.say("two", in: id)
        let segments = try await backend.review(id).segments
        #expect(segments.map(\.turnIndex) == [0, 1])
        #expect(segments.map(\.userText) == ["one", "two"])
    }

    @Test func transcriptMayComeAfterTheAudio() async throws {
        backend.engine.onAnswer { _, output in
            output.yield(.audio(ScriptedEngine.sound(2)))
            output.yield(.response("Nice"))
            output.yield(.transcript(" late "))
            output.finish()
        }
        let id = try await backend.opened()
        let events = try await backend.speak(TestForm(sampleCount: 10), in: id).events.content
        #expect(events == [.audio(ScriptedEngine.sound(2)), .transcript("late"), .response("Nice"), .done])
        #expect(try await backend.review(id).segments.map(\.userText) == ["late"])
    }

    /// An empty transcript, and none at all.
    @Test(arguments: [true, false]) func silenceIsNotStored(_ says: Bool) async throws {
        backend.engine.onAnswer { _, output in
            if says { output.yield(.transcript(" ")) }
            output.yield(.response("Are you there?"))
            output.finish()
        }
        let id = try await backend.opened()
        let events = try await backend.speak(TestForm(sampleCount: 10), in: id).events.content
        #expect(events == [.transcript(""), .response("Are you there?"), .done])
        #expect(try await backend.review(id).segments.isEmpty)
    }

    @Test func onlyTheFirstTranscriptAndResponseCount() async throws {
        backend.engine.onAnswer { _, output in
            for piece in [
                TurnPiece.transcript("a"), .transcript("b"), .response("c"), .response("d"), .audio(ScriptedEngine.sound(1)),
            ] { output.yield(piece) }
            output.finish()
        }
        let id = try await backend.opened()
        let events = try await backend.speak(TestForm(sampleCount: 10), in: id).events.content
        #expect(events == [.transcript("a"), .response("c"), .done])
    }

    @Test func samplesAreNeverDivided() async throws {
        backend.engine.onAnswer { _, output in
            for bytes in [[1], [2, 3], [4, 5, 6], []] as [[UInt8]] { output.yield(.audio(Data(bytes))) }
            output.yield(.response("x"))
            output.finish()
        }
        let id = try await backend.opened()
        let events = try await backend.say("a", in: id).events
        #expect(events.content.filter { $0.name == "audio" } == [.audio(Data([1, 2])), .audio(Data([3, 4, 5, 6]))])
    }

    @Test func choicesAreSentToThoseWhoAcceptThem() async throws {
        backend.engine.onAnswer { _, output in
            output.yield(.response("x"))
            output.yield(.choices(["Yes.", " ", "No."]))
            output.finish()
        }
        let plain = try await backend.opened()
        #expect(try await !backend.say("a", in: plain).events.contains { $0.name == "choices" })
        let accepting = try await backend.opened(accept: [.choices])
        let events = try await backend.say("a", in: accepting).events
        #expect(events.suffix(2) == [.choices(["Yes.", "No."]), .done])
    }

    @Test func errorOfTheEngineEndsTheTurnAndLeavesTheSession() async throws {
        let id = try await backend.opened()
        _ = try await backend.say("before", in: id)
        backend.engine.onAnswer { _, output in
            output.yield(.audio(ScriptedEngine.sound(3)))
            output.finish(throwing: EngineError(.failed, "The model broke."))
        }
        let events = try await backend.say("a", in: id).events.content
        let failure = TalkEvent.failure("engine", detail: "The model broke.")
        #expect(events == [.transcript("a"), .audio(ScriptedEngine.sound(3)), failure, .done])
        backend.engine.script.withLock { $0 = .init() }
        #expect(try await backend.say("after", in: id).events.contains(.response("Answer to after")))
        #expect(try await backend.review(id).segments.map(\.userText) == ["before", "after"])
        // The conversation was opened again, and knows what was said.
        #expect(backend.engine.briefs.map { $0.turns.map(\.learner) } == [[], ["before"]])
        #expect(backend.engine.record.withLock { $0.closeCount } == 1)
    }

    @Test func reasonOfTheEngineIsSentInPlaceOfTheResponse() async throws {
        backend.engine.onAnswer { input, output in
            output.yield(.failure("The chat server has no model."))
            if input == .text("after all") { output.yield(.response("Fine.")) }
            output.finish()
        }
        let id = try await backend.opened()
        let events = try await backend.say("a", in: id).events.content
        #expect(events == [.transcript("a"), .failure("engine", detail: "The chat server has no model."), .done])
        #expect(try await backend.say("after all", in: id).events.content == [.transcript("after all"), .response("Fine."), .done])
        #expect(try await backend.review(id).segments.map(\.userText) == ["after all"])
    }

    @Test func wordsComeBeforeTheVoiceToThoseWhoAcceptThem() async throws {
        backend.engine.onAnswer { _, output in
            output.yield(.text(" x "))
            output.yield(.audio(ScriptedEngine.sound(2)))
            output.yield(.response("x"))
            output.finish()
        }
        let audio = TalkEvent.audio(ScriptedEngine.sound(2))
        let plain = try await backend.opened()
        #expect(try await backend.say("a", in: plain).events.content == [.transcript("a"), audio, .response("x"), .done])
        let accepting = try await backend.opened(accept: [.text])
        let events = try await backend.say("a", in: accepting).events.content
        #expect(events == [.transcript("a"), .text("x"), audio, .response("x"), .done])
    }

    @Test func thirtySecondsOfSilenceEndTheTurn() async throws {
        let id = try await backend.opened()
        backend.engine.onAnswer { _, output in output.yield(.audio(ScriptedEngine.sound(1))) }
        async let reply = backend.say("a", in: id)
        try await eventually { backend.clock.hasSleeper(for: .seconds(30)) }
        try await backend.clock.advance(by: .seconds(30))
        #expect(try await reply.events.content == [.transcript("a"), .audio(ScriptedEngine.sound(1)), .done])
        backend.engine.script.withLock { $0 = .init() }
        #expect(try await backend.say("b", in: id).events.contains(.response("Answer to b")))
        // The conversation was kept.
        #expect(backend.engine.record.withLock { $0.openCount } == 1)
    }

    @Test func silenceIsCountedFromTheLastPiece() async throws {
        let clock = TestClock()
        let feed = TurnFeed()
        let (pieces, output) = AsyncThrowingStream.makeStream(of: TurnPiece.self)
        let run = TurnRun(feed: feed, typed: "a", isGreeting: false, limits: TurnLimits(), clock: clock)
        async let outcome = run.run(pieces)
        try await eventually { clock.hasSleeper(for: .seconds(30)) }
        try await clock.advance(by: .seconds(20))
        output.yield(.audio(ScriptedEngine.sound(1)))
        #expect(try await feed.blocks(from: 0)?.count == 1)
        try await clock.advance(by: .seconds(10))
        try await eventually { clock.hasSleeper(for: .seconds(20)) }
        try await clock.advance(by: .seconds(20))
        let result = await outcome
        #expect(result.error as? TurnRun.LimitError == .silence)
        #expect(result.firstAudio == .seconds(20))
    }

    @Test func aTooLongAnswerIsEnded() async throws {
        let backend = try await TestBackend(limits: TurnLimits(audioSize: 1_000))
        let id = try await backend.opened()
        backend.engine.onAnswer { _, output in
            for _ in 0..<10 { output.yield(.audio(ScriptedEngine.sound(200))) }
            output.yield(.response("x"))
            output.finish()
        }
        let events = try await backend.say("a", in: id).events
        #expect(events.audio.count == 800)
        #expect(events.last == .done && !events.contains(.response("x")))
    }

    @Test func secondTurnWaitsForTheFirst() async throws {
        let id = try await backend.opened()
        let door = Door()
        backend.engine.onAnswer { input, output in
            if input == .text("first") { try? await door.wait() }
            output.yield(.response("Answer to \(input.text)"))
            output.finish()
        }
        async let first = backend.say("first", in: id)
        try await eventually { backend.engine.inputs.count == 1 }
        async let second = backend.say("second", in: id)
        try await eventually { await backend.backend.live.find(id)?.activity.withLock { $0.turnCount } == 2 }
        #expect(backend.engine.inputs == [.text("first")])
        door.open()
        #expect(try await first.events.content == [.transcript("first"), .response("Answer to first"), .done])
        #expect(try await second.events.content == [.transcript("second"), .response("Answer to second"), .done])
        #expect(try await backend.review(id).segments.map(\.userText) == ["first", "second"])
    }

    @Test func tooManyWaitingTurnsAreRefused() async throws {
        let id = try await backend.opened()
        let door = Door()
        backend.engine.onAnswer { _, output in
            try? await door.wait()
            output.finish()
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<8 { group.addTask { try await backend.say("\(index)", in: id).status } }
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try #require(try await group.next())) }
            #expect(statuses == [409, 409, 409])
            door.open()
            for try await status in group { #expect(status == 200) }
        }
    }
}
