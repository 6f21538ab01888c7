import Foundation
import HTTPTypes
import NetworkingKit
import TalkCoStandIns
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The Realtime engine on a stand-in that checks every event of the client.
@Suite struct EngineRealtimeTests {
    /// Runs `body` with a conversation, and checks that the stand-in has refused nothing.
    private func talk(
        _ standIn: RealtimeStandIn, model: String = "gpt-realtime", brief: TalkBrief = EngineFixtures.brief,
        clock: any Clock<Duration> = ContinuousClock(), _ body: @escaping @Sendable (RealtimeConversation) async throws -> Void
    ) async throws {
        try await ModelServers(realtime: standIn, key: EngineFixtures.key).run { base in
            let engine = EngineFixtures.realtime(base, model: model, clock: clock)
            let opened = try await within { try await engine.open(brief) }
            let conversation = try #require(opened as? RealtimeConversation)
            try await body(conversation)
            await conversation.close()
        }
        // A response may be over before its cancellation arrives.
        #expect(standIn.refusals.allSatisfy { $0.hasPrefix("Cancellation failed") })
    }

    private func standIn(
        _ generation: StandInGeneration = .general, announces: Bool = true,
        script: @escaping RealtimeStandIn.Script = RealtimeStandIn.talk
    ) -> RealtimeStandIn {
        var options = RealtimeStandIn.Options()
        options.generation = generation
        options.key = EngineFixtures.key
        options.announces = announces
        return RealtimeStandIn(options, script: script)
    }

    @Test(arguments: StandInGeneration.allCases, [true, false])
    func conversationWorksInBothGenerations(generation: StandInGeneration, announces: Bool) async throws {
        let standIn = standIn(generation, announces: announces)
        // One that announces nothing costs three seconds.
        let model = generation == .beta ? "gpt-4o-realtime-preview" : "gpt-realtime"
        try await talk(standIn, model: model) { conversation in
            let greeting = try await HeardTurn(conversation.greeting())
            #expect(greeting.responses == [StandInTutor.greeting])
            #expect(greeting.audio == StandInTutor.voice(StandInTutor.greeting))
            #expect(greeting.transcripts.isEmpty)
            let spoken = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(spoken.transcripts == [StandInTutor.transcripts[1]])
            #expect(spoken.responses == [StandInTutor.answer(1)])
            #expect(spoken.audio == StandInTutor.voice(StandInTutor.answer(1)))
            let typed = try await HeardTurn(conversation.answer(.text("I like trains")))
            #expect(typed.responses == [StandInTutor.answer(2)])
            #expect(typed.transcripts.isEmpty)
        }
        let audio = standIn.received("input_audio_buffer.append").compactMap {
            $0["audio"]?.text.flatMap { Data(base64Encoded: $0) }
        }
        #expect(audio.count == 3)
        #expect(audio.reduce(Data(), +) == EngineFixtures.recording)
        #expect(standIn.heads.allSatisfy { $0[.authorization] == "Bearer \(EngineFixtures.key)" })
        let instructions = standIn.received("session.update").first?["session"]?["instructions"]?.text ?? ""
        #expect(instructions.contains("Travel") && instructions.contains("Has a dog"))
    }

    @Test(arguments: [("gpt-4o-realtime-preview", StandInGeneration.general), ("gpt-realtime", .beta)])
    func otherGenerationIsTriedWhenTheServerRefusesOne(model: String, generation: StandInGeneration) async throws {
        let standIn = standIn(generation)
        try await ModelServers(realtime: standIn).run { base in
            let engine = EngineFixtures.realtime(base, model: model)
            for _ in 0..<2 {
                let conversation = try await within { try await engine.open(EngineFixtures.brief) }
                #expect(try await HeardTurn(conversation.greeting()).responses == [StandInTutor.greeting])
                await conversation.close()
            }
        }
        // The second conversation begins with the generation that has worked.
        #expect(standIn.heads.count == 3)
        #expect(standIn.refusals.isEmpty)
    }

    @Test func recordingWithoutSpeechIsNotSent() async throws {
        let standIn = standIn()
        try await talk(standIn) { conversation in
            let turn = try await HeardTurn(conversation.answer(.speech(Data(count: 48_000))))
            #expect(turn.transcripts == [""] && turn.order == ["transcript"])
        }
        #expect(standIn.received("input_audio_buffer.append").isEmpty && standIn.received("response.create").isEmpty)
    }

