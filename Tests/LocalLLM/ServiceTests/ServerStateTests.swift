import Foundation
import LocalLLMWire
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

@testable import LocalLLMService

/// Model servers that are not ready, or whose model cannot read the whole conversation.
@Suite struct ServerStateTests {
    private static let kinds: [EngineChoice] = [.ollama, .openai]

    /// A conversation of three pairs and a prompt.
    private static let turns =
        (1...3).flatMap {
            [ChatTurn(.user, "question \($0)"), ChatTurn(.assistant, String(repeating: "a", count: 100))]
        } + [ChatTurn(.user, "prompt")]

    private struct Outcome: Sendable {
        var events: [EngineEvent] = []
        var reason: FinishReason?
        var error: EngineError?
    }

    /// Answers the conversation. `refusal` is the reply to a request with a number of turns, counted from 0; nil: the answer is *ok*.
    private func outcome(
        _ kind: EngineChoice, turns: [ChatTurn] = turns, clock: any Clock<Duration> = ContinuousClock(),
        _ refusal: @escaping @Sendable (_ count: Int, _ turns: [String]) -> (status: Int, body: String)?
    ) async throws -> Outcome {
        let (count, outcome) = (Locked(0), Locked(Outcome()))
        return try await StandInServer.run { request in
            if request.line == "GET /api/ps" { return try await request.reply(#"{"models":[{"name":"m"}]}"#) }
            let sent = try WireJSON.decode(Sent.self, from: request.body).messages.map(\.content)
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            if let (status, body) = refusal(number, sent) { return try await request.reply(body, status: status) }
            try await request.beginStream()
            try await request.stream(
                kind == .ollama
                    ? #"{"message":{"content":"ok"},"done":false}"# + "\n" + #"{"done":true,"done_reason":"stop"}"# + "\n"
                    : #"data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}"# + "\n\ndata: [DONE]\n\n")
            try await request.endStream()
        } _: { server in
            let model = ModelServer(at: server.address, http: AsyncHTTP(), clock: clock)
            let engine: any Engine = kind == .ollama ? OllamaEngine(model) : OpenAIEngine(model)
            do {
                let reason = try await engine.generate(EngineRequest(model: "m", turns: turns)) { event in
                    outcome.withLock { $0.events.append(event) }
                }
                outcome.withLock { $0.reason = reason }
            } catch let error as EngineError {
                outcome.withLock { $0.error = error }
            }
            return outcome.withLock { $0 }
        }
    }

    private struct Sent: Decodable {
        struct Message: Decodable { var content: String }
        var messages: [Message]
    }

    // MARK: Not ready

    private static let loading: [(Int, String)] = [
        // llama.cpp; Hugging Face; a server of its own kind; a gateway whose server starts.
        (503, #"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#),
        (503, #"{"error":"Model m is currently loading","estimated_time":20.0}"#), (500, #"{"detail":"model is still loading"}"#),
    ]

    @Test(arguments: loading) func loadingIsWaitedFor(status: Int, body: String) async throws {
        for kind in Self.kinds {
            let outcome = try await outcome(kind) { count, _ in count < 2 ? (status, body) : nil }
            #expect(outcome.reason == .stop && outcome.error == nil)
            #expect(outcome.events.contains(.progress(ChatProgress(.loading))))
            #expect(outcome.events.last == .text("ok"))
        }
    }

    @Test(arguments: [(503, "busy"), (429, #"{"error":"Model is overloaded"}"#), (502, "<html>"), (504, "")])
    func overloadIsWaitedForAMinute(status: Int, body: String) async throws {
        for kind in Self.kinds {
            let outcome = try await outcome(kind) { count, _ in count < 2 ? (status, body) : nil }
            #expect(outcome.reason == .stop && outcome.events.last == .text("ok"))
            #expect(!outcome.events.contains(.progress(ChatProgress(.loading))))
            // The calls before an answer of Ollama have limits of their own, on the same clock.
            guard kind == .openai else { continue }
            let (clock, isOver) = (TestClock(), Locked(false))
            let task = Task {
                defer { isOver.withLock { $0 = true } }
                return try await self.outcome(kind, clock: clock) { _, _ in (status, body) }
            }
            try await clock.advance(by: .seconds(5)) { isOver.withLock { $0 } }
            #expect(clock.now.offset >= .seconds(60))
            let error = try await task.value.error
            #expect(error?.report.code == .generationFailed && error?.detail.contains("\(status)") == true)
        }
    }

    @Test(arguments: [#"{"error":"error loading model: out of memory"}"#, #"{"error":{"message":"Failed loading model"}}"#])
    func failureToLoadIsNotWaitedFor(body: String) async throws {
        for kind in Self.kinds {
            let outcome = try await outcome(kind) { _, _ in (500, body) }
            #expect(outcome.error?.code == .failed && outcome.error?.serverText?.contains("oad") == true)
        }
    }

    // MARK: Context

    /// Refusals of a conversation that is too long, and the sizes that they tell.
    private static let full: [(String, ContextSize?)] = [
        // llama.cpp, and Ollama, which passes it on.
        (
            #"{"error":{"code":400,"message":"request (1747 tokens) exceeds the available context size (512 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":1747,"n_ctx":512}}"#,
            ContextSize(prompt: 1747, context: 512)
        ),
        (
            #"{"error":"{\"error\":{\"code\":400,\"message\":\"request (8889 tokens) exceeds the available context size (4096 tokens), try increasing it\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":8889,\"n_ctx\":4096}}"}"#,
            ContextSize(prompt: 8889, context: 4096)
        ),
        // vLLM of both kinds, SGLang, OpenAI, TGI, LM Studio, and servers that tell no sizes.
        (
            #"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4900 in the messages, 100 in the completion). Please reduce the length of the messages or completion.","type":"BadRequestError","code":400}"#,
            ContextSize(prompt: 5000, context: 4096)
        ),
        (
            #"{"error":{"message":"The input (5000 tokens) is longer than the model's context length (4096 tokens).","type":"BadRequestError"}}"#,
            ContextSize(prompt: 5000, context: 4096)
        ),
        (#"{"error":{"message":"too much","code":"context_length_exceeded"}}"#, nil),
        (
            #"{"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20"}"#,
            ContextSize(prompt: 5000, context: 4096)
        ),
        (
            #"{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}"#,
            ContextSize(prompt: 5000, context: 4096)
        ),
        (#"{"error":"the input length exceeds the context length"}"#, nil), (#"{"error":"prompt is too long"}"#, nil),
    ]

    @Test(arguments: full) func longConversationLosesItsOldestTurns(body: String, size: ContextSize?) async throws {
        #expect(ServerFailure(Data(body.utf8))?.code == .contextExceeded(size))
        for kind in Self.kinds {
            let sizes = Locked([Int]())
            let outcome = try await outcome(kind) { _, turns in
                sizes.withLock { $0.append(turns.count) }
                return turns.count > 3 ? (400, body) : nil
            }
            #expect(outcome.reason == .stop && outcome.events.last == .text("ok"))
            // Four of six turns, or all of them where the server tells that the context is less than half as long.
            let kept = sizes.withLock { $0.last ?? 0 }
            #expect(
                kept == (size.map { $0.context * 2 < $0.prompt } == true ? 1 : 3)
                    && outcome.events.contains(.omitted(turns: 7 - kept)))
            // Pairs, so that the rest begins with a turn of the user.
            #expect(sizes.withLock { $0.allSatisfy { $0 % 2 == 1 } })
        }
    }

    @Test func promptThatIsTooLongOnItsOwnSaysSo() async throws {
        for kind in Self.kinds {
            let outcome = try await outcome(kind) { _, _ in (400, Self.full[0].0) }
            #expect(outcome.error?.report.code == .contextExceeded)
            #expect(outcome.error?.detail.contains("512 tokens") == true)
        }
        // Another trouble with the context.
        let other = #"{"error":"failed to create a context of size 131072: out of memory"}"#
        #expect(try await outcome(.ollama) { _, _ in (500, other) }.error?.code == .failed)
    }

    @Test func shortenedRequestsLeaveRoomForTheAnswer() {
        let turns =
            (0..<20).map { ChatTurn($0 % 2 == 0 ? .user : .assistant, String(repeating: "x", count: 84)) } + [ChatTurn(.user, "p")]
        let request = EngineRequest(model: "m", turns: turns)
        // Of 2,017 bytes three quarters of a half.
        let shorter = request.shortened(toFit: ContextSize(prompt: 1000, context: 500))
        #expect(shorter?.turns.count == 7 && shorter?.turns.last?.content == "p")
        #expect(request.shortened(toFit: ContextSize(prompt: 1, context: .max))?.turns.count == 19)
        #expect(EngineRequest(model: "m", turns: [ChatTurn(.user, "p")]).shortened(toFit: nil) == nil)
        #expect(EngineRequest(model: "m", turns: []).shortened(toFit: nil) == nil)
    }

    // MARK: The host

    @Test func hostTellsWhatWasLeftOutAlsoLater() async throws {
        var engine = ScriptedEngine.saying(["ok"])
        engine.script = { _, receive in
            try await receive(.omitted(turns: 2))
            try await receive(.omitted(turns: 4))
            try await receive(.text("ok"))
            return .stop
        }
        try await HostUnderTest.run(engine) { test in
            let phone = try await test.connect()
            try await phone.start("r", "p", [.resume])
            #expect(try await phone.answer().end == .chatEnd(RequestID("r")!, .stop, omitted: 4))
            try await test.until { $0.contains(.turnsOmitted(4)) }
            try await phone.start("r", "p", [.resume])
            #expect(try await phone.answer().end == .chatEnd(RequestID("r")!, .stop, omitted: 4))
        }
    }

    @Test func hostWaitsForTheModelAndCanBeStoppedMeanwhile() async throws {
        let isLoading = Locked(true)
        var engine = ScriptedEngine.saying(["ok"])
        engine.list = {
            if isLoading.withLock({ $0 }) { throw EngineError(.loading, "The model server is loading its model.") }
            return [EngineModel("m")]
        }
        let folder = try TemporaryFolder()
        let store = try AnswerStore(path: folder.file("host.db"))
        defer { store.close() }
        let (peers, notices) = (InProcessPeers(), Locked([HostNotice]()))
        let host = ModelHost(
            .init(hostName: "h", admission: .open), acceptor: peers.peer(HostUnderTest.key), engine: engine, store: store,
            clock: HurriedClock()
        ) { notice in notices.withLock { $0.append(notice) } }
        let running = Task { try await host.run() }
        defer { running.cancel() }
        try await eventually {
            notices.withLock {
                $0.contains(.announced) && $0.contains(.engineUnavailable("The model server is loading its model."))
            }
        }
        let phone = PhoneOfTests(try await peers.peer(HostUnderTest.phoneKey(0)).dial(.key(HostUnderTest.key)))
        try await phone.start("a", "p", [.progress])
        #expect(try await phone.nextReply() == .chatProgress(RequestID("a")!, ChatProgress(.loading)))
        try await phone.send(.abort(RequestID("a")!))
        #expect(try await phone.answer("a").end == .chatEnd(RequestID("a")!, .abort))
        try await phone.start("b", "p", [.progress])
        #expect(try await phone.nextReply() == .chatProgress(RequestID("b")!, ChatProgress(.loading)))
        isLoading.withLock { $0 = false }
        let (chunks, end) = try await phone.answer("b")
        #expect(chunks.text == "ok" && end == .chatEnd(RequestID("b")!, .stop))
        #expect(await host.model == "m")
    }

    @Test func changedModelIsKnownWithTheNextRequest() async throws {
        let name = Locked("old")
        let used = Locked([String]())
        var engine = ScriptedEngine { request, receive in
            used.withLock { $0.append(request.model) }
            try await receive(.text("ok"))
            return .stop
        }
        engine.list = { [EngineModel(name.withLock { $0 })] }
        try await HostUnderTest.run(engine) { test in
            let phone = try await test.connect()
            name.withLock { $0 = "new" }
            try await phone.start()
            _ = try await phone.answer()
            #expect(used.withLock { $0 } == ["new"])
            #expect(await test.host.model == "new")
            // And with the next phone.
            name.withLock { $0 = "newest" }
            _ = try await test.connect(1)
            try await eventually { await test.host.model == "newest" }
        }
    }

    @Test func thoughtsInEarlierAnswersAreNotGivenToTheModel() async throws {
        let engine = SteppedEngine()
        try await HostUnderTest.run(engine.engine) { test in
            let phone = try await test.connect()
            let turns = [ChatTurn(.user, "<think>"), ChatTurn(.assistant, "<think>hm</think>\nYes")]
            try await phone.send(.chatStart(RequestID("r")!, ChatStart(prompt: "p", messages: turns)))
            try await engine.end()
            _ = try await phone.answer()
            #expect(engine.requests.withLock { $0.first?.turns } == [turns[0], ChatTurn(.assistant, "Yes"), ChatTurn(.user, "p")])
        }
    }
}
