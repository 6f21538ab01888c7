import AudioKit
import Foundation
import TestKit
import Testing

@testable import TalkCoService

/// What is understood of 60 utterances by ten voices, clean and in noise, as the table of `Docs/Hearing.md`: by the closed grammar, and by Whisper
/// where it is installed. None of the sentences was used to choose the grammar's probabilities.
@Suite(
    .serialized, .enabled(if: Effort.isSoak, "runs in make soak"),
    .enabled(
        if: HearingPrograms.flite != nil && HearingPrograms.espeak != nil && HearingPrograms.recognizer != nil,
        "install flite, espeak-ng, pocketsphinx and pocketsphinx-en-us"))
struct HearingTableTests {
    private enum Kind: String, CaseIterable {
        case offered = "an offered sentence"
        case near = "one with another word"
        case longer = "a longer one with another word"
        case free = "a free sentence"
    }

    private struct Question {
        var offered: [String]
        var near: String
        var longer: String
        var free: String

        func sentence(_ kind: Kind, _ index: Int) -> String {
            switch kind {
            case .offered: offered[index % offered.count]
            case .near: near
            case .longer: longer
            case .free: free
            }
        }
    }

    private static let questions = [
        Question(
            offered: ["It is very old.", "It is quiet, although it is in the city.", "You can see the whole city from there."],
            near: "It is very new.", longer: "You can see the whole mountain from there.", free: "We took the bus to the temple."),
        Question(
            offered: ["I like cities.", "I like nature, because I can relax there.", "I prefer to stay at home on holidays."],
            near: "I like islands.", longer: "I like nature, because I can swim there.", free: "My wife wants to see Paris."),
        Question(
            offered: [
                "My mother does.", "My father cooks, and we help him.", "We all stand in the kitchen and talk at the same time.",
            ],
            near: "My brother does.", longer: "My father drives, and we help him.", free: "We order pizza every Friday."),
        Question(
            offered: ["A coffee, please.", "I would like the chicken with rice, please.", "Could I have the soup first?"],
            near: "A beer, please.", longer: "I would like the fish with rice, please.", free: "Do you have anything without meat?"),
        Question(
            offered: ["Nothing.", "I eat potato chips.", "We order chicken, and it's gone before the movie starts."],
            near: "I eat chocolate cake.", longer: "We order pizza, and it's gone before the movie starts.",
            free: "Popcorn is too loud for me."),
        Question(
            offered: ["I played outside.", "I played with my cousins in the village.", "I watched cartoons every afternoon."],
            near: "I slept outside.", longer: "I played with my cousins in the garden.", free: "My grandmother told us stories."),
        Question(
            offered: ["Yes, on Sunday.", "I hope so, but I am not sure.", "Only in the evening, and then I want to rest."],
            near: "Yes, on Thursday.", longer: "Only in the morning, and then I want to rest.",
            free: "My whole week is full of meetings."),
        Question(
            offered: ["I like cooking.", "No, not really.", "I enjoy cleaning the kitchen while I listen to music."],
            near: "I like fishing.", longer: "I enjoy cleaning the kitchen while I listen to podcasts.",
            free: "My husband does the laundry."),
        Question(
            offered: [
                "The long hours.", "I would like to have a better computer.", "I wish my boss would listen to us more often.",
            ],
            near: "The low salary.", longer: "I would like to have a better chair.", free: "Nothing, I love what I do."),
        Question(
            offered: [
                "Why do you want this job?", "They asked me about my weaknesses.", "I had to describe a problem that I had solved.",
            ],
            near: "Why do you want this car?", longer: "They asked me about my children.",
            free: "I was so nervous that I forgot my name."),
        Question(
            offered: ["On my phone.", "I read the news on my phone on the way to work.", "My parents watch the news on TV."],
            near: "On my computer.", longer: "I read the news on my phone on the way to school.",
            free: "I stopped reading newspapers last year."),
        Question(
            offered: ["No, I don't.", "Yes, but there will also be new jobs.", "They may do the boring work."],
            near: "No, I can't.", longer: "Yes, but there will also be new problems.", free: "Robots already clean my floor."),
        Question(
            offered: ["It is about love.", "It is about a girl who moves to a big city.", "A man finds an old letter."],
            near: "It is about war.", longer: "It is about a boy who moves to a big city.", free: "I fell asleep after ten minutes."
        ),
        Question(
            offered: ["It is a kind of soup.", "It is soft, hot and full of meat.", "You have to be careful."],
            near: "It is a kind of bread.", longer: "It is soft, sweet and full of cream.", free: "You eat it with your fingers."),
        Question(
            offered: ["Yes, once.", "No, I am quite stubborn.", "Yes, about food, but never about politics."],
            near: "Yes, twice.", longer: "Yes, about money, but never about politics.", free: "It depends on who I talk with."),
    ]

    /// Nine voices, of which the last five are accents and voices of espeak-ng; the tenth is Piper's.
    private static let voices: [(name: String, arguments: [String])] =
        ["slt", "awb", "rms", "kal16"].map { ($0, ["-voice", $0]) }
        + ["en-us", "en-gb-scotland+f2", "en-gb-x-rp+m3", "en-us+f3", "en-029"].map { ($0, ["-v", $0, "-s", "150"]) }
    /// The loudness of the voice over that of the noise, in decibels; nil without noise.
    private static let noises: [Double?] = [nil, 20, 10]

