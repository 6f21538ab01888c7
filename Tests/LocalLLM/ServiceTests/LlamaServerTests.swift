import Foundation
import LocalLLMWire
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

/// The program that serves a model by llama.cpp's server.
private enum LlamaServer {
    static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "LlamaServer/llama_server.py").path
    /// A Python with the packages `xllamacpp` and `gguf`.
    static let python = ProcessInfo.processInfo.environment["SWITCHBOARD_PYTHON"] ?? "python3"
    /// The reason for which the server is not run.
    static let obstacle: String? = {
        guard Effort.isSoak else { return "The server of llama.cpp is for make soak." }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, script, "--check"]
        let pipe = Pipe()
        process.standardError = pipe
        do { try process.run() } catch { return "\(error)" }
        // One line.
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : output
    }()
}

/// The engine with the server of llama.cpp, in `make soak`. See `Tests/LocalLLM/LlamaServer`.
@Suite(.serialized, .enabled(if: LlamaServer.obstacle == nil, Comment(rawValue: LlamaServer.obstacle ?? "")))
struct LlamaServerTests {
    private func withServer<Value>(
        context: Int, tokens: Int, _ body: (OpenAIEngine, Program) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let program = try await Program(
            executable: "/usr/bin/env", [LlamaServer.python, LlamaServer.script, folder.path, "\(context)", "\(tokens)"])
        defer { program.send(SIGKILL) }
        let address = try #require(try await program.line().flatMap { URL(string: $0) })
        return try await body(OpenAIEngine(ModelServer(at: address, http: AsyncHTTP(idleTimeout: .seconds(600)))), program)
    }

    private func generate(
        _ turns: [ChatTurn], by engine: OpenAIEngine, onText: @escaping @Sendable () -> Void = {}
    ) async throws -> ([EngineEvent], FinishReason) {
        let events = Locked([EngineEvent]())
        let reason = try await engine.generate(EngineRequest(model: "bytes.gguf", turns: turns)) { event in
            events.withLock { $0.append(event) }
            if case .text = event { onText() }
        }
        return (events.withLock { $0 }, reason)
    }

    @Test func longConversationLosesItsOldestTurns() async throws {
        try await withServer(context: 512, tokens: 16) { engine, _ in
            #expect(try await engine.models().map(\.name) == ["bytes"])
            let turns = (1...6).flatMap {
                [ChatTurn(.user, "question \($0)"), ChatTurn(.assistant, String(repeating: "a", count: 100))]
            }
            let (events, _) = try await generate(turns + [ChatTurn(.user, "prompt")], by: engine)
            // A byte is a token, and a quarter is left for the answer.
            let omitted = events.compactMap { if case .omitted(let count) = $0 { count } else { nil } }
            #expect(omitted.last.map { $0 % 2 == 0 && $0 >= 6 && $0 < 12 } == true, "\(events)")
            #expect(events.contains { if case .text = $0 { true } else { false } })
            let error = await #expect(throws: EngineError.self) {
                try await generate([ChatTurn(.user, String(repeating: "p", count: 1_000))], by: engine)
            }
            #expect(error?.report.code == .contextExceeded && error?.detail.contains("512 tokens") == true)
        }
    }

    @Test func deathInTheMiddleIsAFailure() async throws {
        try await withServer(context: 8_192, tokens: 8_000) { engine, program in
            let error = await #expect(throws: EngineError.self) {
                try await generate([ChatTurn(.user, "prompt")], by: engine) { program.send(SIGKILL) }
            }
            #expect(error?.code == .failed && error?.detail.contains("broke off") == true)
            let gone = await #expect(throws: EngineError.self) { try await engine.models() }
            #expect(gone?.code == .notFound)
        }
    }
}
