import Foundation
import NIOTransport
import NetworkingKit
import TestKit
import Testing

@testable import LocalLLMService

/// The engine of a host by its options and its environment.
@Suite struct EngineChoiceTests {
    private let http = AsyncHTTP()

    private func candidates(
        _ choice: EngineChoice? = nil, at address: String? = nil, _ environment: [String: String] = [:]
    ) throws -> EngineChoice.Candidates {
        try EngineChoice.candidates(choice, at: address, environment: environment, http: http)
    }

    private func select(
        _ choice: EngineChoice? = nil, at address: String? = nil, _ environment: [String: String] = [:]
    ) async throws -> EngineChoice.Selection {
        try await EngineChoice.select(candidates(choice, at: address, environment))
    }

    @Test(arguments: [
        ("", "http://127.0.0.1:11434"), ("localhost", "http://localhost:11434"), ("localhost:7", "http://localhost:7"),
        (":7", "http://127.0.0.1:7"), ("0.0.0.0", "http://127.0.0.1:11434"), ("0.0.0.0:7", "http://127.0.0.1:7"),
        ("::1", "http://[::1]:11434"), ("[::1]", "http://[::1]:11434"), ("[::1]:7", "http://[::1]:7"), ("[::]:7", "http://[::1]:7"),
        ("http://far.example", "http://far.example:80"), ("https://far.example", "https://far.example:443"),
        ("HTTP://10.0.0.1:80/", "http://10.0.0.1:80"), ("far.example:7/ollama", "http://far.example:7/ollama"),
        ("\"localhost:7\" ", "http://localhost:7"), ("localhost:no", "http://localhost:11434"),
        ("localhost:70000", "http://localhost:11434"), ("http://", "http://127.0.0.1:80"),
    ]) func ollamaHostIsReadAsOllamaReadsIt(text: String, address: String) {
        #expect(EngineChoice.ollamaAddress(text)?.absoluteString == address)
    }

    @Test(arguments: ["ftp://x", "a b", "http://a b"]) func addressesOfOllamaAreChecked(text: String) {
        #expect(EngineChoice.ollamaAddress(text) == nil)
        let problem = #expect(throws: EngineChoice.Problem.self) { try candidates(nil, ["OLLAMA_HOST": text]) }
        #expect(problem?.description.contains("OLLAMA_HOST") == true)
    }

    @Test func addressesOfOtherServersAreChecked() throws {
        #expect(EngineChoice.openAIAddress("localhost:8080/v1")?.absoluteString == "http://localhost:8080/v1")
        for text in ["", "ftp://x", "http://"] {
            let problem = #expect(throws: EngineChoice.Problem.self) { try candidates(.openai, ["OPENAI_BASE_URL": text]) }
            #expect(problem?.description.contains("OPENAI_BASE_URL") == true)
            let named = #expect(throws: EngineChoice.Problem.self) { try candidates(.openai, at: text) }
            #expect(named?.description.contains("--engine-url") == true)
        }
        // Not asked for, and not there.
        #expect(try candidates(nil, ["OPENAI_BASE_URL": ""]).engines.count == 1)
        #expect(throws: EngineChoice.Problem.self) { try candidates(.demo, at: "http://x") }
    }

    /// llama.cpp's server answers every path with 503 while it loads.
    @Test func serverThatLoadsIsNotTakenForAnother() async throws {
        try await StandInServer.run {
            try await $0.reply(#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#, status: 503)
        } _: { server in
            let selection = try await select(at: server.address.absoluteString)
            #expect(!selection.isSubstitute && selection.engine is OpenAIEngine)
        }
    }

    @Test func demoTakesThePlaceOfAMissingServer() async throws {
        let gone = try await StandInServer.run({ _ in }) { $0 }
        let environment = ["OLLAMA_HOST": gone.address.absoluteString]
        let substitute = try await select(nil, environment)
        #expect(substitute.isSubstitute && substitute.engine is DemoEngine)
        // A named engine is taken although it does not answer.
        let named = try await select(.ollama, environment)
        #expect(!named.isSubstitute && named.engine is OllamaEngine)
        // The demo does not take the place of an address that the user named.
        let problem = await #expect(throws: EngineChoice.Problem.self) { try await select(at: gone.address.absoluteString) }
        #expect(problem?.description.contains(gone.address.absoluteString) == true)
    }

    @Test func serversThatAnswerAreTaken() async throws {
        let gone = try await StandInServer.run({ _ in }) { $0 }
        let environment = ["OLLAMA_HOST": gone.address.absoluteString]
        try await StandInServer.run { request in
            switch request.line {
            case "GET /v1/models": try await request.reply(#"{"data":[]}"#)
            case "GET /api/tags": try await request.reply(#"{"models":[]}"#)
            default: try await request.reply("", status: 404)
            }
        } _: { server in
            let address = server.address.absoluteString
            #expect(try await select(nil, ["OLLAMA_HOST": address]).engine is OllamaEngine)
            let other = try await select(nil, environment.merging(["OPENAI_BASE_URL": address + "/v1"]) { $1 })
            #expect(other.engine is OpenAIEngine && !other.isSubstitute)
            // An address without a kind is Ollama's, or else that of another server.
            #expect(try await select(at: address).engine is OllamaEngine)
            #expect(try await select(at: address + "/v1").engine is OpenAIEngine)
        }
    }
}
