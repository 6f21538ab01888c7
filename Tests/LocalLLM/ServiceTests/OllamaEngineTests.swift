import Foundation
import LocalLLMService
import LocalLLMWire
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

/// The engines against stand-ins on real sockets.
@Suite struct OllamaEngineTests {
    private static let request = EngineRequest(
        model: "m:1b", turns: [ChatTurn(.user, "a"), ChatTurn(.assistant, "b"), ChatTurn(.user, "c")])

    /// Answers what Ollama answers at once, and leaves the streamed call to `chat`.
    private func ollama(
        isLoaded: Bool = true, _ chat: @escaping @Sendable (StandInRequest) async throws -> Void
    ) -> @Sendable (StandInRequest) async throws -> Void {
        { request in
            switch request.line {
            case "GET /api/ps": try await request.reply(isLoaded ? #"{"models":[{"name":"m:1b"}]}"# : #"{"models":[]}"#)
            case "GET /api/tags":
                try await request.reply(
                    #"{"models":[{"name":"m:1b","capabilities":["completion"]},{"name":"e","capabilities":["embedding"]},{"name":"far","remote_host":"https://x"}]}"#
                )
            case "POST /api/chat" where String(decoding: request.body, as: UTF8.self).contains(#""stream":false"#):
                try await request.reply(
                    #"{"model":"m:1b","message":{"role":"assistant","content":""},"done":true,"done_reason":"load"}"#)
            default: try await chat(request)
            }
        }
    }

    private func line(_ text: String) -> String {
        #"{"model":"m:1b","message":{"role":"assistant","content":"\#(text)"},"done":false}"# + "\n"
    }
    private static let last = #"{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}"# + "\n"

    /// Generates an answer; returns the events and the reason.
    private func generate(
        at server: StandInServer, clock: any Clock<Duration> = ContinuousClock(),
        onEvent: @escaping @Sendable (EngineEvent) -> Void = { _ in }
    ) async throws -> ([EngineEvent], FinishReason) {
        let events = Locked([EngineEvent]())
        let engine = OllamaEngine(ModelServer(at: server.address, http: AsyncHTTP(idleTimeout: .seconds(600)), clock: clock))
        let reason = try await engine.generate(Self.request) { event in
            events.withLock { $0.append(event) }
            onEvent(event)
        }
        return (events.withLock { $0 }, reason)
    }

    private func failure(
        clock: any Clock<Duration> = ContinuousClock(), _ chat: @escaping @Sendable (StandInRequest) async throws -> Void
    ) async throws -> EngineError? {
        try await StandInServer.run(ollama(chat)) { server in
            await #expect(throws: EngineError.self) { try await generate(at: server, clock: clock) }
        }
    }

    @Test func streamsAnAnswerPieceByPiece() async throws {
        let pieceArrived = Signal()
        let body = Locked(Data())
        let (events, reason) = try await StandInServer.run(
            ollama { request in
                body.withLock { $0 = request.body }
                try await request.beginStream()
                try await request.stream(line("Grü"))
                // The second piece is written only once the first has arrived: nothing is collected.
                try await pieceArrived.wait()
                // A line and a character in two reads.
                let bytes = Data((line("ße 😀") + Self.last).utf8)
                let middle = bytes.firstIndex(of: 0x9f)!
                try await request.stream(bytes[..<middle])
                try await request.stream(bytes[middle...])
                try await request.endStream()
            }
        ) { server in
            try await generate(at: server) { if case .text = $0 { pieceArrived.send() } }
        }
        #expect(events == [.progress(ChatProgress(.reading)), .text("Grü"), .text("ße 😀")])
        #expect(reason == .stop)
        let sent = try WireJSON.decode(JSONValue.self, from: body.withLock { $0 })
        guard case .object(let object) = sent else { throw Unexpected() }
        #expect(object["model"] == .string("m:1b") && object["stream"] == .bool(true))
        // Otherwise Ollama leaves out turns without a word.
        #expect(object["truncate"] == .bool(false))
        #expect(
            object["messages"]
                == .array(
                    [("user", "a"), ("assistant", "b"), ("user", "c")].map {
                        .object(["role": .string($0), "content": .string($1)])
                    }))
    }

    @Test func reportsLoadingReadingAndThinking() async throws {
        let (events, reason) = try await StandInServer.run(
            ollama(isLoaded: false) { request in
                try await request.beginStream()
                for thought in ["hm", "well"] {
                    try await request.stream(
                        #"{"message":{"role":"assistant","content":"","thinking":"\#(thought)"},"done":false}"# + "\n")
                }
                try await request.stream(line("yes"))
                try await request.stream(#"{"message":{"content":""},"done":true,"done_reason":"length"}"# + "\n")
                try await request.endStream()
            }
        ) { try await generate(at: $0) }
        #expect(
            events == [
                .progress(ChatProgress(.loading)), .progress(ChatProgress(.reading)), .progress(ChatProgress(.thinking)),
                .text("yes"),
            ])
        #expect(reason == .length)
    }

    @Test func listsModelsThatChat() async throws {
        let models = try await StandInServer.run(ollama { _ in }) { server in
            try await OllamaEngine(ModelServer(at: server.address, http: AsyncHTTP())).models()
        }
        #expect(models == [EngineModel("m:1b"), EngineModel("far", isRemote: true)])
    }

    @Test func cancellingClosesTheRequest() async throws {
        let (began, closed) = (Signal(), Signal())
        try await StandInServer.run(
            ollama { request in
                try await request.beginStream()
                try await request.stream(line("endless"))
                await request.untilClosed()
                closed.send()
            }
        ) { server in
            let task = Task { try await generate(at: server) { if case .text = $0 { began.send() } } }
            try await began.wait()
            task.cancel()
            try await closed.wait()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func cancellingBeforeTheFirstPieceClosesTheRequest() async throws {
        let (began, closed) = (Signal(), Signal())
        try await StandInServer.run(
            ollama { request in
                began.send()
                await request.untilClosed()
                closed.send()
            }
        ) { server in
            let task = Task { try await generate(at: server) }
            try await began.wait()
            task.cancel()
            try await closed.wait()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func missingModelIsNotAvailable() async throws {
        let error = try await failure { try await $0.reply(#"{"error":"model 'm:1b' not found"}"#, status: 404) }
        #expect(error?.report.code == .ollamaModelNotAvailable)
        #expect(error?.detail.contains("m:1b") == true)
    }

    @Test func noServerIsNotFound() async throws {
        // The port was free a moment ago: the server has ended.
        let server = try await StandInServer.run({ _ in }) { $0 }
        let error = await #expect(throws: EngineError.self) { try await generate(at: server) }
        #expect(error?.report.code == .ollamaNotFound)
    }

    @Test func refusalsFail() async throws {
        for (status, body) in [(500, #"{"error":"out of memory"}"#), (400, "[]"), (401, "{}")] {
            let error = try await failure { try await $0.reply(body, status: status) }
            #expect(error?.report.code == .generationFailed)
            if status == 500 { #expect(error?.report.message.contains("out of memory") == true) }
        }
    }

    @Test func errorLineInTheMiddleFails() async throws {
        let error = try await failure { request in
            try await request.beginStream()
            try await request.stream(line("so far") + #"{"error":"runner crashed"}"# + "\n")
            await request.untilClosed()
        }
        #expect(error?.report.code == .generationFailed)
        #expect(error?.report.message.contains("runner crashed") == true)
    }

    @Test(arguments: ["", #"{"message":{"content":"half"#])
    func endWithoutDoneFails(_ rest: String) async throws {
        let error = try await failure { request in
            try await request.beginStream()
            try await request.stream(line("so far") + rest)
            try await request.endStream()
        }
        #expect(error?.report.code == .generationFailed)
        #expect(error?.detail.contains("broke off") == true)
    }

    @Test func deathInTheMiddleFails() async throws {
        let error = try await failure { request in
            try await request.beginStream()
            try await request.stream(line("so far"))
            request.finish()
        }
        #expect(error?.report.code == .generationFailed)
        #expect(error?.detail.contains("broke off") == true)
    }

    @Test func unreadableAndEndlessLinesFail() async throws {
        for bytes in ["not JSON\n", String(repeating: "x", count: 1_100_000)] {
            let error = try await failure { request in
                try await request.beginStream()
                try await request.stream(bytes)
                await request.untilClosed()
            }
            #expect(error?.report.code == .generationFailed)
        }
    }

    @Test func silenceBeforeTheFirstPieceFailsAfterFiveMinutes() async throws {
        let (clock, began, closed) = (TestClock(), Signal(), Signal())
        try await StandInServer.run(
            ollama { request in
                try await request.beginStream()
                began.send()
                await request.untilClosed()
                closed.send()
            }
        ) { server in
            let task = Task { try await generate(at: server, clock: clock) }
            try await began.wait()
            try await eventually { clock.hasSleeper(for: .seconds(300)) }
            try await clock.advance(by: .seconds(299))
            #expect(clock.hasSleeper(for: .seconds(1)))
            try await clock.advance(by: .seconds(1))
            try await closed.wait()
            let error = await #expect(throws: EngineError.self) { try await task.value }
            #expect(error?.report.code == .generationFailed)
        }
    }

    @Test func silenceBetweenPiecesFailsAfterTwoMinutes() async throws {
        let (clock, began, closed) = (TestClock(), Signal(), Signal())
        try await StandInServer.run(
            ollama { request in
                try await request.beginStream()
                try await request.stream(line("one"))
                await request.untilClosed()
                closed.send()
            }
        ) { server in
            let task = Task { try await generate(at: server, clock: clock) { if case .text = $0 { began.send() } } }
            try await began.wait()
            try await eventually { clock.hasSleeper(for: .seconds(120)) }
            try await clock.advance(by: .seconds(120))
            try await closed.wait()
            let error = await #expect(throws: EngineError.self) { try await task.value }
            #expect(error?.detail.contains("120") == true)
        }
    }
}