    /// OpenAI's models of 2026 take a list of languages, and refuse a single one.
    @Test(arguments: [("gpt-transcribe", "languages"), ("gpt-live-transcribe", "languages"), ("whisper-1", "language")])
    func languageIsToldAsTheModelTakesIt(model: String, field: String) throws {
        for generation in RealtimeGeneration.allCases {
            let text = try RealtimeRequests.sessionUpdate(
                generation, instructions: "x", voice: "alloy", transcriptionModel: model, id: "1")
            let session = try WireJSON.decode(JSONValue.self, from: Data(text.utf8))["session"]
            let transcription = session?["input_audio_transcription"] ?? session?["audio"]?["input"]?["transcription"]
            #expect(transcription?.members?.keys.sorted() == [field, "model"])
            #expect(transcription?[field] == (field == "languages" ? .array([.string("en")]) : .string("en")))
        }
    }

    @Test func newsAreLookedUpWithinTheTurn() async throws {
        let standIn = standIn()
        try await talk(standIn) { conversation in
            let turn = try await HeardTurn(conversation.answer(.text("Any news from home?")))
            #expect(turn.responses == ["Here is what I found in the news. What do you think of it?"])
        }
        let outputs = standIn.received("conversation.item.create").compactMap { $0["item"]?["output"]?.text }
        #expect(outputs.count == 1)
        #expect(outputs.first?.contains("Typhoon & rain reach Taiwan") == true)
        #expect(outputs.first?.contains("Schools are closed today.") == true)
        #expect(standIn.received("response.create").count == 2)
    }

    @Test func textBeforeACallBelongsToTheAnswer() async throws {
        let standIn = standIn { exchange in
            try await exchange.created()
            guard case .output = exchange.input else {
                try await exchange.text("Let me look.")
                try await exchange.audio(Data([1, 0]))
                try await exchange.call("search_news", "{", id: "c")
                return try await exchange.done()
            }
            try await exchange.text(" Nothing new. ")
            try await exchange.audio(Data([2, 0]))
            try await exchange.done()
        }
        try await talk(standIn) { conversation in
            let turn = try await HeardTurn(conversation.answer(.text("x")))
            #expect(turn.responses == ["Let me look. Nothing new."])
            #expect(turn.audio == Data([1, 0, 2, 0]))
        }
        let output = standIn.received("conversation.item.create").compactMap { $0["item"]?["output"]?.text }.first
        #expect(output?.contains("error") == true)
    }

    @Test func endlessCallsEndTheTurn() async throws {
        let standIn = standIn { exchange in
            try await exchange.created()
            try await exchange.call("unknown", "{}", id: "call_\(exchange.number)")
            try await exchange.done()
        }
        try await talk(standIn) { conversation in
            let turn = try await HeardTurn(conversation.answer(.text("x")))
            #expect(turn.order.isEmpty)
        }
        #expect(standIn.received("response.create").count == 5)
    }

    @Test func lateTranscriptIsWaitedForBeforeTheEnd() async throws {
        try await talk(standIn(script: RealtimeScripts.late)) { conversation in
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(turn.order == ["audio", "transcript", "response"])
            #expect(turn.transcripts == [StandInTutor.transcripts[0]])
        }
    }

    @Test func failedTranscriptEndsTheTurnWithAnEmptyOne() async throws {
        let standIn = standIn { exchange in
            try await exchange.created()
            try await exchange.answer("Pardon?", transcript: nil)
            try await exchange.transcriptFailed()
        }
        try await talk(standIn) { conversation in
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(turn.transcripts == [""] && turn.responses == ["Pardon?"])
        }
    }

