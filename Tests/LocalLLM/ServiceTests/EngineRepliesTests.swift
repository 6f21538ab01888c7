import Foundation
import LocalLLMWire
import NIOCore
import NIOPosix
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

/// Replies of servers that are no model servers, or odd ones.
@Suite struct EngineRepliesTests {
    private static let request = EngineRequest(model: "m", turns: [ChatTurn(.user, "p")])

    private static func engine(_ kind: EngineChoice, at address: URL, token: String? = nil) -> any Engine {
        let server = ModelServer(at: address, token: token, http: AsyncHTTP())
        return kind == .ollama ? OllamaEngine(server) : OpenAIEngine(server)
    }

    private static let kinds: [EngineChoice] = [.ollama, .openai]

    /// The failures of both calls at a server that answers every request in the same way.
    private func failures(
        _ kind: EngineChoice, token: String? = nil, _ reply: @escaping @Sendable (StandInRequest) async throws -> Void
    ) async throws -> [EngineError] {
        try await StandInServer.run(reply) { server in
            let engine = Self.engine(kind, at: server.address, token: token)
            var errors: [EngineError] = []
            for call in 0...1 {
                let error = await #expect(throws: EngineError.self) {
                    if call == 0 { _ = try await engine.models() } else { _ = try await engine.generate(Self.request) { _ in } }
                }
                if let error { errors.append(error) }
            }
            return errors
        }
    }

    @Test(arguments: kinds) func pageOfAWebServerFails(kind: EngineChoice) async throws {
        for page in ["<html>\n<body>It works</body>\n</html>\n", "<html>"] {
            let errors = try await failures(kind) { try await $0.reply(page) }
            #expect(errors.map(\.code) == [.failed, .failed])
            #expect(errors.allSatisfy { $0.detail.contains("not a model server's reply") || $0.detail.contains("not readable") })
        }
    }

    @Test(arguments: kinds) func redirectIsNotFollowed(kind: EngineChoice) async throws {
        let calls = Locked(0)
        let errors = try await failures(kind, token: "key") { request in
            calls.withLock { $0 += 1 }
            try await request.send("HTTP/1.1 301 X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            request.finish()
        }
        #expect(errors.allSatisfy { $0.code == .failed && $0.detail.contains("another address (301)") })
        #expect(calls.withLock { $0 } == 2)
    }

    @Test(arguments: kinds) func compressedReplyFails(kind: EngineChoice) async throws {
        // Nobody asked for it.
        let errors = try await failures(kind) { request in
            #expect(!request.head.lowercased().contains("accept-encoding"))
            try await request.send(
                "HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\nConnection: close\r\n\r\n\u{1f}\n\u{8}\n")
            request.finish()
        }
        #expect(errors.map(\.code) == [.failed, .failed])
    }

    @Test(arguments: kinds) func refusalWithTheStatusOfASuccessFails(kind: EngineChoice) async throws {
        for body in [#"{"error":{"message":"no such path"}}"#, #"{"error":"no such path"}"# + "\n"] {
            let error = try await StandInServer.run { request in
                try await request.reply(request.line == "GET /api/ps" ? #"{"models":[{"name":"m"}]}"# : body)
            } _: { server in
                await #expect(throws: EngineError.self) {
                    try await Self.engine(kind, at: server.address).generate(Self.request) { _ in }
                }
            }
            #expect(error?.report.code == .generationFailed)
            #expect(error?.serverText == "no such path")
        }
    }

    @Test func keyIsSentAndNeverShown() async throws {
        let heads = Locked([String]())
        let errors = try await failures(.openai, token: " sk-123\n") { request in
            heads.withLock { $0.append(request.head) }
            try await request.reply(#"{"error":{"message":"the key sk-123 has no money"}}"#, status: 402)
        }
        #expect(heads.withLock { $0.count == 2 && $0.allSatisfy { $0.lowercased().contains("authorization: bearer sk-123\r\n") } })
        #expect(errors.allSatisfy { $0.serverText == "the key … has no money" && !"\($0.report)\($0)".contains("sk-123") })
        let refused = try await failures(.openai, token: "sk-123") { try await $0.reply("{}", status: 401) }
        #expect(refused.allSatisfy { $0.detail.contains("sign-in") && !$0.detail.contains("sk-123") })
        // Ollama's server gets none, and an empty key is none.
        _ = try await failures(.openai, token: "") { request in
            #expect(!request.head.lowercased().contains("authorization"))
            try await request.reply("{}", status: 500)
        }
        let environment = ["OPENAI_API_KEY": "sk-123"]
        try await StandInServer.run { request in
            #expect(!request.head.contains("sk-123"))
            try await request.reply(#"{"models":[]}"#)
        } _: { server in
            let candidates = try EngineChoice.candidates(
                .ollama, at: server.address.absoluteString, environment: environment, http: AsyncHTTP())
            _ = try await candidates.engines[0].models()
        }
    }

    @Test func longErrorOfAServerIsCut() async throws {
        let errors = try await failures(.openai) { request in
            try await request.reply(#"{"error":""# + "e" + String(repeating: "\u{301}", count: 20_000) + #""}"#, status: 500)
        }
        #expect(errors.count == 2 && errors.allSatisfy { ($0.serverText?.utf8.count ?? .max) <= 600 })
    }

    @Test func serverAtAnIPv6AddressAnswers() async throws {
        // Not on a machine without IPv6.
        guard let probe = try? await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "::1", port: 0).get()
        else { return }
        try await probe.close().get()
        try await StandInServer.run(on: "::1") { request in
            try await request.reply(#"{"models":[{"name":"m"}]}"#)
        } _: { server in
            let candidates = try EngineChoice.candidates(
                nil, at: nil, environment: ["OLLAMA_HOST": "[::1]:\(server.port)"], http: AsyncHTTP())
            #expect(try await candidates.engines[0].models() == [EngineModel("m")])
        }
    }

    @Test func answerWithoutItsLastEventEndsWithItsReason() async throws {
        // A comment, an event that is no message, and a reason without [DONE], with carriage returns.
        try await StandInServer.run { request in
            try await request.beginStream()
            try await request.stream(": keep-alive\r\n\r\nevent: ping\r\ndata: {}\r\n\r\n")
            try await request.stream(#"data: {"choices":[{"delta":{"content":"a"}}]}"# + "\r\n\r\n")
            try await request.stream(#"data: {"choices":[{"delta":{},"finish_reason":"length"}]}"# + "\r\n\r\n")
            try await request.endStream()
        } _: { server in
            let events = Locked([EngineEvent]())
            let engine = Self.engine(.openai, at: server.address)
            let reason = try await engine.generate(Self.request) { event in events.withLock { $0.append(event) } }
            #expect(reason == .length)
            #expect(events.withLock { $0 } == [.progress(ChatProgress(.reading)), .text("a")])
        }
    }
}
