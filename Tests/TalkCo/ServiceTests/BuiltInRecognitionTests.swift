import AudioKit
import Foundation
import TalkCoWire
import TestKit
import Testing

@testable import TalkCoService

/// The recognition of sentences that flite reads aloud.
///
/// Measured on 111 of the 222 sets of choices in the script, one sentence of each read by the voice `slt`: 110 are recognized, none is taken for
/// another choice, and none of 111 sentences from other sets is taken for a choice. The bounds below leave room for other versions of the programs.
@Suite(
    .enabled(
        if: BuiltInProgramTests.flite != nil
            && ChoiceRecognizer.installed(in: BuiltInProgramTests.searchPath, slots: ProgramSlots(count: 1)) != nil,
        "install flite, pocketsphinx and pocketsphinx-en-us"))
struct BuiltInRecognitionTests {
    private let voice = SpeechProgram(.flite(voice: "slt"), path: BuiltInProgramTests.flite ?? "")
    private let recognizer = ChoiceRecognizer.installed(in: BuiltInProgramTests.searchPath, slots: ProgramSlots(count: 2))!

    /// Some questions of each topic.
    private static let questions = Topic.all.flatMap { TutorTexts.bundled.topic($0).questions.prefix(3) }

    private func noise(amplitude: Int16, seconds: Int = 2) -> Data {
        var random = SeededGenerator(seed: 5)
        return PCM16.data((0..<24_000 * seconds).map { _ in Int16.random(in: -amplitude...amplitude, using: &random) })
    }

    @Test func spokenChoicesAreRecognized() async throws {
        var (right, wrong) = (0, 0)
        for (index, question) in Self.questions.enumerated() {
            let spoken = index % question.answers.count
            let choice = try await recognizer.choice(
                among: question.answers, in: try await voice.samples(of: question.answers[spoken]))
            if choice == spoken { right += 1 } else if choice != nil { wrong += 1 }
        }

        #expect(right >= Self.questions.count - 2)
        #expect(wrong == 0)
    }

    @Test func otherSentencesAreRejected() async throws {
        var accepted: [String] = []
        for (index, question) in Self.questions.enumerated() {
            let other = Self.questions[(index + 7) % Self.questions.count].answers[1]
            let choice = try await recognizer.choice(among: question.answers, in: try await voice.samples(of: other))
            if let choice { accepted.append("\(other) as \(question.answers[choice])") }
        }

        #expect(accepted.count <= 1, "\(accepted)")
    }

    @Test func silenceAndNoiseAreNoChoice() async throws {
        let choices = Self.questions[0].answers
        for samples in [
            Data(), Data([1]), Data(count: 96_000), noise(amplitude: 500), noise(amplitude: 3_000), noise(amplitude: 20_000),
        ] {
            #expect(try await recognizer.choice(among: choices, in: samples) == nil)
        }
        #expect(try await recognizer.choice(among: [], in: noise(amplitude: 3_000)) == nil)
        #expect(try await recognizer.choice(among: ["", "…"], in: noise(amplitude: 3_000)) == nil)
    }

    @Test func speechAmongSilenceAndQuietNoiseIsRecognized() async throws {
        let choices = Self.questions[0].answers
        let speech = PCM16.samples(try await voice.samples(of: choices[1]))
        let background = PCM16.samples(noise(amplitude: 60, seconds: 12))
        let samples = background.indices.map { index -> Int16 in
            let sample = index >= 48_000 && index - 48_000 < speech.count ? speech[index - 48_000] : 0
            return Int16(clamping: Int(background[index]) + Int(sample))
        }

        #expect(try await recognizer.choice(among: choices, in: PCM16.data(samples)) == 1)
    }

    @Test func wordsOutsideTheDictionaryMatchAnySound() async throws {
        let choices = ["I like Zhajiangmian with my friends.", "We went to the mountains by bus."]

        #expect(try await recognizer.choice(among: choices, in: try await voice.samples(of: choices[0])) == 0)
        #expect(try await recognizer.choice(among: choices, in: try await voice.samples(of: choices[1])) == 1)
    }

