import AudioKit
import Foundation
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The programs of the built-in engine: the installed ones, and scripts in their place.
@Suite struct BuiltInProgramTests {
    static let searchPath = "/usr/local/bin:/usr/bin:/bin"
    static let flite = ChildProgram.find("flite", in: searchPath)
    static let espeak = ChildProgram.find("espeak-ng", in: searchPath)

    /// Writes a shell script as a program.
    private func program(_ name: String, _ script: String, in folder: PrivateFolder) throws -> String {
        try folder.write(Data("#!/bin/sh\n\(script)\n".utf8), to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(of: name))
        return folder.path(of: name)
    }

    // MARK: Child processes

    @Test func programRunsInItsFolderWithAnEnvironmentOfItsOwn() async throws {
        try await PrivateFolder.with { folder in
            let path = try program("report", "cat; pwd; env | cut -d= -f1 | sort | tr '\\n' ' '", in: folder)
            let output = try await ChildProgram(path: path, timeLimit: .seconds(30)).run([], in: folder.path, outputLimit: 1_000)

            #expect(String(decoding: output, as: UTF8.self) == "\(folder.path)\nHOME LC_ALL PATH PWD ")
        }
    }

    @Test func programThatHangsIsKilled() async throws {
        try await PrivateFolder.with { folder in
            let path = try program("slow", "echo $$ > pid; exec sleep 1000", in: folder)
            let error = await #expect(throws: EngineError.self) {
                try await ChildProgram(path: path, timeLimit: .seconds(1)).run([], in: folder.path, outputLimit: 100)
            }

            #expect(error?.code == .timedOut)
            let text = String(decoding: try #require(folder.read("pid", limit: 100)), as: UTF8.self)
            let identifier = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(kill(identifier, 0) == -1)
        }
    }

    @Test func endlessOutputIsRefused() async {
        let yes = ChildProgram(path: "/usr/bin/yes", timeLimit: .seconds(30))
        let error = await #expect(throws: EngineError.self) { try await yes.run([], outputLimit: 10_000) }

        #expect(error?.code == .failed)
    }

