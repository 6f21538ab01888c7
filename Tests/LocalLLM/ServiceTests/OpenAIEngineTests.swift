import Foundation
import LocalLLMService
import LocalLLMWire
import NIOTransport
import NetworkingKit
import TestKit
import Testing
import WireKit

@Suite struct OpenAIEngineTests {
    private func engine(_ server: StandInServer, path: String = "/v1", token: String? = nil) -> OpenAIEngine {
        OpenAIEngine(
            ModelServer(at: server.address.appending(path: path), token: token, http: AsyncHTTP(idleTimeout: .seconds(600))))
    }

    private func generate(
        at server: StandInServer, onEvent: @escaping @Sendable (EngineEvent) -> Void = { _ in }
    ) async throws -> ([EngineEvent], FinishReason) {
        let events = Locked([EngineEvent]())
        let reason = try await engine(server).generate(EngineRequest(model: "m", turns: [ChatTurn(.user, "p")])) { event in
            events.withLock { $0.append(event) }
            onEvent(event)
        }
        return (events.withLock { $0 }, reason)
    }

    private func event(_ delta: String, _ finishReason: String = "null") -> String {
        #"data: {"id":"c","choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(finishReason)}]}"# + "\r\n\r\n"
    }

    private func failure(_ script: @escaping @Sendable (StandInRequest) async throws -> Void) async throws -> EngineError? {
        try await StandInServer.run(script) { server in
            await #expect(throws: EngineError.self) { try await generate(at: server) }
        }
    }

