import Foundation
import LocalLLMWire
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

/// Replies of model servers that users of other clients have reported. Each test names the report.
@Suite struct ReportedRepliesTests {
    private struct Outcome: Sendable {
        var events: [EngineEvent] = []
        var reason: FinishReason?
        var error: EngineError?

        var text: String { events.reduce("") { if case .text(let text) = $1 { $0 + text } else { $0 } } }
    }

    private static let kinds: [EngineChoice] = [.ollama, .openai]

    private static func engine(_ kind: EngineChoice, at address: URL) -> any Engine {
        let server = ModelServer(at: address, http: AsyncHTTP())
        return kind == .ollama ? OllamaEngine(server) : OpenAIEngine(server)
    }

    /// The outcome of one prompt, whose answers come from `script`, in order; the last one for further calls.
    private func outcome(
        _ kind: EngineChoice, _ scripts: @Sendable (StandInRequest) async throws -> Void...
    ) async throws -> Outcome {
        let (count, outcome) = (Locked(0), Locked(Outcome()))
        return try await StandInServer.run { request in
            if request.line == "GET /api/ps" { return try await request.reply(#"{"models":[{"name":"m"}]}"#) }
            let index = count.withLock { count in
                defer { count += 1 }
                return min(count, scripts.count - 1)
            }
            try await scripts[index](request)
        } _: { server in
            do {
                let request = EngineRequest(model: "m", turns: [ChatTurn(.user, "p")])
                let reason = try await Self.engine(kind, at: server.address).generate(request) { event in
                    outcome.withLock { $0.events.append(event) }
                }
                outcome.withLock { $0.reason = reason }
            } catch let error as EngineError {
                outcome.withLock { $0.error = error }
            }
            return outcome.withLock { $0 }
        }
    }

    /// A streamed reply of these lines, which ends without `[DONE]`.
    private static func streaming(_ lines: String...) -> @Sendable (StandInRequest) async throws -> Void {
        { request in
            try await request.beginStream()
            try await request.stream(lines.joined(separator: "\n\n") + "\n\n")
            try await request.endStream()
        }
    }

    private static func chunk(_ delta: String, _ reason: String = "null") -> String {
        #"data: {"id":"c","choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(reason)}]}"#
    }

    // MARK: Streams

    /// ollama/ollama#4357, sgl-project/sglang#3912: every event has a reason, which is empty.
    @Test(arguments: [#""""#, #""null""#, "null", "0"]) func emptyReasonDoesNotEndAnAnswer(reason: String) async throws {
        let broken = try await outcome(.openai, Self.streaming(Self.chunk(#"{"content":"Hel"}"#, reason)))
        #expect(broken.error?.code == .failed && broken.text == "Hel")
        let whole = try await outcome(
            .openai, Self.streaming(Self.chunk(#"{"content":"Hello"}"#, reason), Self.chunk("{}", #""stop""#)))
        #expect(whole.reason == .stop && whole.text == "Hello")
    }

    /// lemonade-sdk/lemonade#2826: the error of the server behind, without the field in front.
    @Test func errorWithoutItsFieldIsRead() async throws {
        let error =
            #"{"error":{"code":400,"message":"request (19185 tokens) exceeds the available context size (16384 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":19185,"n_ctx":16384}}"#
        for lines in [[error], [Self.chunk(#"{"role":"assistant","content":null}"#), error]] {
            let outcome = try await outcome(.openai) { request in
                try await request.beginStream()
                for line in lines { try await request.stream(line + "\n\n") }
                try await request.endStream()
            }
            #expect(outcome.error?.code == .contextExceeded(ContextSize(prompt: 19_185, context: 16_384)))
        }
    }

    /// Gitlawb/openclaude#1174, langchain4j/langchain4j#5120, pepperoni21/ollama-rs#357: the error comes in the middle of the answer.
    @Test func errorInTheMiddleHasTheServersWords() async throws {
        let half = Self.chunk(#"{"content":"half"}"#)
        for line in [
            #"data: {"error":{"message":"upstream died","code":502}}"#,
            #"data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error","error":{"code":502,"message":"upstream died"}}]}"#,
            #"{"error":"upstream died"}"#,
        ] {
            let outcome = try await outcome(.openai, Self.streaming(half, line))
            #expect(outcome.error?.serverText == "upstream died" && outcome.text == "half")
        }
        let ollama = try await outcome(
            .ollama, Self.streaming(#"{"message":{"content":"half"},"done":false}"#, #"{"error":"upstream died"}"#))
        #expect(ollama.error?.serverText == "upstream died" && ollama.text == "half")
    }

    /// elizaOS/eliza#30904: a server in JavaScript cuts an emoji between two events.
    @Test(arguments: kinds) func halvesOfACharacterDoNotEndAnAnswer(kind: EngineChoice) async throws {
        func line(_ text: String) -> String {
            kind == .ollama ? #"{"message":{"content":"\#(text)"},"done":false}"# : Self.chunk(#"{"content":"\#(text)"}"#)
        }
        let outcome = try await outcome(
            kind,
            Self.streaming(
                line(#"a \ud83d"#), line(#"\ude00 b \\ud83d \ud83d\ude00"#),
                kind == .ollama ? #"{"done":true,"done_reason":"stop"}"# : "data: [DONE]"))
        #expect(outcome.text == "a \u{fffd}\u{fffd} b \\ud83d 😀" && outcome.reason == .stop)
    }

    /// Tencent/AI-Infra-Guard#168, xinnan-tech/xiaozhi-esp32-server#916, 0xPlaygrounds/rig#1662, openai/openai-go#227: events without a choice, with
    /// members of other types, empty data and comments.
    @Test func oddEventsAreNoText() async throws {
        let outcome = try await outcome(
            .openai,
            Self.streaming(
                ": OPENROUTER PROCESSING", ":", "data:", "data: ping", "data: null", #"data: "x""#, "event: message\nretry: 100",
                #"data: {"choices":[]}"#, #"data: {"choices":null}"#, #"data: {"choices":[null]}"#, #"data: {"usage":{}}"#,
                Self.chunk(#"{"role":"assistant","content":null,"reasoning":null,"tool_calls":[{"index":0}]}"#),
                Self.chunk(#"{"content":{"x":1},"reasoning":{"x":1}}"#), Self.chunk("null"), Self.chunk("[]"),
                Self.chunk(#"{"content":" "}"#), Self.chunk(#"{"content":"Yes"}"#, #""stop""#), "data: [DONE] "))
        #expect(outcome.text == " Yes" && outcome.reason == .stop)
        #expect(!outcome.events.contains(.progress(ChatProgress(.thinking))))
    }

    /// A server that writes the events as lines of JSON.
    @Test func eventsWithoutTheirFieldAreAnAnswer() async throws {
        let outcome = try await outcome(
            .openai,
            Self.streaming(#"{"choices":[{"delta":{"content":"Yes"}}]}"#, #"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#))
        #expect(outcome.text == "Yes" && outcome.reason == .stop)
    }

    /// can1357/oh-my-pi#7465, maruakshay/miii-cli#71: Ollama loads or unloads its model, and gives no answer.
    @Test(arguments: ["load", "unload"]) func loadingInPlaceOfAnAnswerIsRepeated(reason: String) async throws {
        let empty = Self.streaming(#"{"message":{"role":"assistant","content":""},"done":true,"done_reason":"\#(reason)"}"#)
        let answer = Self.streaming(
            #"{"message":{"content":"Yes"},"done":false}"#, #"{"message":{"content":""},"done":true,"done_reason":"stop"}"#)
        let outcome = try await outcome(.ollama, empty, answer)
        #expect(outcome.text == "Yes" && outcome.reason == .stop)
        // After a part of the answer it cannot be asked again.
        let broken = try await self.outcome(
            .ollama, Self.streaming(#"{"message":{"content":"half"},"done":false}"#, #"{"done":true,"done_reason":"\#(reason)"}"#))
        #expect(broken.error?.detail.contains(reason) == true && broken.text == "half")
    }

    // MARK: Thoughts

    /// ollama/ollama#16184, sipeed/picoclaw#966, mindcraft-bots/mindcraft#789: all tokens went to the thoughts. They are passed on apart.
    @Test func thoughtsOfAnAnswerWithoutTextAreKept() async throws {
        for field in ["reasoning_content", "reasoning", "thinking"] {
            let outcome = try await outcome(
                .openai,
                Self.streaming(
                    Self.chunk(#"{"role":"assistant","content":null,"\#(field)":"First"}"#),
                    Self.chunk(#"{"\#(field)":", </think>then"}"#),
                    Self.chunk(#"{"content":""}"#, #""length""#)))
            #expect(outcome.reason == .length && outcome.text == "<think>\nFirst, then")
        }
        let ollama = try await outcome(
            .ollama,
            Self.streaming(
                #"{"message":{"content":"","thinking":"First, then"},"done":false}"#,
                #"{"message":{"content":""},"done":true,"done_reason":"length"}"#))
        #expect(ollama.reason == .length && ollama.text == "<think>\nFirst, then")
        let tags = try await outcome(
            .openai, Self.streaming(Self.chunk(#"{"content":"<think>First, then"}"#), Self.chunk("{}", #""length""#)))
        #expect(tags.reason == .length && tags.text == "<think>\nFirst, then")
    }

    @Test(arguments: kinds) func thoughtsOfAnAnswerThatBreaksOffAreKept(kind: EngineChoice) async throws {
        let lines =
            kind == .ollama
            ? [#"{"message":{"content":"","thinking":"First, then"},"done":false}"#, #"{"error":"out of memory"}"#]
            : [Self.chunk(#"{"reasoning_content":"First, then"}"#), #"data: {"error":{"message":"out of memory"}}"#]
        let broken = try await outcome(kind, Self.streaming(lines[0], lines[1]))
        #expect(broken.error?.serverText == "out of memory" && broken.text == "<think>\nFirst, then")
        // An answer has its own text.
        let text = kind == .ollama ? #"{"message":{"content":"Yes"},"done":false}"# : Self.chunk(#"{"content":"Yes"}"#)
        #expect(try await outcome(kind, Self.streaming(lines[0], text, lines[1])).text == "Yes")
    }

    // MARK: Silence

    /// ggml-org/llama.cpp#24013, can1357/oh-my-pi#6524, earendil-works/pi#5089: a prompt that takes longer than the limit to read, at a server that
    /// sends comments meanwhile.
    @Test func serverThatSendsCommentsIsNotSilent() async throws {
        let (clock, ping, heard) = (TestClock(), Signal(), Signal())
        let limits = SilenceLimits(beforeFirstPiece: .seconds(300), betweenPieces: .seconds(120))
        let task = Task {
            try await limits.run(by: clock) { didReceive -> Bool in
                for _ in 0..<2 {
                    try await ping.wait()
                    didReceive(.life)
                    heard.send()
                }
                try await clock.sleep(for: .seconds(100_000))
                return true
            }
        }
        // The sleep of 300 s.
        try await eventually { clock.hasSleeper(for: .seconds(300)) }
        try await clock.advance(by: .seconds(200))
        ping.send()
        try await heard.wait()
        try await clock.advance(by: .seconds(100))
        try await eventually { clock.hasSleeper(for: .seconds(200)) }
        ping.send()
        try await heard.wait()
        try await clock.advance(by: .seconds(200))
        try await eventually { clock.hasSleeper(for: .seconds(100)) }
        try await clock.advance(by: .seconds(100))
        let error = await #expect(throws: EngineError.self) { try await task.value }
        #expect(error?.detail.contains("300") == true)
    }

    // MARK: Models and addresses

    /// ggml-org/llama.cpp#10924, open-webui/open-webui#2533: lists of other forms, and models without a name.
    @Test(
        arguments: [
            (#"{"data":[{"id":"a"},{"id":null},{"id":""},{"object":"model"},{"id":"b"}]}"#, ["a", "b"]),
            (#"{"data":[{"id":"","object":"model","owned_by":"llamacpp"}]}"#, ["default"]),
            (#"[{"id":"a","type":"chat"},{"id":"b"}]"#, ["a", "b"]), (#"{"models":[{"name":"a"},{"model":"b"}]}"#, ["a", "b"]),
            (#"{"model_names":["a","b"]}"#, ["a", "b"]), (#"{"object":"list","data":null}"#, []),
            (#"{"object":"list","data":[]}"#, []),
            ("{}", nil), (#"{"status":"ok"}"#, nil), ("3", nil),
        ] as [(String, [String]?)])
    func listsOfModelsHaveManyForms(body: String, names: [String]?) async throws {
        try await StandInServer.run {
            try await $0.reply(body)
        } _: { server in
            let models = try? await Self.engine(.openai, at: server.address).models()
            #expect(models?.map(\.name) == names)
        }
    }

    @Test func modelsOfOllamaWithoutANameAreLeftOut() async throws {
        let lists: [(String, [String]?)] = [
            (#"{"models":[{"name":"a"},{"model":"b"},{"name":null},{}]}"#, ["a", "b"]), (#"{"models":null}"#, []), ("{}", nil),
        ]
        for (body, names) in lists {
            try await StandInServer.run {
                try await $0.reply(body)
            } _: { server in
                let models = try? await Self.engine(.ollama, at: server.address).models()
                #expect(models?.map(\.name) == names)
            }
        }
    }

    /// ollama/ollama-python#61, ollama/ollama#3203, Mintplex-Labs/anythingllm-docs#86: a web server in front asks for a name and a password.
    @Test(arguments: kinds) func credentialsInTheAddressAreSent(kind: EngineChoice) async throws {
        try await StandInServer.run { request in
            let isAuthorized = request.head.lowercased().contains("authorization: basic " + "YWRhOnBAc3M=".lowercased())
            try await request.reply(#"{"models":[{"name":"m"}],"data":[{"id":"m"}]}"#, status: isAuthorized ? 200 : 401)
        } _: { server in
            let candidates = try EngineChoice.candidates(
                kind, at: "http://ada:p%40ss@127.0.0.1:\(server.port)", environment: [:], http: AsyncHTTP())
            #expect(try await candidates.engines[0].models() == [EngineModel("m")])
            #expect(!candidates.engines[0].name.contains("p" + "%40ss"))
        }
        #expect(EngineChoice.ollamaAddress("ada:secret@far.example:7/x")?.absoluteString == "http://ada:secret@far.example:7/x")
        #expect(
            EngineChoice.ollamaAddress("https://ada:secret@far.example")?.absoluteString == "https://ada:secret@far.example:443")
    }

    @Test(arguments: ["/v1", "/api/paas/v4", "/v1beta/openai", "/openai/v1/"]) func versionOfTheAddressIsKept(path: String)
        async throws
    {
        try await StandInServer.run { request in
            let expected = "GET \(path.hasSuffix("/") ? String(path.dropLast()) : path)/models"
            try await request.reply(#"{"data":[{"id":"m"}]}"#, status: request.line == expected ? 200 : 404)
        } _: { server in
            let models = try await Self.engine(.openai, at: server.address.appending(path: path)).models()
            #expect(models == [EngineModel("m")])
        }
    }
}
