import AudioKit
import Foundation
import TalkCoStandIns
import TalkCoWire
import TestKit
import Testing

@testable import TalkCoService

/// The built-in tutor with servers for transcription and speech.
@Suite struct BuiltInServerTests {
    private func talk(
        voice: ProgramVoice? = nil, level: CEFRLevel = .b1,
        _ body: @escaping @Sendable (any Conversation, ModelServers) async throws -> Void
    ) async throws {
        let servers = ModelServers()
        try await servers.run { base in
            let clock = ContinuousClock()
            let transcription = TranscriptionServer(
                server: EngineFixtures.server("The transcription server", base, clock: clock), model: "whisper-1")
            let engine = BuiltInEngine(
                voice: voice, recognizer: nil, servers: .init(transcription: transcription, speech: EngineFixtures.speech(base)),
                texts: .bundled, random: { SeededGenerator(seed: 2) })
            #expect(engine.info.hearing == .anything && engine.info.speaks)
            var brief = EngineFixtures.brief
            brief.level = level
            try await body(try await engine.open(brief), servers)
        }
    }

    /// Near answers stay what they are; the same words are written as they were offered.
    @Test func transcriptIsWhatWasHeard() async throws {
        try await talk { conversation, servers in
            let offered = try await choices(conversation.greeting())
            for heard in ["I went to Korea.", String(offered[1].dropLast()) + " in Korea."] {
                servers.setTranscripts([heard])
                let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
                #expect(turn.transcripts == [heard] && turn.responses.count == 1 && !turn.audio.isEmpty)
            }
        }
        try await talk { conversation, servers in
            let offered = try await choices(conversation.greeting())
            servers.setTranscripts([offered[1].uppercased().filter { $0 != "," && $0 != "." }])
            #expect(try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording))).transcripts == [offered[1]])
        }
    }

    @Test func silenceIsNotUnderstood() async throws {
        try await talk { conversation, _ in
            _ = try await HeardTurn(conversation.greeting())
            let turn = try await HeardTurn(conversation.answer(.speech(Data(count: 96_000))))
            #expect(turn.transcripts == [""] && turn.responses.count == 1)
        }
    }

    /// The recording can be sent again: nothing was understood, and nothing is lost.
    @Test(arguments: [HTTPFault.status(500), .body("<html>", contentType: "text/html")])
    func failureOfTheEarsEndsTheTurnAndTheNextOneWorks(fault: HTTPFault) async throws {
        try await talk { conversation, servers in
            _ = try await HeardTurn(conversation.greeting())
            servers.set(.transcription, fault)
            let failed = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(failed.transcripts.isEmpty && failed.responses.isEmpty && failed.failures.count == 1)
            servers.set(.transcription, .none)
            #expect(try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording))).responses.count == 1)
        }
    }

    @Test func wordsArriveWithoutAVoiceThatFails() async throws {
        try await talk { conversation, servers in
            servers.set(.speech, .status(500))
            let turn = try await HeardTurn(conversation.greeting())
            #expect(turn.audio.isEmpty && turn.responses.count == 1)
        }
    }

    @Test(.enabled(if: BuiltInProgramTests.flite != nil, "install flite")) func programSpeaksWhereTheServerFails() async throws {
        let program = SpeechProgram(.flite(voice: "slt"), path: BuiltInProgramTests.flite ?? "")
        try await talk(voice: ProgramVoice(program, slots: ProgramSlots(count: 1))) { conversation, servers in
            servers.set(.speech, .status(500))
            let turn = try await HeardTurn(conversation.greeting())
            #expect(!PCM16.isSilent(turn.audio) && turn.responses.count == 1)
        }
    }

    @Test func beginnersHearASlowerVoice() async throws {
        let speech = ["I went to the market. ", "It was big."].reduce(Data()) { $0 + StandInTutor.voice($1.trimmed) }
        func audio(_ level: CEFRLevel) async throws -> Data {
            let servers = ModelServers()
            return try await servers.run { base in
                servers.setAnswers(["I went to the market. It was big."])
                var brief = EngineFixtures.brief
                brief.level = level
                let conversation = try await EngineFixtures.pipeline(base).open(brief)
                return try await HeardTurn(conversation.answer(.text("Hello."))).audio
            }
        }
        #expect(try await audio(.b1) == speech)
        for level in [CEFRLevel.a1, .a2] {
            let slow = try await audio(level)
            let factor = Double(slow.count) / Double(speech.count)
            #expect((1.14...1.16).contains(factor))
        }
    }

    // MARK: The beginning of a recording

    private func early(
        _ rest: Data, transcripts: [String], _ body: @escaping @Sendable (_ text: String, _ calls: Int) throws -> Void
    ) async throws {
        let servers = ModelServers()
        try await servers.run { base in
            servers.setTranscripts(transcripts)
            let ears = EarlyTranscription(
                TranscriptionServer(
                    server: EngineFixtures.server("The transcription server", base, clock: ContinuousClock()), model: "whisper-1"))
            ears.listen(EngineFixtures.recording)
            let text = try await ears.text(of: EngineFixtures.recording + rest)
            try body(text, servers.received(.transcription).count)
        }
    }

    @Test func wordsBeforeAPauseCountIfNothingFollows() async throws {
        try await early(Data(count: 24_000), transcripts: ["I like tea.", "Never."]) { text, calls in
            #expect(text == "I like tea." && calls == 1)
        }
    }

    /// However the calls are ordered, the words of the beginning alone never are the answer.
    @Test func speechThatFollowsAPauseIsHeard() async throws {
        try await early(EngineFixtures.recording, transcripts: ["I like tea."]) { text, calls in
            #expect(text == "I like tea." && (1...2).contains(calls))
        }
    }

    @Test func silentBeginningIsTriedAgainWithTheWhole() async throws {
        try await early(Data(count: 24_000), transcripts: ["", "I like tea."]) { text, calls in
            #expect(text == "I like tea." && calls == 2)
        }
    }

    private func choices(_ stream: AsyncThrowingStream<TurnPiece, any Error>) async throws -> [String] {
        for try await piece in stream { if case .choices(let choices) = piece { return choices } }
        return []
    }
}