    @Test func streamsAnAnswerAndIgnoresWhatIsNoText() async throws {
        let (events, reason) = try await StandInServer.run { request in
            guard request.line == "POST /v1/chat/completions" else { return try await request.reply("", status: 404) }
            try await request.beginStream()
            try await request.stream(": keep-alive\n\n" + event(#"{"role":"assistant","content":""}"#))
            try await request.stream(event(#"{"reasoning":"hm"}"#) + event(#"{"reasoning_content":"hm"}"#))
            let bytes = Data(event(#"{"content":"Grüße"}"#).utf8)
            for byte in bytes { try await request.stream(Data([byte])) }
            try await request.stream(
                event("{}", #""length""#) + #"data: {"choices":[],"usage":{"total_tokens":3}}"# + "\n\ndata: [DONE]\n\n")
            await request.untilClosed()
        } _: {
            try await generate(at: $0)
        }
        #expect(events == [.progress(ChatProgress(.reading)), .progress(ChatProgress(.thinking)), .text("Grüße")])
        #expect(reason == .length)
    }

    @Test func listsModelsWithTokenAndWithoutVersionInTheAddress() async throws {
        try await StandInServer.run { request in
            let isAuthorized = request.head.lowercased().contains("authorization: bearer key")
            guard request.line == "GET /v1/models", isAuthorized else { return try await request.reply("{}", status: 401) }
            try await request.reply(#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#)
        } _: { server in
            for path in ["/v1", "/v1/", "/"] {
                let models = try await engine(server, path: path, token: "key").models()
                #expect(models == [EngineModel("a"), EngineModel("b")])
            }
            await #expect(throws: EngineError.self) { try await engine(server).models() }
        }
    }

    /// llama.cpp's server and vLLM name a model by its path: phones need not know where the files of a computer are.
    @Test(arguments: [
        (["/home/ada/models/llama-3.gguf"], ["llama-3"]), (["/models/Qwen", "gpt"], ["Qwen", "gpt"]),
        ([#"C:\Users\ada\llama.GGUF"#], ["llama"]), (["Qwen/Qwen3"], ["Qwen/Qwen3"]), (["/", "/.gguf"], ["/", ".gguf"]),
        (["/a/llama.gguf", "/b/llama.gguf"], ["/a/llama.gguf", "/b/llama.gguf"]),
    ]) func fileIsNamedWithoutItsFolderAndRequestedByItsPath(_ ids: [String], _ names: [String]) async throws {
        let asked = Locked<[String]>([])
        try await StandInServer.run { request in
            if request.line == "GET /v1/models" {
                let list = JSONValue.object(["data": .array(ids.map { .object(["id": .string($0)]) })])
                return try await request.reply(String(decoding: WireJSON.encode(list), as: UTF8.self))
            }
            if case .object(let body) = try WireJSON.decode(JSONValue.self, from: request.body),
                case .string(let model)? = body["model"]
            {
                asked.withLock { $0.append(model) }
            }
            try await request.beginStream()
            try await request.stream(event("{}", #""stop""#) + "data: [DONE]\n\n")
            await request.untilClosed()
        } _: { server in
            let engine = engine(server)
            #expect(try await engine.models().map(\.name) == names)
            for name in names { _ = try await engine.generate(EngineRequest(model: name, turns: [ChatTurn(.user, "p")])) { _ in } }
        }
        #expect(asked.withLock { $0 } == ids)
    }

    /// The texts of an answer to model `m`, and the events before the first one.
    private func texts(_ deltas: [String]) async throws -> (text: String, progress: [ChatProgress.Stage]) {
        let (events, _) = try await StandInServer.run { request in
            try await request.beginStream()
            for delta in deltas { try await request.stream(event(delta)) }
            try await request.stream(event("{}", #""stop""#) + "data: [DONE]\n\n")
            await request.untilClosed()
        } _: {
            try await generate(at: $0)
        }
        var (text, stages) = ("", [ChatProgress.Stage]())
        for event in events {
            if case .text(let piece) = event { text += piece }
            if case .progress(let progress) = event { stages.append(progress.stage) }
        }
        return (text, stages)
    }

    @Test func thoughtsInTagsAreNoText() async throws {
        let tags = try await texts([#"{"content":"<th"}"#, #"{"content":"ink>hm</thi"}"#, #"{"content":"nk>\n\nYes"}"#])
        #expect(tags.text == "Yes" && tags.progress == [.reading, .thinking])
        // Parts of content, as Mistral's servers send them.
        let parts = try await texts([
            #"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}"#,
            #"{"content":[{"type":"text","text":"Yes"}]}"#,
        ])
        #expect(parts.text == "Yes" && parts.progress == [.reading, .thinking])
    }

    @Test func modelThatBeginsInItsThoughtsIsKnownTheSecondTime() async throws {
        let count = Locked(0)
        let pieces = try await StandInServer.run { request in
            count.withLock { $0 += 1 }
            try await request.beginStream()
            // The third time it does not think.
            let text = count.withLock { $0 } == 3 ? #"{"content":"Yes"}"# : #"{"content":"hm</think>Yes"}"#
            try await request.stream(event(text) + event("{}", #""stop""#) + "data: [DONE]\n\n")
            await request.untilClosed()
        } _: { server in
            let engine = engine(server)
            var answers: [[EngineEvent]] = []
            for _ in 1...4 {
                let events = Locked([EngineEvent]())
                _ = try await engine.generate(EngineRequest(model: "m", turns: [ChatTurn(.user, "p")])) { event in
                    events.withLock { $0.append(event) }
                }
                answers.append(events.withLock { $0 })
            }
            return answers
        }
        let reading = EngineEvent.progress(ChatProgress(.reading))
        let thinking = EngineEvent.progress(ChatProgress(.thinking))
        // The tag tells a client that the text before was thought.
        #expect(pieces[0] == [reading, .text("hm"), .text("</think>"), .text("Yes")])
        #expect(pieces[1] == [reading, thinking, .text("Yes")])
        #expect(pieces[2] == [reading, thinking, .text("Yes")])
        #expect(pieces[3] == [reading, .text("hm"), .text("</think>"), .text("Yes")])
    }

    @Test func replyThatIsNotStreamedIsAnAnswer() async throws {
        let body =
            "{\n"
            + #" "object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Yes"},"finish_reason":"length"}]"#
            + "\n}"
        let (events, reason) = try await StandInServer.run { request in
            try await request.send(
                "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
            )
            request.finish()
        } _: {
            try await generate(at: $0)
        }
        #expect(events == [.progress(ChatProgress(.reading)), .text("Yes")] && reason == .length)
    }

    @Test(arguments: ["abort", "error", "content_filter"]) func reasonOfAHalfAnswerIsAFailure(reason: String) async throws {
        let error = try await failure { request in
            try await request.beginStream()
            try await request.stream(event(#"{"content":"half"}"#) + event("{}", "\"\(reason)\"") + "data: [DONE]\n\n")
            await request.untilClosed()
        }
        #expect(error?.code == .failed && error?.detail.contains(reason) == true)
    }

    @Test func errorFieldOfTheStreamFails() async throws {
        let error = try await failure { request in
            try await request.beginStream()
            try await request.stream("error: {\"code\":500,\"message\":\"slot is gone\"}\n\n")
            await request.untilClosed()
        }
        #expect(error?.serverText == "slot is gone")
    }

    @Test func endWithoutDoneNeedsAReason() async throws {
        let (_, reason) = try await StandInServer.run { request in
            try await request.beginStream()
            try await request.stream(event(#"{"content":"a"}"#, #""stop""#))
            try await request.endStream()
        } _: {
            try await generate(at: $0)
        }
        #expect(reason == .stop)
        let error = try await failure { request in
            try await request.beginStream()
            try await request.stream(event(#"{"content":"a"}"#) + "data: {\"choi")
            request.finish()
        }
        #expect(error?.report.code == .generationFailed)
        #expect(error?.detail.contains("broke off") == true)
    }

    @Test func errorsHaveTheirCodes() async throws {
        let missing = try await failure {
            try await $0.reply(#"{"error":{"message":"no such model","type":"not_found_error"}}"#, status: 404)
        }
        #expect(missing?.report.code == .ollamaModelNotAvailable)
        #expect(missing?.report.message.contains("no such model") == true)
        let middle = try await failure { request in
            try await request.beginStream()
            try await request.stream(event(#"{"content":"a"}"#) + #"data: {"error":{"message":"out of memory"}}"# + "\n\n")
            await request.untilClosed()
        }
        #expect(middle?.report.message.contains("out of memory") == true)
    }

    @Test func cancellingClosesTheRequest() async throws {
        let (began, closed) = (Signal(), Signal())
        try await StandInServer.run { request in
            try await request.beginStream()
            try await request.stream(event(#"{"content":"a"}"#))
            await request.untilClosed()
            closed.send()
        } _: { server in
            let task = Task { try await generate(at: server) { if case .text = $0 { began.send() } } }
            try await began.wait()
            task.cancel()
            try await closed.wait()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