    @Test func missingModelIsAnError() async {
        let recognizer = ChoiceRecognizer(path: "/usr/bin/pocketsphinx_batch", model: "/nonexistent", slots: ProgramSlots(count: 1))

        await #expect(throws: EngineError.self) { try await recognizer.choice(among: ["Hello there"], in: noise(amplitude: 3_000)) }
    }
}

@Suite struct ChoiceGrammarTests {
    private let grammar = ChoiceGrammar(
        ["I'm here!", "No, thank you.", "I like Zhajiangmian."],
        pronunciations: [
            "i'm": ["AY M"], "here": ["HH IY R"], "no": ["N OW"], "thank": ["TH AE NG K"], "you": ["Y UW"], "i": ["AY"],
            "like": ["L AY K", "L IH K"],
        ])

    @Test func grammarHasAStateForEachWord() {
        let lines = grammar.grammar.split(separator: "\n").map { String($0) }

        #expect(lines.first == "FSG_BEGIN choices" && lines.last == "FSG_END")
        #expect(lines.contains("TRANSITION 0 4 1.0 i'm") && lines.contains("TRANSITION 4 1 1.0 here"))
        let count = lines.first { $0.hasPrefix("NUM_STATES ") }.flatMap { Int($0.dropFirst(11)) } ?? 0
        let states = lines.filter { $0.hasPrefix("TRANSITION") }.flatMap { $0.split(separator: " ")[1...2] }.compactMap { Int($0) }
        #expect(states.max() == count - 1)
    }

    /// Speech can leave a sentence before each of its words, and come back there.
    @Test func everyWordHasAWayOut() {
        let lines = ChoiceGrammar(["I live alone."], pronunciations: ["i": ["AY"], "live": ["L IH V"], "alone": ["AH L OW N"]])
            .grammar.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for state in [0, 4, 5] { #expect(lines.contains("TRANSITION \(state) 2 \(ChoiceGrammar.wayOutProbability)")) }
        for state in [1, 2, 4, 5] { #expect(lines.contains("TRANSITION 3 \(state) 1.0")) }
    }

    @Test func dictionaryListsEveryPronunciation() {
        #expect(grammar.dictionary.contains("\nlike L AY K\nlike(2) L IH K\n"))
        #expect(grammar.dictionary.hasSuffix("_zh ZH\n"))
    }

    @Test func segmentationIsRead() {
        func line(_ words: String) -> String { "turn S 0 T -9 A -8 L -1 0 \(words)" }

        #expect(
            grammar.hypothesis(line("-1 0 <sil> 10 -1 0 no 20 -1 0 thank(2) 40 -1 0 you 50")) == .init(sentence: 1, coverage: 0.8))
        #expect(grammar.hypothesis(line("-1 0 i 10 -1 0 like(2) 20 -1 0 _jh 30 -1 0 _aa 40")).sentence == 2)
        #expect(grammar.hypothesis(line("-1 0 _jh 30 -1 0 _aa 40")).sentence == nil)
        #expect(grammar.hypothesis(line("-1 0 no 30")).sentence == nil)
    }

    @Test(arguments: [
        "", "turn", "turn S 0 T 0 A 0 L 0 292", "turn L x y z", "L 0 9223372036854775807 0 0 a -9223372036854775808",
        "turn L 0 5 1 1 no 5",
    ])
    func oddSegmentationsAreNoSentence(line: String) {
        #expect(grammar.hypothesis(line).sentence == nil)
    }

    @Test func wordsOfTheDictionaryAreFoundOnce() async throws {
        try await PrivateFolder.with { folder in
            try folder.write(Data("a AH\na(2) EY\nab AE B\nb.c. B IY\nodd XX\nend EH N D".utf8), to: "dictionary")
            let dictionary = PronunciationDictionary(path: folder.path(of: "dictionary"))

            #expect(
                try await dictionary.pronunciations(of: ["a", "end", "odd", "none", "a"]) == [
                    "a": ["AH", "EY"], "end": ["EH N D"],
                ])
            #expect(try await dictionary.pronunciations(of: ["ab", "a"]) == ["a": ["AH", "EY"], "ab": ["AE B"]])
        }
    }
}
