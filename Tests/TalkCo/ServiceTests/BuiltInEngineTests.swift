import AudioKit
import Foundation
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

@Suite struct BuiltInEngineTests {
    private static let isInstalled =
        BuiltInProgramTests.flite != nil
        && ChoiceRecognizer.installed(in: BuiltInProgramTests.searchPath, slots: ProgramSlots(count: 1)) != nil

    private let brief = TalkBrief(
        mode: .conversation, topic: Topic.all[1], level: .b1, now: Timestamp(milliseconds: 1_764_000_000_000))

    private func installed() async -> BuiltInEngine {
        await BuiltInEngine.installed(
            searchPath: BuiltInProgramTests.searchPath, texts: .bundled, random: { SeededGenerator(seed: 2) })
    }

    private func pieces(_ stream: AsyncThrowingStream<TurnPiece, any Error>) async throws -> [TurnPiece] {
        var pieces: [TurnPiece] = []
        for try await piece in stream { pieces.append(piece) }
        return pieces
    }

    private func audio(_ pieces: [TurnPiece]) -> Data {
        pieces.reduce(into: Data()) { data, piece in if case .audio(let samples) = piece { data += samples } }
    }

    private func response(_ pieces: [TurnPiece]) -> String? {
        for case .response(let text) in pieces { return text }
        return nil
    }

    private func choices(_ pieces: [TurnPiece]) -> [String] {
        for case .choices(let choices) in pieces { return choices }
        return []
    }

    @Test(.enabled(if: isInstalled, "install flite, pocketsphinx and pocketsphinx-en-us")) func learnerTalksByReadingChoicesAloud()
        async throws
    {
        let engine = await installed()
        #expect(engine.info.hearing == .choices && engine.info.speaks && engine.info.kind == .builtIn)
        let conversation = try await engine.open(brief)
        let greeting = try await pieces(conversation.greeting())
        #expect(!PCM16.isSilent(audio(greeting)) && choices(greeting).count == 3)
        guard case .audio = greeting.first else {
            Issue.record("the greeting begins with sound")
            return
        }

        // The tutor's own voice plays the learner.
        let voice = try #require(engine.voice)
        var learner = Data()
        for try await chunk in voice.speech(choices(greeting)[1]) { learner += chunk }
        let answer = try await pieces(conversation.answer(.speech(learner)))

        #expect(answer.first == .transcript(choices(greeting)[1]))
        #expect(!audio(answer).isEmpty && audio(answer).count % 2 == 0)
        #expect(response(answer)?.isEmpty == false && choices(answer) != choices(greeting))
        guard case .choices = answer.last else {
            Issue.record("the choices are last")
            return
        }
        await conversation.close()
    }

    @Test(.enabled(if: isInstalled, "install flite, pocketsphinx and pocketsphinx-en-us"))
    func noiseIsAnsweredKindlyWithTheSameChoices() async throws {
        let conversation = try await (await installed()).open(brief)
        let greeting = try await pieces(conversation.greeting())
        var random = SeededGenerator(seed: 4)
        let noise = PCM16.data((0..<48_000).map { _ in Int16.random(in: -4_000...4_000, using: &random) })

        let answer = try await pieces(conversation.answer(.speech(noise)))

        #expect(answer.first == .transcript(""))
        #expect(choices(answer) == choices(greeting) && response(answer)?.isEmpty == false)
    }

    @Test func withoutProgramsTheTalkIsWritten() async throws {
        let engine = await BuiltInEngine.installed(searchPath: "/nonexistent", texts: .bundled)
        #expect(engine.info.hearing == .nothing && !engine.info.speaks && engine.voice == nil)
        let conversation = try await engine.open(brief)

        let greeting = try await pieces(conversation.greeting())
        let answer = try await pieces(conversation.answer(.text("I went to Japan.")))
        let unheard = try await pieces(conversation.answer(.speech(Data(repeating: 99, count: 48_000))))

        #expect(audio(greeting).isEmpty && response(greeting) != nil)
        #expect(answer.count == 2 && response(answer) != nil)
        #expect(unheard.first == .transcript("") && choices(unheard) == choices(answer))
    }

    @Test func brokenVoiceLeavesTheWords() async throws {
        let voice = ProgramVoice(SpeechProgram(.espeak, path: "/bin/false"), slots: ProgramSlots(count: 1))
        let conversation = try await BuiltInEngine(voice: voice, recognizer: nil, texts: .bundled).open(brief)

        let answer = try await pieces(conversation.answer(.text("I went to Japan.")))

        #expect(audio(answer).isEmpty && response(answer) != nil && choices(answer).count >= 2)
        await #expect(throws: EngineError.self) { for try await _ in voice.speech("Hello") {} }
    }

    @Test func abandonedAnswerLeavesNothingForTheNext() async throws {
        let engine = BuiltInEngine(voice: nil, recognizer: nil, texts: .bundled, random: { SeededGenerator(seed: 2) })
        let conversation = try await engine.open(brief)
        _ = try await pieces(conversation.greeting())
        for try await _ in conversation.answer(.text("I went to Japan.")) { break }

        let answer = try await pieces(conversation.answer(.text("Yes, I do.")))

        #expect(answer.count == 2)
    }

    @Test func reviewSessionsDrill() async throws {
        var brief = brief
        brief.mode = .review
        brief.weakPoints = [
            "grammar": [WeakPoint(pattern: "冠詞", examples: [.init(wrong: "I ate a apple.", correct: "I ate an apple.")])]
        ]
        let conversation = try await BuiltInEngine(voice: nil, recognizer: nil, texts: .bundled).open(brief)

        #expect(choices(try await pieces(conversation.greeting())) == ["I ate an apple."])
    }

    @Test func enginesWithoutSettingsAreComplete() async {
        let engines = await Engines.builtIn(searchPath: "/nonexistent", texts: .bundled)

        #expect(engines.info == EngineInfo(kind: .builtIn, name: "Built-in tutor", hearing: .nothing, speaks: false, judge: nil))
        #expect(engines.voice == nil)
    }
}
