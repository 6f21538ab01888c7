import AudioKit
import Foundation

/// A recognizer of the offered sentence that was read aloud, with the program pocketsphinx.
struct ChoiceRecognizer: Sendable {
    /// The folder of Debian's package pocketsphinx-en-us.
    static let debianModel = "/usr/share/pocketsphinx/model/en-us"
    private static let inputRate = 24_000
    private static let sampleRate = 16_000
    /// Maximum duration of the speech, in seconds; the rest is ignored.
    private static let maximumDuration = 30
    /// Minimum share of the time that the words of a recognized sentence take, 0 to 1.
    private static let minimumCoverage = 0.5

    private let program: ChildProgram
    private let model: String
    private let slots: ProgramSlots
    let dictionary: PronunciationDictionary

    init(
        path: String, model: String = debianModel, slots: ProgramSlots, timeLimit: Duration = .seconds(20),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        program = ChildProgram(path: path, timeLimit: timeLimit, clock: clock)
        self.model = model
        self.slots = slots
        dictionary = PronunciationDictionary(path: "\(model)/cmudict-en-us.dict")
    }

    /// Returns the recognizer; nil if the program or its model is not installed.
    static func installed(in searchPath: String, model: String = debianModel, slots: ProgramSlots) -> ChoiceRecognizer? {
        let files = ["en-us/mdef", "cmudict-en-us.dict"]
        guard let path = ChildProgram.find("pocketsphinx_batch", in: searchPath),
            files.allSatisfy({ FileManager.default.isReadableFile(atPath: "\(model)/\($0)") })
        else { return nil }
        return ChoiceRecognizer(path: path, model: model, slots: slots)
    }

    /// Finds the sentence that was read aloud.
    ///
    /// - Parameter samples: In `SpeechFormat`.
    /// - Returns: The index of the sentence; nil for silence, noise, and speech that matches no sentence.
    /// - Throws: ``EngineError``; `CancellationError`.
    func choice(
        among sentences: [String], in samples: Data, for network: CallerNetwork = .machine
    ) async throws -> Int? {
        guard !sentences.isEmpty, !PCM16.isSilent(samples) else { return nil }
        let heard = Self.prepared(samples)
        guard !heard.isEmpty else { return nil }
        let words = sentences.flatMap { ChoiceGrammar.words(of: $0) }
        let grammar = ChoiceGrammar(sentences, pronunciations: try await dictionary.pronunciations(of: words))
        let line = try await slots.withSlot(for: network) { try await segmentation(of: heard, grammar) }
        let hypothesis = grammar.hypothesis(line)
        return hypothesis.coverage >= Self.minimumCoverage ? hypothesis.sentence : nil
    }

    /// Returns the speech without the silence around it, at the model's sample rate.
    private static func prepared(_ samples: Data) -> Data {
        var resampler = Resampler(from: inputRate, to: sampleRate)
        let limit = maximumDuration * inputRate * PCM16.sampleSize
        let speech = PCM16.trimmingSilence(samples, sampleRate: inputRate, margin: .milliseconds(200)).prefix(limit)
        guard !speech.isEmpty else { return Data() }
        return resampler.process(Data(speech)) + resampler.finish()
    }

    private func segmentation(of samples: Data, _ grammar: ChoiceGrammar) async throws -> String {
        try await PrivateFolder.with { folder in
            try folder.write(samples, to: "turn.raw")
            try folder.write(Data("turn\n".utf8), to: "list")
            try folder.write(Data(grammar.grammar.utf8), to: "grammar")
            try folder.write(Data(grammar.dictionary.utf8), to: "dictionary")
            // Wide beams, because a learner's accent differs from the speakers of the model.
            _ = try await program.run(
                [
                    "-adcin", "yes", "-cepdir", ".", "-cepext", ".raw", "-ctl", "list", "-fsg", "grammar", "-dict", "dictionary",
                    "-hmm", "\(model)/en-us", "-cmn", "batch", "-lw", "1", "-beam", "1e-100", "-pbeam", "1e-100", "-wbeam", "1e-80",
                    "-hypseg", "result", "-hyp", "words", "-logfn", "log",
                ],
                in: folder.path, outputLimit: 65_536)
            return String(decoding: folder.read("result", limit: 65_536) ?? Data(), as: UTF8.self)
        }
    }
}
