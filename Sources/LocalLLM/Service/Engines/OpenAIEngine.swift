import Foundation
package import LocalLLMWire
import WireKit

/// The engine behind an OpenAI-compatible interface: llama.cpp's server, LM Studio, vLLM.
///
/// Closing the connection stops an answer.
package struct OpenAIEngine: Engine {
    private let server: ModelServer
    private let habits = ThinkingHabits()

    package init(_ server: ModelServer) { self.server = server }

    package var name: String { "The model server at \(server.name)" }

    /// The path of a call. An address may end with the version, as is usual, or not.
    private func path(_ call: String) -> String {
        server.address.path().split(separator: "/").last == "v1" ? "/\(call)" : "/v1/\(call)"
    }

    package func models() async throws -> [EngineModel] {
        guard let list = try await server.get(path("models"), as: ModelList.self) else {
            throw EngineError(.notFound, "The server at \(server.name) has no OpenAI-compatible interface.")
        }
        return list.data.map { EngineModel($0.id) }
    }

    package func generate(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        try await server.answer(request, receive) { try await attempt($0, $1) }
    }

    private func attempt(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        try await server.limits.run(by: server.clock) { didReceivePiece in
            try await receive(.progress(ChatProgress(.reading)))
            var output = AnswerOutput(of: request.model, habits, didReceivePiece, receive)
            var reason: FinishReason?
            // Takes an event, or a whole answer.
            func take(_ data: Data) async throws {
                if let error = server.failure(in: data, "The model server stopped.") { throw error }
                guard let event = try? WireJSON.decode(ChatEvent.self, from: data) else {
                    throw EngineError(.failed, "The model server sent an event that is not readable.")
                }
                // The event with the usage has no choice.
                guard let choice = event.choices?.first else { return }
                if let delta = choice.delta ?? choice.message {
                    if delta.thinks { try await output.thought() }
                    if !delta.text.isEmpty { try await output.text(delta.text) }
                }
                if let end = choice.finishReason { reason = try Self.reason(end) }
            }
            do {
                try await server.lines(of: path("chat/completions"), ChatRequest(request), model: request.model) { whole in
                    try await take(whole)
                    reason = reason ?? .stop
                } _: { line in
                    guard let data = EventLine(line)?.data else { return true }
                    if data == Data("[DONE]".utf8) {
                        reason = reason ?? .stop
                        return false
                    }
                    try await take(data)
                    return true
                }
            } catch let error as EngineError {
                // Some servers end the stream after the reason, without [DONE].
                guard error.code == .failed, reason != nil else { throw error }
            }
            try await output.finish()
            return reason ?? .stop
        }
    }

    /// - Throws: ``EngineError`` for the reason of an answer that is not complete.
    private static func reason(_ text: String) throws(EngineError) -> FinishReason {
        switch text.lowercased() {
        case "length", "max_tokens", "model_length", "max_length": return .length
        case "abort", "aborted", "cancelled", "canceled", "error":
            throw EngineError(.failed, "The model server broke off in the middle of the answer (\(text)).")
        case "content_filter": throw EngineError(.failed, "The model server withheld the rest of the answer (content_filter).")
        default: return .stop
        }
    }
}

/// A line of a stream of server-sent events. The servers write each event's data in one line.
struct EventLine: Hashable, Sendable {
    let data: Data

    /// Nil for other fields and for comments, which keep the connection alive.
    init?(_ line: Data) {
        // llama.cpp's server once had a field `error`, with the error itself.
        let isError = line.starts(with: Data("error:".utf8))
        guard isError || line.starts(with: Data("data:".utf8)) else { return nil }
        var data = line.dropFirst(isError ? 6 : 5)
        if data.first == UInt8(ascii: " ") { data = data.dropFirst() }
        if data.last == UInt8(ascii: "\r") { data = data.dropLast() }
        self.data = isError ? Data(#"{"error":"#.utf8) + data + Data("}".utf8) : Data(data)
    }
}

private struct ModelList: Decodable {
    struct Model: Decodable { var id: String }
    var data: [Model]
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

private struct ChatEvent: Decodable {
    struct Choice: Decodable {
        var delta: Delta?
        /// In place of ``delta`` in a reply that is not streamed.
        var message: Delta?
        var finishReason: String?

        enum CodingKeys: String, CodingKey {
            case delta, message
            case finishReason = "finish_reason"
        }
    }

    struct Delta: Decodable {
        var content: Content?
        /// The text of thoughts, under the names that servers use.
        var reasoning: String?
        var reasoningContent: String?

        enum CodingKeys: String, CodingKey {
            case content, reasoning
            case reasoningContent = "reasoning_content"
        }

        var thinks: Bool { reasoning?.isEmpty == false || reasoningContent?.isEmpty == false || content?.thinks == true }
        var text: String { content?.text ?? "" }
    }

    /// A text, or parts of which some are thoughts: `[{"type":"thinking",…},{"type":"text","text":"…"}]`, as Mistral's servers send them.
    struct Content: Decodable {
        var text: String
        var thinks = false

        private struct Part: Decodable {
            var type: String?
            var text: String?
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let parts = try? container.decode([Part].self) {
                text = parts.filter { $0.type != "thinking" && $0.type != "reasoning" }.compactMap(\.text).joined()
                thinks = parts.contains { $0.type == "thinking" || $0.type == "reasoning" }
            } else {
                text = try container.decode(String.self)
            }
        }
    }

    var choices: [Choice]?
}
