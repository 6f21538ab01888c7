import Foundation
package import LocalLLMWire
import WireKit

/// The engine behind an OpenAI-compatible interface: llama.cpp's server, LM Studio, vLLM.
///
/// Closing the connection stops an answer.
package struct OpenAIEngine: Engine {
    private let server: ModelServer
    private let habits = ThinkingHabits()
    /// The server's own names of models that are files, by the names that phones see.
    private let files = Locked<[String: String]>([:])

    package init(_ server: ModelServer) { self.server = server }

    package var name: String { "The model server at \(server.name)" }

    /// Returns the path of a call. The address may end with the version, as is usual: `/v1`, `/api/paas/v4`, `/v1beta/openai`.
    private func path(_ call: String) -> String {
        let last = server.address.path().split(separator: "/").last ?? ""
        return last == "openai" || last.wholeMatch(of: /v\d+[a-z]*/) != nil ? "/\(call)" : "/v1/\(call)"
    }

    package func models() async throws -> [EngineModel] {
        guard let reply = try await server.get(path("models"), as: JSONValue.self) else {
            throw EngineError(.notFound, "The server at \(server.name) has no OpenAI-compatible interface.")
        }
        guard let list = Self.models(in: reply) else { throw server.isNoModelServer }
        let names = list.compactMap { $0.text ?? $0["id"]?.text ?? $0["name"]?.text ?? $0["model"]?.text }.filter { !$0.isEmpty }
        // llama.cpp's server with an unnamed model accepts any name.
        return (names.isEmpty && !list.isEmpty ? [Self.unnamed] : shown(names)).map { EngineModel($0) }
    }

    /// Returns the names that phones see, and keeps the server's own names for requests. Two files of the same name keep their paths.
    private func shown(_ names: [String]) -> [String] {
        let short = names.map(EngineModel.shownName)
        let isClear = Set(short).count == names.count
        files.withLock { $0 = isClear ? Dictionary(uniqueKeysWithValues: zip(short, names)) : [:] }
        return isClear ? short : names
    }

    /// The name for a model that its server does not name.
    private static let unnamed = "default"

    /// Returns the list of models in a reply, which has one of these forms; nil for any other:
    ///
    ///     {"data":[{"id":"…"}]}             OpenAI and nearly all others
    ///     [{"id":"…"}]                      Together
    ///     {"models":[{"name":"…"}]}         llama.cpp's server, beside `data`
    ///     {"model_names":["…"]}             text-generation-webui
    private static func models(in reply: JSONValue) -> [JSONValue]? {
        if let list = reply.list { return list }
        // A server without a model.
        if reply["data"] == .null { return [] }
        return reply["data"]?.list ?? reply["models"]?.list ?? reply["model_names"]?.list
    }

    package func generate(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        var request = request
        if let file = files.withLock({ $0[request.model] }) { request.model = file }
        return try await server.answer(request, receive) { try await attempt($0, $1) }
    }

    private func attempt(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        try await server.limits.run(by: server.clock) { didReceive in
            try await receive(.progress(ChatProgress(.reading)))
            var output = AnswerOutput(of: request.model, habits, { didReceive(.piece) }, receive)
            var reason: FinishReason?
            // Processes an event, or a whole answer.
            func take(_ event: ChatEvent) async throws {
                didReceive(.life)
                if let thoughts = event.thoughts { try await output.thought(thoughts) }
                if !event.text.isEmpty { try await output.text(event.text) }
                if let end = event.finishReason { reason = try Self.reason(end) }
            }
            do {
                try await server.lines(of: path("chat/completions"), ChatRequest(request), model: request.model) { whole in
                    try await take(event(whole))
                    reason = reason ?? .stop
                } _: { line in
                    guard let line = EventLine(line) else {
                        didReceive(.life)
                        return true
                    }
                    if line.isDone {
                        reason = reason ?? .stop
                        return false
                    }
                    // Some servers write errors, or all events, without `data:`; others send arbitrary data as a keep-alive.
                    if line.isFramed && line.isObject || ServerFailure(line.data) != nil {
                        try await take(event(line.data))
                    } else if let event = try? event(line.data) {
                        try await take(event)
                    }
                    return true
                }
            } catch let error as EngineError {
                // Some servers end the stream after the reason, without [DONE].
                guard error.code == .failed, reason != nil else {
                    try await output.breakOff()
                    throw error
                }
            } catch {
                // The server stopped responding, or the answer was stopped. In the second case the host refuses the output.
                try? await output.breakOff()
                throw error
            }
            try await output.finish()
            return reason ?? .stop
        }
    }

    /// - Throws: ``EngineError`` for an event that is not readable, and for an error.
    private func event(_ data: Data) throws(EngineError) -> ChatEvent {
        if let error = server.failure(in: data, "The model server stopped.") { throw error }
        guard let event = ChatEvent(data) else {
            throw EngineError(.failed, "The model server sent an event that is not readable.")
        }
        return event
    }

    /// - Throws: ``EngineError`` for the reason of an answer that is not complete.
    private static func reason(_ text: String) throws(EngineError) -> FinishReason {
        switch text.lowercased() {
        case "length", "max_tokens", "max_output_tokens", "model_length", "max_length", "model_context_window_exceeded":
            return .length
        case "abort", "aborted", "cancelled", "canceled", "error", "network_error", "insufficient_system_resource":
            throw EngineError(.failed, "The model server broke off in the middle of the answer (\(text)).")
        case "content_filter", "sensitive", "safety", "recitation", "prohibited_content":
            throw EngineError(.failed, "The model server withheld the rest of the answer (\(text)).")
        default: return .stop
        }
    }
}

