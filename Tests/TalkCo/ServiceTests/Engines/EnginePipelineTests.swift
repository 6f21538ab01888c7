import AudioKit
import Foundation
import NetworkingKit
import TalkCoStandIns
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The pipeline of three servers, played by one stand-in.
@Suite struct EnginePipelineTests {
    private func talk(
        _ servers: ModelServers = ModelServers(key: EngineFixtures.key), brief: TalkBrief = EngineFixtures.brief,
        clock: any Clock<Duration> = ContinuousClock(), _ body: @escaping @Sendable (any Conversation) async throws -> Void
    ) async throws {
        try await servers.run { base in
            let conversation = try await within { try await EngineFixtures.pipeline(base, clock: clock).open(brief) }
            try await within { try await body(conversation) }
            await conversation.close()
        }
    }

    /// The speech of an answer, sentence by sentence.
    private func voice(_ sentences: String...) -> Data { sentences.reduce(Data()) { $0 + StandInTutor.voice($1) } }

    @Test func conversationIsHeardAndAnswered() async throws {
        let servers = ModelServers(key: EngineFixtures.key)
        try await talk(servers) { conversation in
            let greeting = try await HeardTurn(conversation.greeting())
            #expect(greeting.responses == [StandInTutor.greeting])
            #expect(greeting.audio == voice("Hello!", "It is good to see you.", "What would you like to talk about today?"))
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(turn.transcripts == [StandInTutor.transcripts[0]])
            #expect(turn.responses == [StandInTutor.answer(1)])
            #expect(turn.order == ["transcript", "audio", "response"])
            let typed = try await HeardTurn(conversation.answer(.text("I like trains")))
            #expect(typed.transcripts.isEmpty && typed.responses == [StandInTutor.answer(2)])
        }
        let form = servers.received(.transcription).first?.body ?? Data()
        #expect(form.firstRange(of: WAVFile(sampleRate: 24_000, samples: EngineFixtures.recording).data) != nil)
        let roles = servers.received(.chat).last?.json?["messages"]?.list?.compactMap { $0["role"]?.text }
        #expect(roles == ["system", "user", "assistant", "user", "assistant", "user"])
    }

    @Test func firstSentenceIsSpokenWhileTheAnswerIsWritten() async throws {
        let servers = ModelServers()
        let gate = Gate()
        servers.hold(.chat, with: gate)
        servers.setAnswers(["I see. That is a long story."])
        try await talk(servers) { conversation in
            var heard = HeardTurn()
            for try await piece in conversation.answer(.text("x")) {
                if !gate.isOpen, case .audio = piece {
                    // The chat is still held back.
                    #expect(servers.received(.speech).map { $0.json?["input"]?.text } == ["I see."])
                    gate.open()
                }
                heard.add(piece)
            }
            #expect(gate.isOpen)
            #expect(heard.responses == ["I see. Now That is a long story."])
            #expect(heard.audio == voice("I see.", "Now That is a long story."))
        }
    }

    @Test func speechIsRequestedAheadWithinALimit() async throws {
        let servers = ModelServers()
        let gate = Gate()
        servers.hold(.speech, with: gate)
        servers.setAnswers(["One one. Two two. Three three. Four four. Five five. Six six."])
        try await talk(servers) { conversation in
            let turn = Task { try await HeardTurn(conversation.answer(.text("x"))) }
            try await eventually { servers.received(.speech).count == 3 }
            gate.open()
            let heard = try await turn.value
            #expect(heard.audio == voice("One one.", "Two two.", "Three three.", "Four four.", "Five five.", "Six six."))
        }
    }

    @Test func silenceOfTheLearnerEndsTheTurn() async throws {
        let servers = ModelServers()
        servers.setTranscripts(["", "[BLANK_AUDIO]"])
        try await talk(servers) { conversation in
            for _ in 0..<2 {
                let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
                #expect(turn.transcripts == [""] && turn.order == ["transcript"])
            }
        }
        #expect(servers.received(.chat).isEmpty)
    }

    @Test(arguments: [
        (ModelServers.Call.chat, HTTPFault.status(500)), (.chat, .breaksOff), (.chat, .body("data: {\"choices\": [\n\n")),
        (.chat, .body("data: {\"error\":{\"message\":\"out of memory\"}}\n\n")), (.chat, .body("")), (.transcription, .status(401)),
        (.transcription, .breaksOff), (.transcription, .body("{\"te")), (.transcription, .body("{\"text\": 3}")),
    ])
    func failureEndsTheTurnAndTheNextOneWorks(call: ModelServers.Call, fault: HTTPFault) async throws {
        let servers = ModelServers()
        servers.plan(call, fault)
        try await talk(servers) { conversation in
            let failed = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(failed.responses.isEmpty)
            #expect(failed.transcripts.count == (call == .chat ? 1 : 0))
            #expect(try await HeardTurn(conversation.answer(.text("again"))).responses.count == 1)
        }
        // What failed is not part of the conversation.
        #expect(servers.received(.chat).last?.json?["messages"]?.list?.count == 2)
    }

