import AudioKit
import Foundation
import Logging
import NIOTransport
import TalkCoStandIns
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The pipeline with Whisper and Piper, where `SWITCHBOARD_WHISPER` and `SWITCHBOARD_PIPER` name their models, or `switchboard talkco engines
/// --install` has installed them in the data folder: `Docs/Operations.md`.
@Suite(
    .serialized, .enabled(if: Effort.isSoak, "runs in make soak"), .enabled(if: RealSpeech.isInstalled, "\(RealSpeech.requirement)")
)
struct RealSpeechTests {
    private func talk(
        format: String? = nil, hasDecoder: Bool = true,
        _ body: @escaping @Sendable (any Conversation, ModelServers) async throws -> Void
    ) async throws {
        let servers = ModelServers()
        try await RealSpeech.run { speech in
            try await servers.run { base in
                let clock = ContinuousClock()
                let decoder = hasDecoder ? SoundDecoder(in: RealSpeech.searchPath) : nil
                let engine = PipelineEngine(
                    transcription: TranscriptionServer(
                        server: EngineFixtures.server("The transcription server", speech, clock: clock), model: "whisper-1"),
                    chat: EngineFixtures.chat(base),
                    speech: SpeechServer(
                        EngineFixtures.server("The speech server", speech, clock: clock), model: "tts-1", voice: "joe",
                        options: .init(format: format, decoder: decoder)), logger: .quiet)
                try await within(.seconds(300)) { try await body(try await engine.open(EngineFixtures.brief), servers) }
            }
        }
    }

    /// The voice of an answer.
    private static func say(_ text: String, _ conversation: any Conversation, _ servers: ModelServers) async throws -> Data {
        servers.setAnswers([text])
        return try await HeardTurn(conversation.answer(.text("x"))).audio
    }

    private static func words(_ text: String) -> [Substring] {
        text.lowercased().split { !$0.isLetter && $0 != "'" }
    }

    @Test func whatPiperSaysWhisperHears() async throws {
        let sentences = ["I like to travel with my family.", "Yesterday I went to the night market.", "No, I do not think so."]
        try await talk { conversation, servers in
            for sentence in sentences {
                let speech = try await Self.say(sentence, conversation, servers)
                let turn = try await HeardTurn(conversation.answer(.speech(speech)))
                #expect(turn.transcripts.map(Self.words) == [Self.words(sentence)])
            }
        }
    }

    @Test(arguments: ["wav", "pcm", "mp3", "opus", "aac", "flac"]) func everyFormatIsHeard(format: String) async throws {
        try await talk(format: format) { conversation, servers in
            let speech = try await Self.say("The weather is nice today.", conversation, servers)
            let turn = try await HeardTurn(conversation.answer(.speech(speech)))
            #expect(turn.transcripts.map(Self.words) == [Self.words("The weather is nice today.")])
        }
    }

    @Test func listsPicturesAndAddressesAreNotRead() async throws {
        try await talk { conversation, servers in
            let speech = try await Self.say(
                "Look at this list:\n1. **Green tea** 🍵\n- Chocolate cake\n\nSee https://example.com/menu?x=1.", conversation,
                servers)
            let heard = try await HeardTurn(conversation.answer(.speech(speech))).transcripts.first ?? ""
            #expect(heard.lowercased().contains("chocolate") && heard.lowercased().contains("link"), "\(heard)")
            for word in ["http", "slash", "example", "asterisk", "one"] { #expect(!heard.lowercased().contains(word), "\(heard)") }
        }
    }

    @Test func silenceAndNoiseHaveNoWords() async throws {
        var random = SeededGenerator(seed: 2)
        let noises = [0.0, 300, 900, 3_000].map { width in
            PCM16.data((0..<72_000).map { _ in Int16(width == 0 ? 0 : Double.random(in: -width...width, using: &random)) })
        }
        try await talk { conversation, _ in
            for noise in noises {
                let turn = try await HeardTurn(conversation.answer(.speech(noise)))
                #expect(turn.transcripts == [""])
            }
        }
    }

    @Test func quietSpeechAndSpeechInNoiseAreHeard() async throws {
        try await talk { conversation, servers in
            let speech = PCM16.samples(try await Self.say("I like to drink tea in the morning.", conversation, servers))
            let loudness = PCM16.rootMeanSquare(PCM16.data(speech))
            var random = SeededGenerator(seed: 4)
            for (level, noise) in [(400.0, 0.0), (2_000, 300), (4_000, 900)] {
                let samples = speech.map { Double($0) * level / loudness + Double.random(in: -1...1, using: &random) * noise }
                let recording = PCM16.data(samples.map { Int16(min(max($0, -32_768), 32_767)) })
                let heard = try await HeardTurn(conversation.answer(.speech(recording))).transcripts.first ?? ""
                #expect(heard.lowercased().contains("tea"), "\(level) \(noise): \(heard)")
            }
        }
    }
}

/// The server around both programs.
enum RealSpeech {
    static let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    private static let environment = ProcessInfo.processInfo.environment
    private static let folder = SpeechFolder(
        in: environment["SWITCHBOARD_DATA"].map { URL(filePath: $0) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share/switchboard"))
    private static let installed = folder.installed
    private static let whisper = environment["SWITCHBOARD_WHISPER"] ?? installed.map { folder.file($0.whisperPath) }
    private static let piper = environment["SWITCHBOARD_PIPER"] ?? installed.map { folder.file($0.voicePath) }
    /// The Python that has both packages.
    private static let python =
        environment["SWITCHBOARD_SPEECH_PYTHON"] ?? installed.map { _ in folder.python }
        ?? ChildProgram.find("python3", in: searchPath)
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../RealSpeech/speech_server.py")

    static let requirement =
        "SWITCHBOARD_WHISPER and SWITCHBOARD_PIPER do not name the models of faster-whisper and Piper, and they are not installed"
    static var isInstalled: Bool {
        [whisper, piper, python].allSatisfy { $0.map { FileManager.default.fileExists(atPath: $0) } == true }
    }

    /// Runs `body` with the server's address.
    static func run(_ body: @Sendable (_ base: URL) async throws -> Void) async throws {
        let program = try await Program(
            executable: python ?? "", [script.path, "--whisper", whisper ?? "", "--voice", piper ?? ""])
        defer { program.send(SIGKILL) }
        // The models are loaded before the line is written.
        let line = try await program.line() ?? ""
        let address = try #require(line.firstMatch(of: /http:\/\/localhost:\d+/)?.output)
        try await body(try #require(URL(string: address.replacing("localhost", with: "127.0.0.1") + "/v1")))
    }
}