/// A line of a stream of server-sent events. The servers write each event's data in one line.
struct EventLine: Hashable, Sendable {
    let data: Data
    /// False for JSON without the name of a field in front.
    let isFramed: Bool

    /// Reads a line; nil for other fields and for comments, which keep the connection alive.
    init?(_ line: Data) {
        // Earlier versions of llama.cpp's server write the error itself into a field `error`.
        let isError = line.starts(with: Data("error:".utf8))
        isFramed = isError || line.starts(with: Data("data:".utf8))
        guard isFramed || line.first == UInt8(ascii: "{") else { return nil }
        var data = isFramed ? line.dropFirst(isError ? 6 : 5) : line
        while let first = data.first, Self.isWhite(first) { data = data.dropFirst() }
        while let last = data.last, Self.isWhite(last) { data = data.dropLast() }
        self.data = isError ? Data(#"{"error":"#.utf8) + data + Data("}".utf8) : Data(data)
    }

    private static func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }

    /// True for the end of the stream.
    var isDone: Bool { data == Data("[DONE]".utf8) }
    var isObject: Bool { data.first == UInt8(ascii: "{") }
}

private struct ChatRequest: Encodable {
    struct Message: Encodable {
        var role: String
        var content: String
    }

    var model: String
    var messages: [Message]
    var stream = true

    init(_ request: EngineRequest) {
        model = request.model
        messages = request.turns.map { Message(role: $0.role.rawValue, content: $0.content) }
    }
}

/// An event of a streamed answer, or a whole reply. Servers leave any part of it out, or write another type in its place.
private struct ChatEvent {
    private(set) var text = ""
    /// Thoughts apart from the text, perhaps empty; nil without a field or part for them.
    private(set) var thoughts: String?
    private(set) var finishReason: String?

    /// Reads an event; nil for bytes that are not a JSON object.
    init?(_ data: Data) {
        guard let event = try? WireJSON.decodeRepairing(JSONValue.self, from: data), event.members != nil else { return nil }
        // The event with the usage has no choice.
        guard let choice = event["choices"]?.list?.first else { return }
        // A reply that is not streamed has a message.
        let delta = choice["delta"]?.members == nil ? choice["message"] : choice["delta"]
        let content = delta?["content"]
        text = content?.words ?? choice["text"]?.text ?? ""
        // The names of the same field at different servers.
        let fields = ["reasoning_content", "reasoning", "thinking"].compactMap { delta?[$0]?.words }
        let parts = content?.thoughts
        if let field = fields.first(where: { !$0.isEmpty }) { thoughts = field } else if let parts { thoughts = parts }
        // Some servers write an empty text, or "null" as a text, until the last event.
        finishReason = choice["finish_reason"]?.text.flatMap { $0.isEmpty || $0 == "null" ? nil : $0 }
    }
}