    @Test(arguments: [HTTPFault.status(500), .body("{}"), .body("ID3…", contentType: "audio/mpeg"), .breaksOff])
    func answerGoesOnWithoutAVoiceThatFails(fault: HTTPFault) async throws {
        let servers = ModelServers()
        servers.set(.speech, fault)
        servers.setAnswers(["One one. Two two. Three three. Four four."])
        try await talk(servers) { conversation in
            let turn = try await HeardTurn(conversation.answer(.text("x")))
            #expect(turn.responses == ["One one. Two two. Three three. Four four."])
        }
        #expect(servers.received(.speech).count <= 3)
    }

    @Test(arguments: [ModelServers.Call.chat, .transcription])
    func silenceOfThirtySecondsEndsTheTurn(call: ModelServers.Call) async throws {
        let clock = TestClock()
        let servers = ModelServers()
        servers.set(call, call == .chat ? .silentAfterStart : .silent)
        try await talk(servers, clock: clock) { conversation in
            let turn = Task { try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording))) }
            try await eventually { servers.received(call).count == 1 && clock.hasSleeper(for: .seconds(30)) }
            try await clock.advance(by: .seconds(30)) { turn.isCancelled || !clock.hasSleeper }
            #expect(try await turn.value.responses.isEmpty)
        }
    }

    @Test func cancelledTurnEndsItsCalls() async throws {
        let servers = ModelServers()
        let gate = Gate()
        servers.hold(.chat, with: gate)
        try await talk(servers) { conversation in
            defer { gate.open() }
            for try await piece in conversation.answer(.text("x")) { if case .audio = piece { break } }
            servers.hold(.chat, with: openGate())
            #expect(try await HeardTurn(conversation.answer(.text("y"))).responses.count == 1)
        }
        #expect(servers.received(.chat).last?.json?["messages"]?.list?.count == 2)
    }

    private func openGate() -> Gate {
        let gate = Gate()
        gate.open()
        return gate
    }

    @Test func thoughtsOfAModelAreNotSpoken() async throws {
        let servers = ModelServers()
        servers.setAnswers(["<think> The learner likes dogs. </think> How old is it?"])
        try await talk(servers) { conversation in
            let turn = try await HeardTurn(conversation.answer(.text("x")))
            #expect(turn.responses == ["How old is it?"] && turn.audio == voice("How old is it?"))
        }
    }

    @Test func turnsBeforeAReopeningAreGivenToTheModel() async throws {
        let servers = ModelServers()
        var brief = EngineFixtures.brief
        brief.turns = (0..<50).map { TalkTurn(index: $0, learner: "question \($0)", tutor: "answer \($0)") }
        try await talk(servers, brief: brief) { _ = try await HeardTurn($0.answer(.text("last"))) }
        let messages = servers.received(.chat).first?.json?["messages"]?.list ?? []
        #expect(messages.count == 42)
        #expect(messages[1]["content"]?.text == "question 30" && messages.last?["content"]?.text == "last")
    }

    @Test func unreachableServerRefusesTheConversation() async throws {
        try await ModelServers(key: "another").run { base in
            let error = await #expect(throws: EngineError.self) {
                try await EngineFixtures.pipeline(base).open(EngineFixtures.brief)
            }
            #expect(error?.code == .refused && error?.description.contains(EngineFixtures.key) == false)
        }
        let nowhere = URL(string: "http://127.0.0.1:1/v1")!
        let error = await #expect(throws: EngineError.self) {
            try await EngineFixtures.pipeline(nowhere).open(EngineFixtures.brief)
        }
        #expect(error?.code == .unreachable)
        // Servers without a list of models pass.
        let servers = ModelServers()
        servers.set(.models, .status(404))
        try await talk(servers) { _ in }
    }

    // MARK: Voice

    private func samples(_ servers: ModelServers, clock: any Clock<Duration> = ContinuousClock()) async throws -> Data {
        try await servers.run { base in
            try await within {
                var samples = Data()
                for try await chunk in EngineFixtures.speech(base, clock: clock).speech("Hello there.") {
                    #expect(chunk.count.isMultiple(of: 2))
                    samples += chunk
                }
                return samples
            }
        }
    }

    @Test func voiceSpeaksSentences() async throws {
        #expect(try await samples(ModelServers(key: EngineFixtures.key)) == StandInTutor.voice("Hello there."))
    }

    @Test func wavFilesAreResampled() async throws {
        for plan in [[HTTPFault.wave], [.status(400), .none]] {
            let servers = ModelServers()
            if plan.count == 1 { servers.plan(.speech, plan[0]) } else { servers.plan(.speech, plan[0], plan[1]) }
            let samples = try await samples(servers)
            #expect(abs(samples.count - StandInTutor.voice("Hello there.").count) <= 4)
            #expect(PCM16.rootMeanSquare(samples) > 1_000)
        }
    }

    @Test func unusableVoiceIsAnError() async throws {
        for fault in [HTTPFault.status(401), .body("{}"), .body("RIFF but no file", contentType: "audio/wav"), .breaksOff] {
            let servers = ModelServers()
            servers.set(.speech, fault)
            await #expect(throws: EngineError.self) { try await samples(servers) }
        }
    }
}
