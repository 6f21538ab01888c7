import AudioKit
import Foundation

/// A program that speaks: flite or espeak-ng. Both are separate programs, never linked: espeak-ng is GPL.
struct SpeechProgram: Sendable {
    enum Kind: Hashable, Sendable {
        /// The program flite, with the name of one of its voices.
        case flite(voice: String)
        case espeak
    }

    /// Maximum length of a text, in characters. Longer texts are cut.
    static let maximumTextLength = 1_000
    /// Maximum size of a file of speech, in bytes: a minute and a half at 22,050 Hz.
    private static let outputLimit = 4_194_304
    private static let sampleRate = 24_000

    let kind: Kind
    private let program: ChildProgram

    init(_ kind: Kind, path: String, timeLimit: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()) {
        self.kind = kind
        program = ChildProgram(path: path, timeLimit: timeLimit, clock: clock)
    }

    /// The program's name as users see it.
    var name: String {
        switch kind {
        case .flite(let voice): "flite (\(voice))"
        case .espeak: "espeak-ng"
        }
    }

    /// Returns the best installed program; nil for none.
    ///
    /// The most intelligible voice comes first: pocketsphinx recognizes 110 of 111 sentences by flite's voice `slt`, 53 of 56 by
    /// `awb`, and 48 of 56 by espeak-ng.
    static func best(in searchPath: String) async -> SpeechProgram? {
        if let flite = ChildProgram.find("flite", in: searchPath) {
            // A flite that lists no voices cannot speak.
            let list = try? await ChildProgram(path: flite, timeLimit: .seconds(5)).run(["-lv"], outputLimit: 65_536)
            let voices = String(decoding: list ?? [], as: UTF8.self).split { $0.isWhitespace }
            if let voice = ["slt", "rms", "awb", "kal16"].first(where: { name in voices.contains { $0 == name } }) {
                return SpeechProgram(.flite(voice: voice), path: flite)
            }
        }
        return ChildProgram.find("espeak-ng", in: searchPath).map { SpeechProgram(.espeak, path: $0) }
    }

    /// Returns the samples of a sentence in `SpeechFormat`. A file passes the text, so that no text is taken for an option.
    ///
    /// - Returns: Empty if the text has no letter or digit.
    /// - Throws: ``EngineError``; `CancellationError`.
    func samples(of sentence: String, pace: Pace = .normal) async throws -> Data {
        guard let text = Self.spoken(sentence) else { return Data() }
        let file = try await PrivateFolder.with { folder in
            try folder.write(Data(text.utf8), to: "text")
            _ = try await program.run(arguments(pace), in: folder.path, outputLimit: 65_536)
            guard let file = folder.read("speech.wav", limit: Self.outputLimit) else {
                throw EngineError(.failed, "\(name) wrote no speech")
            }
            return file
        }
        do {
            return try WAVFile(parsing: file).mono(sampleRate: Self.sampleRate)
        } catch {
            throw EngineError(.failed, "\(name) wrote no usable speech: \(error)")
        }
    }

    private func arguments(_ pace: Pace) -> [String] {
        switch kind {
        case .flite(let voice):
            return ["-voice", voice, "--setf", "duration_stretch=\(pace.stretch)", "-f", "text", "-o", "speech.wav"]
        case .espeak:
            return ["-v", "en-us", "-s", String(Int(160 / pace.stretch)), "-f", "text", "-w", "speech.wav"]
        }
    }

    /// Returns the text without characters that a voice cannot say: other scripts, symbols, line breaks.
    ///
    /// - Returns: nil if nothing remains.
    static func spoken(_ text: String) -> String? {
        let replacements: [Character: String] = [
            "’": "'", "‘": "'", "“": " ", "”": " ", "\"": " ", "…": ".", "–": ",", "—": ",", "&": " and ", "%": " percent ",
        ]
        var spoken = ""
        for character in text.prefix(maximumTextLength) {
            if let replacement = replacements[character] {
                spoken += replacement
            } else if character.isASCII, character.isLetter || character.isNumber || ".,!?'-:;$".contains(character) {
                spoken.append(character)
            } else if let plain = String(character).applyingTransform(.stripDiacritics, reverse: false), plain.utf8.count == 1,
                plain.first?.isLetter == true
            {
                spoken += plain
            } else {
                spoken += " "
            }
        }
        let words = spoken.split(separator: " ").joined(separator: " ")
        return words.contains { $0.isLetter || $0.isNumber } ? words + "\n" : nil
    }
}
