import Foundation
import NIOTransport
import ServerKit
import ServiceLifecycle
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The installed speech engines as a child process: start, failures and end.
@Suite(.serialized, .enabled(if: FakeSpeech.isSupported, "\(FakeSpeech.requirement)"))
struct SpeechEnginesTests {
    private static let pace = SpeechEngines.Pace(
        look: .milliseconds(20), check: .milliseconds(50), silence: .seconds(5), firstBackoff: .milliseconds(10),
        lastBackoff: .milliseconds(40))

    private let folder: TemporaryFolder
    private let engines: SpeechEngines

    init() throws {
        folder = try TemporaryFolder()
        engines = SpeechEngines(SpeechFolder(in: URL(filePath: folder.file("data"))), pace: Self.pace, logger: .quiet)
    }

    private func running(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [engines] in try await engines.run() }
            defer { group.cancelAll() }
            try await within(.seconds(120)) { try await body() }
        }
    }

    private func wait(until condition: @escaping @Sendable () throws -> Bool) async throws {
        while try !condition() { try await Task.sleep(for: .milliseconds(10)) }
    }

    private var server: OutsideServer {
        OutsideServer(
            "The speech program", at: SpeechEngines.address, key: nil,
            http: AsyncHTTP(socket: engines.socket, idleTimeout: .seconds(60)), clock: ContinuousClock())
    }

    /// The processes that serve the socket: the parent that waits, and the one that works.
    private var processes: [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter {
            let line = FileManager.default.contents(atPath: "/proc/\($0)/cmdline") ?? Data()
            return line.range(of: Data((engines.socket + "\0").utf8)) != nil || line.hasSuffix(engines.socket)
        }.sorted()
    }

    @Test func enginesHearAndSpeakAsSoonAsTheyAreInstalled() async throws {
        try await running { [self] in
            try await wait { engines.state == .absent }
            try await FakeSpeech.install(engines.folder)
            try await wait { engines.isRunning }
            let recording = EngineFixtures.recording
            #expect(try await TranscriptionServer(server: server, model: "whisper-1").text(of: recording) == "I heard you.")
            var samples = Data()
            for try await chunk in SpeechServer(server, model: "tts-1", voice: "Piper").speech("Hello.") { samples += chunk }
            // A tenth of a second of 24 kHz.
            #expect(abs(samples.count - 4_800) < 200)
        }
        // The kernel removes a process a moment after it was told to end.
        try await within(.seconds(60)) { [self] in try await wait { engines.state == .absent && processes.isEmpty } }
        #expect(!FileManager.default.fileExists(atPath: engines.socket))
    }

    @Test func recordingsOfTwoLearnersAreHeardOneAfterTheOther() async throws {
        try await FakeSpeech.install(engines.folder)
        try await running { [self] in
            try await wait { engines.isRunning }
            let transcription = TranscriptionServer(server: server, model: "whisper-1")
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try await transcription.text(of: EngineFixtures.recording) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(texts == Array(repeating: "I heard you.", count: 8))
        }
    }

    @Test(arguments: [SIGKILL, SIGSTOP]) func enginesThatEndOrHangAreStartedAgain(signal: CInt) async throws {
        try await FakeSpeech.install(engines.folder)
        try await running { [self] in
            try await wait { engines.isRunning }
            let first = processes
            for process in first.suffix(1) { kill(process, signal) }
            // Without a process the box may not have noticed the end yet.
            try await wait {
                let now = processes
                return !now.isEmpty && Set(now).isDisjoint(with: first) && engines.isRunning
            }
            #expect(try await TranscriptionServer(server: server, model: "w").text(of: EngineFixtures.recording) == "I heard you.")
        }
    }

    @Test func removedEnginesEnd() async throws {
        try await FakeSpeech.install(engines.folder)
        try await running { [self] in
            try await wait { engines.isRunning }
            try FileManager.default.removeItem(at: engines.folder.path)
            try await wait { engines.state == .absent && processes.isEmpty }
        }
    }

    @Test func cutModelIsNoInstallation() async throws {
        try await FakeSpeech.install(engines.folder)
        #expect(engines.folder.installed?.voice == "joe")
        try Data().write(to: URL(filePath: engines.folder.file("models/whisper/base/model.bin")))
        #expect(engines.folder.installed == nil)
    }

    @Test func movedFolderWorks() async throws {
        try await FakeSpeech.install(engines.folder)
        let moved = SpeechFolder(in: URL(filePath: folder.file("moved")))
        try FileManager.default.createDirectory(atPath: folder.file("moved"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: engines.folder.path, to: moved.path)
        let engines = SpeechEngines(moved, pace: Self.pace, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await engines.run() }
            defer { group.cancelAll() }
            try await within(.seconds(120)) { try await wait { engines.isRunning } }
        }
    }

    /// However the box ends, its end of the standard input is closed.
    @Test func programEndsWithItsStandardInput() async throws {
        try await FakeSpeech.install(engines.folder)
        let program = try await Program(
            executable: engines.folder.python,
            [
                "-I", SpeechFolder.program("speech.py"), "--whisper", engines.folder.file("models/whisper/base"), "--voice",
                engines.folder.file("models/voice/joe/joe.onnx"), "--socket", engines.socket,
            ], hasInput: true)
        #expect(try await program.line() == "Ready")
        let working = try #require(processes.last)
        kill(working, SIGSTOP)
        program.closeInput()
        _ = try await program.end()
        try await within(.seconds(60)) { try await wait { processes.isEmpty } }
    }

    @Test func configurationUsesThemForWhatIsNotSet() throws {
        func configuration(_ environment: [String: String]) throws -> EngineConfiguration? {
            try EngineConfiguration(try Settings(environment: environment)).usingInstalled(at: "/s")
        }
        let plain = try #require(try configuration([:]))
        #expect(plain.choice == .builtIn && plain.transcription?.socket == "/s" && plain.speech?.socket == "/s")
        #expect(plain.transcriptionModel == "whisper-1" && plain.speechModel == "tts-1")
        #expect(try configuration(["CHAT_URL": "http://b"])?.choice == .pipeline)
        #expect(try configuration(["CHAT_URL": "http://b", "TALK_ENGINE": "built-in"])?.choice == .builtIn)
        let ears = try #require(try configuration(["SPEECH_URL": "http://c", "SPEECH_VOICE": "eva"]))
        #expect(ears.speech?.socket == nil && ears.speechVoice == "eva" && ears.transcription?.socket == "/s")
        #expect(try configuration(["OPENAI_API_KEY": "k"]) == nil)
        #expect(try configuration(["SPEECH_URL": "http://c", "TRANSCRIPTION_URL": "http://a"]) == nil)
    }
}

extension Data {
    fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count) == Data(text.utf8) }
}