    @Test func missingTranscriptIsGivenUpAfterATime() async throws {
        let clock = TestClock()
        let standIn = standIn { try await $0.answer("Hm.", transcript: nil) }
        try await talk(standIn, clock: clock) { conversation in
            let turn = Task { try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording))) }
            try await eventually { clock.hasSleeper(for: .seconds(10)) }
            try await clock.advance(by: .seconds(10))
            #expect(try await turn.value.responses == ["Hm."])
        }
    }

    @Test(arguments: ["failing", "busy"]) func failureEndsTheTurnAndTheNextOneWorks(name: String) async throws {
        let standIn = standIn(script: RealtimeScripts.named(name) ?? RealtimeStandIn.talk)
        try await talk(standIn) { conversation in
            _ = try await HeardTurn(conversation.greeting())
            let failed = try await HeardTurn(conversation.answer(.text("one")))
            #expect(failed.responses.isEmpty)
            #expect(try await HeardTurn(conversation.answer(.text("two"))).responses == [StandInTutor.answer(2)])
        }
    }

    @Test func unreadableEventsAreSkipped() async throws {
        try await talk(standIn(script: RealtimeScripts.unreadable)) { conversation in
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(turn.responses == [StandInTutor.answer(0)])
            #expect(turn.audio == StandInTutor.voice(StandInTutor.answer(0)))
        }
    }

    @Test func silenceOfThirtySecondsEndsTheTurn() async throws {
        let clock = TestClock()
        try await talk(standIn(script: RealtimeScripts.stalling), clock: clock) { conversation in
            _ = try await HeardTurn(conversation.greeting())
            let heard = Locked(0)
            let turn = Task {
                for try await _ in conversation.answer(.text("one")) { heard.withLock { $0 += 1 } }
            }
            try await eventually { heard.withLock { $0 } == 1 && clock.hasSleeper(for: Silence.limit) }
            try await clock.advance(by: Silence.limit - .seconds(1))
            #expect(clock.hasSleeper(for: .seconds(1)))
            try await clock.advance(by: .seconds(1))
            try await within { try await turn.value }
            #expect(heard.withLock { $0 } == 2)
        }
    }

    @Test func conversationGoesOnAfterASilentTurn() async throws {
        let clock = TestClock()
        let standIn = standIn(script: RealtimeScripts.silent)
        try await talk(standIn, clock: clock) { conversation in
            let turn = Task { try await HeardTurn(conversation.answer(.text("one"))) }
            try await eventually { standIn.received("response.create").count == 1 && clock.hasSleeper(for: Silence.limit) }
            try await clock.advance(by: Silence.limit)
            #expect(try await turn.value.order.isEmpty)
            standIn.setScript(RealtimeStandIn.talk)
            #expect(try await HeardTurn(conversation.answer(.text("two"))).responses == [StandInTutor.answer(1)])
        }
        // The silent response was cancelled on the same connection.
        #expect(standIn.received("response.cancel").count == 1)
        #expect(standIn.heads.count == 1)
    }

    @Test func leftoversOfAnEarlierTurnStayOut() async throws {
        let earlier = Locked("")
        let standIn = standIn { exchange in
            try await exchange.created()
            if exchange.number == 0 {
                earlier.withLock { $0 = exchange.responseID }
                try await exchange.audio(Data([9, 9]))
                return try await exchange.error("server_error", "Something went wrong")
            }
            let id = earlier.withLock { $0 }
            try await exchange.audio(Data([8, 8]), id: id)
            try await exchange.text("Old words", id: id)
            try await exchange.transcript("Old transcript", item: "item_of_the_first_turn")
            try await exchange.done(id: id)
            try await exchange.answer("New words", transcript: nil)
            try await exchange.transcript("New transcript")
        }
        try await talk(standIn) { conversation in
            let first = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(first.audio == Data([9, 9]) && first.responses.isEmpty)
            let second = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(second.audio == StandInTutor.voice("New words"))
            #expect(second.transcripts == ["New transcript"])
            #expect(second.responses == ["New words"])
        }
    }

    @Test func firstEventOfAQuickServerBelongsToTheFirstTurn() async throws {
        let address = try #require(URL(string: "http://127.0.0.1"))
        let server = EngineFixtures.server("The Realtime server", address, clock: ContinuousClock())
        let socket = QuickServer()
        let link = RealtimeLink(socket, to: server, logger: .quiet)
        await #expect(throws: TimedOut.self) { try await eventually(within: .milliseconds(100)) { socket.hasBeenRead } }
        let turn = link.open()
        let first = try await within { try await turn.inbox.next() }
        guard case .event(let event)? = first else {
            Issue.record("the first turn has no event")
            return
        }
        #expect(event.kind == .sessionCreated)
        link.close()
    }

    @Test(arguments: [true, false]) func cancelledTurnCancelsTheResponse(confirms: Bool) async throws {
        let standIn = standIn(script: RealtimeScripts.stalling)
        standIn.options.confirmsCancels = confirms
        let clock = TestClock()
        try await talk(standIn, clock: clock) { conversation in
            let heard = Gate()
            let turn = Task {
                for try await _ in conversation.answer(.text("one")) { heard.open() }
            }
            await heard.wait()
            turn.cancel()
            _ = await turn.result
            try await eventually { standIn.received("response.cancel").count == 1 }
            standIn.setScript(RealtimeStandIn.talk)
            let next = Task { try await HeardTurn(conversation.answer(.text("two"))) }
            if !confirms {
                try await eventually { clock.hasSleeper(for: .seconds(5)) }
                try await clock.advance(by: .seconds(5))
            }
            #expect(try await next.value.responses == [StandInTutor.answer(1)])
        }
    }

    @Test func droppedStreamCancelsTheResponse() async throws {
        let standIn = standIn(script: RealtimeScripts.stalling)
        try await talk(standIn) { conversation in
            for try await _ in conversation.answer(.text("one")) { break }
            try await eventually { standIn.received("response.cancel").count == 1 }
        }
    }

    @Test func connectionLostWithinATurnFailsIt() async throws {
        let standIn = standIn(script: RealtimeScripts.breaking)
        try await talk(standIn) { conversation in
            _ = try await HeardTurn(conversation.greeting())
            let error = await #expect(throws: EngineError.self) { try await HeardTurn(conversation.answer(.text("one"))) }
            #expect(error?.code == .failed)
            #expect(error?.description.contains("1011") == true)
        }
    }

    @Test(arguments: StandInGeneration.allCases)
    func connectionExpiredBetweenTurnsIsReplacedWithTheTurnsSoFar(generation: StandInGeneration) async throws {
        let standIn = standIn(generation)
        var brief = EngineFixtures.brief
        brief.turns = [TalkTurn(index: 0, learner: "My dog is old.", tutor: "How old?")]
        try await talk(standIn, brief: brief) { [brief] conversation in
            #expect(!brief.turns.isEmpty)
            _ = try await HeardTurn(conversation.answer(.text("Ten years")))
            standIn.expire()
            // The close frame may arrive within the next turn: then that turn fails.
            var answer: [String] = []
            while answer.isEmpty {
                do { answer = try await HeardTurn(conversation.answer(.text("Very old"))).responses } catch is EngineError {}
            }
        }
        let texts = standIn.received("conversation.item.create").compactMap { $0["item"]?["content"]?.list?.first?["text"]?.text }
        #expect(texts.starts(with: ["My dog is old.", "How old?", "Ten years"]))
        #expect(Array(texts.suffix(5)) == ["My dog is old.", "How old?", "Ten years", StandInTutor.answer(0), "Very old"])
    }

    @Test func shortRecordingIsAnEmptyTranscript() async throws {
        let refusal = "Error committing input audio buffer: buffer too small. Expected at least 100ms of audio."
        let standIn = standIn()
        try await ModelServers(realtime: standIn).run { base in
            let conversation = try await EngineFixtures.realtime(base).open(EngineFixtures.brief)
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording.dropFirst(6_000).prefix(100))))
            #expect(turn.transcripts == [""] && turn.responses.isEmpty)
            #expect(try await HeardTurn(conversation.answer(.text("Again"))).responses.count == 1)
            await conversation.close()
        }
        #expect(standIn.refusals.contains(refusal))
    }

    @Test func refusedConnectionsNameTheReasonWithoutTheKey() async throws {
        for (status, code) in [(401, EngineError.Code.refused), (429, .failed), (503, .failed)] {
            let standIn = standIn()
            standIn.options.refusal = status
            try await ModelServers(realtime: standIn).run { base in
                let error = await #expect(throws: EngineError.self) {
                    try await EngineFixtures.realtime(base).open(EngineFixtures.brief)
                }
                #expect(error?.code == code)
                #expect(error?.description.contains("\(status)") == true)
                #expect(error?.description.contains(EngineFixtures.key) == false)
            }
        }
        let nowhere = URL(string: "http://127.0.0.1:1/v1")!
        let error = await #expect(throws: EngineError.self) {
            try await EngineFixtures.realtime(nowhere).open(EngineFixtures.brief)
        }
        #expect(error?.code == .unreachable)
    }

    @Test func closedConversationRefusesTurns() async throws {
        try await talk(standIn()) { conversation in
            await conversation.close()
            await #expect(throws: EngineError.self) { try await HeardTurn(conversation.answer(.text("one"))) }
        }
    }

    @Test(arguments: [true, false]) func serverWithOneIdentifierLosesNoWords(announces: Bool) async throws {
        let standIn = standIn(announces: announces)
        standIn.options.onlyID = "one"
        try await talk(standIn) { conversation in
            for number in 0..<3 {
                let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
                #expect(turn.transcripts == [StandInTutor.transcripts[number]])
                #expect(turn.responses == [StandInTutor.answer(number)])
            }
        }
    }

    @Test func firehoseArrivesWhole() async throws {
        try await talk(standIn(script: RealtimeScripts.firehose)) { conversation in
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(turn.audio == Data(repeating: 1, count: 480_000))
            #expect(turn.responses == ["That was fast."])
        }
    }
}

/// Has sent its first event before anybody reads, and sends no other.
private final class QuickServer: SocketConnection {
    private let waiting = Locked([SocketMessage.text(#"{"type":"session.created","session":{}}"#)])

    var hasBeenRead: Bool { waiting.withLock { $0.isEmpty } }
    func receive() async throws -> SocketMessage? {
        if let message = waiting.withLock({ $0.popLast() }) { return message }
        try await Task.sleep(for: ampleTime)
        return nil
    }
    func send(_ message: SocketMessage) async throws {}
    func ping() async throws {}
    func close(_ end: SocketEnd) {}
    var end: SocketEnd? { nil }
}
