import Foundation
package import LocalLLMWire
import WireKit

/// The engine behind an OpenAI-compatible interface: llama.cpp's server, LM Studio, vLLM.
///
/// Closing the connection stops an answer.
package struct OpenAIEngine: Engine {
    private let server: ModelServer

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
        try await server.limits.run(by: server.clock) { didReceivePiece in
            try await receive(.progress(ChatProgress(.reading)))
            var isThinking = false
            var reason: FinishReason?
            do {
                try await server.lines(of: path("chat/completions"), ChatRequest(request), model: request.model) { line in
                    guard let data = EventLine(line)?.data else { return true }
                    if data == Data("[DONE]".utf8) {
                        reason = reason ?? .stop
                        return false
                    }
                    if let error = server.errorText(data) {
                        throw EngineError(.failed, "The model server stopped.", serverText: error)
                    }
                    guard let event = try? WireJSON.decode(ChatEvent.self, from: data) else {
                        throw EngineError(.failed, "The model server sent an event that is not readable.")
                    }
                    // The event with the usage has no choice.
                    guard let choice = event.choices?.first else { return true }
                    if choice.delta?.thinks == true {
                        didReceivePiece()
                        if !isThinking { try await receive(.progress(ChatProgress(.thinking))) }
                        isThinking = true
                    }
                    if let text = choice.delta?.content, !text.isEmpty {
                        didReceivePiece()
                        try await receive(.text(text))
                        // The receiver may have waited.
                        didReceivePiece()
                    }
                    if let end = choice.finishReason { reason = end == "length" ? .length : .stop }
                    return true
                }
            } catch let error as EngineError {
                // Some servers end the stream after the reason, without [DONE].
                guard error.code == .failed, let reason else { throw error }
                return reason
            }
            return reason ?? .stop
        }
    }
}

/// A line of a stream of server-sent events. The servers write each event's data in one line.
struct EventLine: Hashable, Sendable {
    let data: Data

    /// Nil for other fields and for comments, which keep the connection alive.
    init?(_ line: Data) {
        guard line.starts(with: Data("data:".utf8)) else { return nil }
        var data = line.dropFirst(5)
        if data.first == UInt8(ascii: " ") { data = data.dropFirst() }
        if data.last == UInt8(ascii: "\r") { data = data.dropLast() }
        self.data = Data(data)
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
        var finishReason: String?

        enum CodingKeys: String, CodingKey {
            case delta
            case finishReason = "finish_reason"
        }
    }

    struct Delta: Decodable {
        var content: String?
        /// The text of thoughts, under the names that servers use.
        var reasoning: String?
        var reasoningContent: String?

        enum CodingKeys: String, CodingKey {
            case content, reasoning
            case reasoningContent = "reasoning_content"
        }

        var thinks: Bool { reasoning?.isEmpty == false || reasoningContent?.isEmpty == false }
    }

    var choices: [Choice]?
}