    private static func speech(_ text: String, _ voice: Int, piper: SpeechServer?) async throws -> Data {
        if voice == voices.count, let piper {
            var samples = Data()
            for try await chunk in piper.speech(text) { samples += chunk }
            return samples
        }
        let (_, arguments) = voices[voice % voices.count]
        let program = ChildProgram(
            path: (arguments[0] == "-v" ? HearingPrograms.espeak : HearingPrograms.flite) ?? "", timeLimit: .seconds(60))
        return try await PrivateFolder.with { folder in
            try folder.write(Data((text + "\n").utf8), to: "text")
            let output = arguments[0] == "-v" ? ["-f", "text", "-w", "speech.wav"] : ["-f", "text", "-o", "speech.wav"]
            _ = try await program.run(arguments + output, in: folder.path, outputLimit: 65_536)
            return try WAVFile(parsing: folder.read("speech.wav", limit: 4_194_304) ?? Data()).mono(sampleRate: 24_000)
        }
    }

    /// With silence at both ends, and with the hiss of a room.
    private static func recorded(_ speech: Data, _ level: Double?, seed: UInt64) -> Data {
        let pause = [Int16](repeating: 0, count: 9_600)
        let samples = pause + PCM16.samples(speech) + pause
        guard let level else { return PCM16.data(samples) }
        let loudness = PCM16.rootMeanSquare(PCM16.trimmingSilence(speech, sampleRate: 24_000)) / pow(10, level / 20)
        var (random, last) = (SeededGenerator(seed: seed), 0.0)
        let noise = samples.map { _ in
            // Deep sounds are louder than high ones.
            last = 0.7 * last + Double.random(in: -1...1, using: &random)
            return last
        }
        let power = (noise.reduce(0) { $0 + $1 * $1 } / Double(noise.count)).squareRoot()
        return PCM16.data(
            zip(samples, noise).map { Int16(min(max(Double($0) + $1 / power * loudness, -32_768), 32_767)) })
    }

    private static func words(_ text: String) -> [String] { ChoiceGrammar.words(of: text) }

    /// Counts for each kind: understood as it was said, taken for another sentence that was offered, and neither.
    private func table(_ ears: any Ears, piper: SpeechServer?) async throws -> [Kind: [Int]] {
        var counts: [Kind: [Int]] = [:]
        var number = 0
        for (index, question) in Self.questions.enumerated() {
            for kind in Kind.allCases {
                let said = question.sentence(kind, index)
                let speech = try await Self.speech(said, number * 3 % 10, piper: piper)
                let recording = Self.recorded(speech, Self.noises[number % 3], seed: UInt64(number))
                let heard = try await ears.words(in: recording, offered: question.offered, for: .machine)
                let result =
                    Self.words(heard) == Self.words(said) ? 0 : question.offered.contains(heard) ? 1 : heard.isEmpty ? 2 : 3
                counts[kind, default: [0, 0, 0, 0]][result] += 1
                if result == 1 || result == 3 { print("\(said) [\(number * 3 % 10), \(Self.noises[number % 3] ?? 0)]: \(heard)") }
                number += 1
            }
        }
        print("| said | understood | taken for an offered one | refused | other words |\n| --- | --- | --- | --- | --- |")
        for kind in Kind.allCases {
            print("| \(kind.rawValue) | " + counts[kind, default: []].map(String.init).joined(separator: " | ") + " |")
        }
        return counts
    }

    @Test func closedGrammarRefusesNearAnswers() async throws {
        let counts = try await table(try #require(HearingPrograms.recognizer), piper: nil)
        #expect(counts[.near, default: []][1] + counts[.longer, default: []][1] <= 5)
        #expect(counts[.free, default: []][1] == 0)
        #expect(counts[.offered, default: []][0] >= 5 && counts[.offered, default: []][1] == 0)
    }

    @Test(.enabled(if: RealSpeech.isInstalled, "\(RealSpeech.requirement)")) func whisperHearsWhatWasSaid() async throws {
        try await RealSpeech.run { base in
            let clock = ContinuousClock()
            let server = TranscriptionServer(
                server: EngineFixtures.server("The transcription server", base, clock: clock), model: "whisper-1")
            let counts = try await table(ServerEars(server: server), piper: EngineFixtures.speech(base))
            #expect(Kind.allCases.reduce(0) { $0 + counts[$1, default: []][1] } == 0)
            #expect(Kind.allCases.reduce(0) { $0 + counts[$1, default: []][0] } >= 25)
        }
    }
}

/// What speaks and hears in the table.
private enum HearingPrograms {
    private static let searchPath = BuiltInProgramTests.searchPath
    static let flite = ChildProgram.find("flite", in: searchPath)
    static let espeak = ChildProgram.find("espeak-ng", in: searchPath)
    static let recognizer = ChoiceRecognizer.installed(in: searchPath, slots: ProgramSlots(count: 2))
}
