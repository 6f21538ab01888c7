package import Foundation
package import HTTPTypes
import Hummingbird
import NIOCore
package import ServerKit
import TestKit
package import WireKit

/// One program that plays all of OpenAI's interfaces: Realtime, chat, transcription and speech, with faults on demand.
package final class ModelServers: Sendable {
    /// A call over HTTP.
    package enum Call: String, Sendable, CaseIterable {
        case models, chat, transcription, speech, news
    }

    /// A call as the stand-in got it.
    package struct Received: Sendable {
        package var call: Call
        package var headers: HTTPFields
        package var query: String?
        package var body: Data
        /// The body of a call with JSON.
        package var json: JSONValue? { try? WireJSON.decode(JSONValue.self, from: body) }
    }

    private struct State {
        var key: String?
        var plans: [Call: [HTTPFault]] = [:]
        var constants: [Call: HTTPFault] = [:]
        var received: [Received] = []
        var transcripts = StandInTutor.transcripts
        var transcriptCount = 0
        var answerCount = 0
        var answers: [String] = []
        var gates: [Call: Gate] = [:]
    }

    package let realtime: RealtimeStandIn
    private let state: Locked<State>
    /// Opens when the server ends, so that silent calls end.
    private let end = Gate()

    /// - Parameter key: The key that clients need; nil for none.
    package init(realtime: RealtimeStandIn = RealtimeStandIn(), key: String? = nil) {
        self.realtime = realtime
        state = Locked(State(key: key))
    }

    // MARK: Scripts

    /// Answers the next calls with faults, in order; later ones normally.
    package func plan(_ call: Call, _ faults: HTTPFault...) { state.withLock { $0.plans[call] = faults } }
    /// Answers every call with a fault.
    package func set(_ call: Call, _ fault: HTTPFault) { state.withLock { $0.constants[call] = fault } }
    package func set(_ call: Call, named fault: NamedFault) { set(call, fault.fault) }
    /// The answers to streamed chats, in order, before the usual ones.
    package func setAnswers(_ answers: [String]) { state.withLock { $0.answers = answers } }
    package func setTranscripts(_ transcripts: [String]) { state.withLock { $0.transcripts = transcripts } }
    /// Holds the calls back until the gate opens: a chat after its first sentence, other calls before the answer.
    package func hold(_ call: Call, with gate: Gate) { state.withLock { $0.gates[call] = gate } }

    package func received(_ call: Call) -> [Received] { state.withLock { $0.received.filter { $0.call == call } } }

    // MARK: Running

    /// Runs `body` with the servers on a port of their own, below `/v1`.
    ///
    /// - Parameter port: 0 for a free one.
    package func run<Value: Sendable>(
        port: Int = 0, _ body: @escaping @Sendable (_ base: URL) async throws -> Value
    ) async throws -> Value {
        var configuration = WebServer.Configuration()
        configuration.port = port
        return try await ServerUnderTest.run([parts], configuration: configuration) { server in
            // Silent calls keep the server from ending.
            defer {
                self.end.open()
                self.realtime.expire()
            }
            return try await body(URL(string: "http://127.0.0.1:\(server.port)/v1")!)
        }
    }

    package var parts: ServiceParts { ServiceParts(name: "models", responder: responder()) }

    private func responder() -> some HTTPResponder<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.webSocket("/v1/realtime") { request, _ in try self.realtime.upgrade(request) }
        router.get("/v1/models") { request, _ in
            try await self.answer(.models, request) { _ in Self.json(#"{"object":"list","data":[]}"#) }
        }
        router.post("/v1/chat/completions") { request, _ in
            try await self.answer(.chat, request, held: false) { try self.chat($0, fault: .none) }
        }
        router.post("/v1/audio/transcriptions") { request, _ in try await self.answer(.transcription, request, self.transcribe) }
        router.post("/v1/audio/speech") { request, _ in try await self.answer(.speech, request) { try self.speak($0, fault: .none) }
        }
        router.get("/news") { request, _ in try await self.answer(.news, request) { _ in Self.news } }
        return router.buildResponder()
    }

    private func answer(
        _ call: Call, _ request: Request, held: Bool = true, _ normal: (Received) throws -> Response
    ) async throws -> Response {
        let body = Data(try await request.body.collect(upTo: 33_554_432).readableBytesView)
        let received = Received(call: call, headers: request.headers, query: request.uri.query, body: body)
        let (key, fault, gate) = state.withLock { state -> (String?, HTTPFault, Gate?) in
            state.received.append(received)
            var plan = state.plans[call] ?? []
            let planned = plan.isEmpty ? nil : plan.removeFirst()
            state.plans[call] = plan
            return (state.key, planned ?? state.constants[call] ?? .none, state.gates[call])
        }
        if let key, call != .news, request.headers[.authorization] != "Bearer \(key)" {
            return Self.json(#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error"}}"#, 401)
        }
        if held, let gate { await gate.wait() }
        switch fault {
        case .none: return try normal(received)
        case .status(let status, let retryAfter):
            var response = Self.json(#"{"error":{"message":"The stand-in says \#(status)","type":"server_error"}}"#, status)
            if let retryAfter { response.headers[HTTPField.Name("Retry-After")!] = "\(retryAfter)" }
            return response
        case .body(let text, let type): return Self.reply(Data(text.utf8), type)
        case .data(let bytes, let type): return Self.reply(bytes, type)
        case .silent:
            await end.wait()
            throw HTTPError(.serviceUnavailable)
        case .content, .breaksOff, .silentAfterStart, .wave:
            switch call {
            case .chat: return try chat(received, fault: fault)
            case .speech: return try speak(received, fault: fault)
            default: return Self.parts([Data(#"{"te"#.utf8)], "application/json", fault, end)
            }
        }
    }

    // MARK: Answers

    private func chat(_ call: Received, fault: HTTPFault) throws -> Response {
        // Servers of one's own have one model, and models without a role for instructions.
        guard let json = call.json, json["model"]?.string?.isEmpty != true, let messages = json["messages"]?.array,
            [.string("system"), .string("user")].contains(messages.first?["role"]), messages.last?["role"] == .string("user"),
            messages.allSatisfy({ $0["content"]?.string?.isEmpty == false })
        else { throw HTTPError(.badRequest, message: "malformed chat") }
        if json["stream"] == .bool(true) { return stream(fault) }
        let instructions = messages[0]["content"]?.string ?? ""
        guard json["response_format"]?["type"] == .string("json_object"), instructions.contains("JSON") else {
            throw HTTPError(.badRequest, message: "'messages' must contain the word 'json'")
        }
        let data = try WireJSON.decode(JSONValue.self, from: Data((messages.last?["content"]?.string ?? "").utf8))
        guard let answer = StandInJudge.answer(instructions, data) else {
            throw HTTPError(.badRequest, message: "unknown question")
        }
        var content = String(decoding: try WireJSON.encode(answer), as: UTF8.self)
        if case .content(let text) = fault { content = text }
        let reply: JSONValue = .object([
            "id": .string("chatcmpl-1"), "object": .string("chat.completion"),
            "choices": .array([
                .object([
                    "index": .integer(0), "finish_reason": .string("stop"),
                    "message": .object(["role": .string("assistant"), "content": .string(content)]),
                ])
            ]),
        ])
        let bytes = try WireJSON.encode(reply)
        guard fault == .breaksOff || fault == .silentAfterStart else { return Self.reply(bytes, "application/json") }
        return Self.parts([bytes.prefix(bytes.count / 2)], "application/json", fault, end)
    }

    /// A streamed answer, word by word. A gate holds it back after its first sentence.
    private func stream(_ fault: HTTPFault) -> Response {
        let (usual, gate) = state.withLock { state -> (String, Gate?) in
            defer { state.answerCount += 1 }
            if !state.answers.isEmpty { return (state.answers.removeFirst(), state.gates[.chat]) }
            return (state.answerCount == 0 ? StandInTutor.greeting : StandInTutor.answer(state.answerCount), state.gates[.chat])
        }
        var answer = usual
        if case .content(let text) = fault { answer = text }
        let (text, end) = (answer, end)
        let body = ResponseBody { writer in
            func event(_ delta: String, _ reason: String?) -> ByteBuffer {
                let json: JSONValue = .object([
                    "choices": .array([
                        .object([
                            "index": .integer(0), "delta": delta.isEmpty ? .object([:]) : .object(["content": .string(delta)]),
                            "finish_reason": reason.map { .string($0) } ?? .null,
                        ])
                    ])
                ])
                // Text in JSON can always be written.
                return ByteBuffer(
                    string: "data: " + String(decoding: (try? WireJSON.encode(json)) ?? Data(), as: UTF8.self) + "\n\n")
            }
            var isFirstSentence = true
            for word in text.split(separator: " ", omittingEmptySubsequences: false) {
                let endsSentence = word.hasSuffix(".") || word.hasSuffix("!") || word.hasSuffix("?")
                // In the middle of the first sentence: what was spoken would be heard.
                if fault == .breaksOff, endsSentence {
                    try await writer.write(ByteBuffer(string: "data: {\"choi"))
                    throw HTTPError(.internalServerError)
                }
                try await writer.write(event(word + " ", nil))
                guard isFirstSentence, endsSentence else { continue }
                isFirstSentence = false
                if fault == .silentAfterStart { await end.wait() }
                if let gate {
                    // Completes the first sentence.
                    try await writer.write(event("Now ", nil))
                    await gate.wait()
                }
            }
            try await writer.write(event("", "stop"))
            try await writer.write(ByteBuffer(string: ": the end\n\ndata: [DONE]\n\n"))
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }

    private func transcribe(_ call: Received) throws -> Response {
        // The sound is no text, and each of its odd bytes would be replaced.
        guard call.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true,
            ["name=\"model\"", "name=\"language\"\r\n\r\nen", "filename=\"audio.wav\""]
                .allSatisfy({ call.body.range(of: Data($0.utf8)) != nil }),
            let wave = call.body.range(of: Data("RIFF".utf8)),
            call.body.dropFirst(wave.lowerBound + 8).starts(with: Data("WAVE".utf8))
        else { throw HTTPError(.badRequest, message: "malformed form") }
        let text = state.withLock { state in
            defer { state.transcriptCount += 1 }
            return state.transcripts[state.transcriptCount % state.transcripts.count]
        }
        return Self.reply(try WireJSON.encode(JSONValue.object(["text": .string(" \(text)\n")])), "application/json")
    }

    private func speak(_ call: Received, fault: HTTPFault) throws -> Response {
        guard let json = call.json, let input = json["input"]?.string, !input.isEmpty, json["voice"]?.string?.isEmpty == false,
            json["model"]?.string?.isEmpty == false, let format = json["response_format"]?.string,
            ["pcm", "wav", "mp3"].contains(format)
        else { throw HTTPError(.badRequest, message: "malformed speech") }
        if fault == .wave || format == "wav" {
            return Self.reply(StandInWave.file(StandInTutor.voice(input, sampleRate: 22_050), sampleRate: 22_050), "audio/wav")
        }
        let samples = StandInTutor.voice(input)
        // An odd size, so that samples are cut.
        let pieces = stride(from: 0, to: samples.count, by: 4_801).map { Data(samples.dropFirst($0).prefix(4_801)) }
        let isCut = fault == .breaksOff || fault == .silentAfterStart
        return Self.parts(isCut ? Array(pieces.prefix(1)) : pieces, "audio/pcm", fault, end)
    }

    private static let news = reply(
        Data(
            """
            <?xml version="1.0"?><rss version="2.0"><channel><title>News</title>
            <item><title>Typhoon &amp; rain reach Taiwan</title><pubDate>Wed, 25 Nov 2026 08:00:00 GMT</pubDate>
            <description><![CDATA[<p>Schools are <b>closed</b> today.</p>]]></description></item>
            <item><title>New night market opens</title></item></channel></rss>
            """.utf8), "application/rss+xml")

    private static func json(_ text: String, _ status: Int = 200) -> Response {
        var response = reply(Data(text.utf8), "application/json")
        response.status = .init(code: status)
        return response
    }

    private static func reply(_ bytes: Data, _ type: String?) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = type
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A body in parts, which breaks off or falls silent after them if the fault says so.
    private static func parts(_ parts: [Data], _ type: String, _ fault: HTTPFault, _ end: Gate) -> Response {
        let body = ResponseBody { writer in
            for part in parts { try await writer.write(ByteBuffer(bytes: part)) }
            if fault == .silentAfterStart { await end.wait() }
            if fault == .breaksOff { throw HTTPError(.internalServerError) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: type], body: body)
    }
}

/// A WAVE file as another program would write it: not with the code that is tested with it.
enum StandInWave {
    static func file(_ samples: Data, sampleRate: Int) -> Data {
        func bytes(_ value: Int, _ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }) }
        let parts: [Data] = [
            Data("RIFF".utf8), bytes(36 + samples.count, 4), Data("WAVEfmt ".utf8), bytes(16, 4), bytes(1, 2), bytes(1, 2),
            bytes(sampleRate, 4), bytes(sampleRate * 2, 4), bytes(2, 2), bytes(16, 2), Data("data".utf8), bytes(samples.count, 4),
            samples,
        ]
        return Data(parts.joined())
    }
}