    @Test func failedAndMissingProgramsAreNamed() async {
        for path in ["/bin/false", "/nonexistent/flite"] {
            let error = await #expect(throws: EngineError.self) {
                try await ChildProgram(path: path, timeLimit: .seconds(30)).run([], outputLimit: 100)
            }
            #expect(error?.description.hasPrefix(path == "/bin/false" ? "false failed" : "flite cannot be used") == true)
        }
    }

    @Test func temporaryFilesArePrivateAndRemoved() async throws {
        let path = try await PrivateFolder.with { folder in
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            try folder.write(Data([1]), to: "file")
            #expect(folder.read("file", limit: 1) == Data([1]) && folder.read("file", limit: 0) == nil)
            return folder.path
        }

        #expect(!FileManager.default.fileExists(atPath: path))
    }

    // MARK: Slots

    @Test func noMoreTasksThanSlotsWorkAtOnce() async throws {
        let slots = ProgramSlots(count: 2)
        let state = Locked((now: 0, most: 0, total: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await slots.withSlot {
                        state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.total + 1) }
                        for _ in 0..<10 { await Task.yield() }
                        state.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }

        #expect(state.withLock { $0.now } == 0)
        #expect(state.withLock { $0.total } == 40)
        #expect(state.withLock { $0.most } <= 2)
    }

    @Test func cancelledTaskLeavesTheQueue() async throws {
        let slots = ProgramSlots(count: 1)
        try await slots.withSlot {
            let waiting = Task { try await slots.withSlot {} }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        try await slots.withSlot {}
    }

    @Test func fullQueueIsRefused() async throws {
        let slots = ProgramSlots(count: 1)
        let refused = await slots.refusals(ofAdditional: 10)

        #expect(refused == 10)
    }

    // MARK: Voices

    @Test(
        .enabled(if: flite != nil && espeak != nil, "install flite and espeak-ng"),
        arguments: [SpeechProgram.Kind.flite(voice: "slt"), .espeak])
    func sentenceIsSpokenAt24kHz(kind: SpeechProgram.Kind) async throws {
        let program = SpeechProgram(kind, path: try #require(kind == .espeak ? Self.espeak : Self.flite))

        let normal = try await program.samples(of: "I went hiking with my family last weekend.")
        let slow = try await program.samples(of: "I went hiking with my family last weekend.", pace: .slow)

        #expect(!PCM16.isSilent(normal) && normal.count % 2 == 0)
        let duration = PCM16.duration(normal, sampleRate: 24_000)
        #expect(duration > .seconds(1.5) && duration < .seconds(6))
        #expect(slow.count > normal.count * 21 / 20)
    }

    /// The text is data for the program, whatever it looks like.
    @Test(
        .enabled(if: flite != nil && espeak != nil, "install flite and espeak-ng"),
        arguments: ["--help", "-o made.wav hello", "$(touch made) `touch made`; touch made", "/etc/passwd", "<speak>hello</speak>"])
    func textIsNeverAnOption(text: String) async throws {
        for program in [SpeechProgram(.flite(voice: "slt"), path: Self.flite!), SpeechProgram(.espeak, path: Self.espeak!)] {
            let samples = try await program.samples(of: text)

            let duration = PCM16.duration(samples, sampleRate: 24_000)
            #expect(duration > .milliseconds(200) && duration < .seconds(15))
        }
        #expect(!FileManager.default.fileExists(atPath: "/made") && !FileManager.default.fileExists(atPath: "made"))
    }

    @Test(.enabled(if: flite != nil, "install flite")) func longTextIsCut() async throws {
        let program = SpeechProgram(.flite(voice: "slt"), path: Self.flite!, timeLimit: .seconds(60))

        let samples = try await program.samples(of: String(repeating: "hello ", count: 5_000))

        #expect(PCM16.duration(samples, sampleRate: 24_000) < .seconds(150))
    }

    @Test func unspeakableTextsAreSilent() async throws {
        let program = SpeechProgram(.espeak, path: "/nonexistent")

        for text in ["", "   ", "你好！", "…", "🙂"] { #expect(try await program.samples(of: text).isEmpty) }
        #expect(SpeechProgram.spoken("“Café” – it’s 50 % off…\n") == "Cafe , it's 50 percent off.\n")
    }

    @Test func brokenVoiceIsAnError() async throws {
        try await PrivateFolder.with { folder in
            let program = SpeechProgram(.espeak, path: try program("espeak-ng", "echo no sound > speech.wav", in: folder))
            let error = await #expect(throws: EngineError.self) { try await program.samples(of: "Hello") }

            #expect(error?.description.contains("espeak-ng wrote no usable speech") == true)
        }
    }

    @Test func fliteIsPreferredAndEspeakTheFallback() async throws {
        try await PrivateFolder.with { folder in
            #expect(await SpeechProgram.best(in: folder.path) == nil)
            _ = try program("espeak-ng", "exit 1", in: folder)
            #expect(await SpeechProgram.best(in: folder.path)?.kind == .espeak)
            _ = try program("flite", "exit 1", in: folder)
            #expect(await SpeechProgram.best(in: folder.path)?.kind == .espeak)
            _ = try program("flite", "echo 'Voices available: kal awb rms'", in: folder)
            #expect(await SpeechProgram.best(in: folder.path)?.kind == .flite(voice: "rms"))
        }
    }

    // MARK: Sentences

    @Test func textIsDividedIntoSentences() {
        #expect(SpokenSentences.of("Hello, Mr. Lin! How are you? I'm fine.") == ["Hello, Mr. Lin!", "How are you?", "I'm fine."])
        #expect(SpokenSentences.of("It is “good.” Really") == ["It is “good.”", "Really"])
        #expect(SpokenSentences.of(" \n ").isEmpty)
        #expect(SpokenSentences.of(String(repeating: "word ", count: 200)).allSatisfy { $0.count <= 240 })
    }
}

extension ProgramSlots {
    /// The number of refused tasks when the slot is taken and the queue is full.
    fileprivate func refusals(ofAdditional count: Int) async -> Int {
        let total = Self.maximumWaitingCount + count
        return await withTaskGroup(of: Bool.self) { group in
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            let (starts, started) = AsyncStream.makeStream(of: Void.self)
            group.addTask {
                try? await self.withSlot {
                    started.yield()
                    for await _ in gate { break }
                }
                return false
            }
            for await _ in starts { break }
            for _ in 0..<total {
                group.addTask {
                    do {
                        try await self.withSlot {}
                        return false
                    } catch {
                        return error is EngineError
                    }
                }
            }
            var refused = 0
            for await wasRefused in group {
                if wasRefused { refused += 1 }
                if refused == count { open.finish() }
            }
            return refused
        }
    }
}
