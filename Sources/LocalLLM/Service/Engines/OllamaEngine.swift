package import Foundation
package import LocalLLMWire
import WireKit

/// The engine that runs in Ollama, through its own interface.
///
/// Ollama has no call that stops an answer: closing the connection stops it.
package struct OllamaEngine: Engine {
    /// The address at which Ollama listens by default.
    package static let standardAddress = URL(string: "http://127.0.0.1:11434")!

    private let server: ModelServer
    private let habits = ThinkingHabits()

    package init(_ server: ModelServer) { self.server = server }

    package var name: String { "Ollama at \(server.name)" }

    package func models() async throws -> [EngineModel] {
        guard let list = try await server.get("/api/tags", as: ModelList.self) else { throw isNotOllama }
        return list.all.filter { $0.canChat && !$0.id.isEmpty }
            .map { EngineModel($0.id, isRemote: $0.remoteHost != nil || $0.remoteModel != nil) }
    }

    package func generate(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        try await server.answer(request, receive) { try await attempt($0, $1) }
    }

    private func attempt(
        _ request: EngineRequest, _ receive: @escaping @Sendable (EngineEvent) async throws -> Void
    ) async throws -> FinishReason {
        try await server.limits.run(by: server.clock) { didReceive in
            try await load(request.model, receive)
            try await receive(.progress(ChatProgress(.reading)))
            var output = AnswerOutput(of: request.model, habits, { didReceive(.piece) }, receive)
            var reason: FinishReason?
            do {
                try await server.lines(of: "/api/chat", ChatRequest(request), model: request.model) { line in
                    didReceive(.life)
                    if let error = server.failure(in: line, "Ollama stopped.") { throw error }
                    guard let reply = try? WireJSON.decodeRepairing(ChatReply.self, from: line) else {
                        throw EngineError(.failed, "Ollama sent a line that is not readable.")
                    }
                    if let thoughts = reply.message?.thinking, !thoughts.isEmpty { try await output.thought(thoughts) }
                    if let text = reply.message?.content, !text.isEmpty { try await output.text(text) }
                    guard reply.done == true else { return true }
                    reason = try Self.reason(reply.doneReason)
                    return false
                }
            } catch let error as EngineError {
                try await output.breakOff()
                throw error
            } catch {
                // The server stopped responding, or the answer was stopped. In the second case the host refuses the output.
                try? await output.breakOff()
                throw error
            }
            try await output.finish()
            return reason ?? .stop
        }
    }

    /// - Throws: ``EngineError`` for an answer that was not generated.
    private static func reason(_ text: String?) throws(EngineError) -> FinishReason {
        switch text {
        case "length": return .length
        // The model was loaded or unloaded in place of an answer.
        case "load", "unload":
            throw EngineError(.busy, "Ollama has given no answer, because its model was being \(text ?? "")ed. Try again.")
        default: return .stop
        }
    }

    /// Loads a model that is not in memory, so that clients can show why no answer arrives.
    private func load(_ model: String, _ receive: @Sendable (EngineEvent) async throws -> Void) async throws {
        let loaded = try await server.get("/api/ps", as: ModelList.self)?.all ?? []
        guard !loaded.contains(where: { $0.matches(model) }) else { return }
        try await receive(.progress(ChatProgress(.loading)))
        try await server.post("/api/chat", ChatRequest(model: model, messages: [], stream: false), model: model)
    }

    private var isNotOllama: EngineError { EngineError(.notFound, "The server at \(server.name) is not Ollama.") }
}

private struct ModelList: Decodable {
    struct Model: Decodable {
        var name: String?
        /// Equal to ``name`` if both are present.
        var model: String?
        /// Nil from older servers. The values are an open set.
        var capabilities: [String]?
        var remoteHost: String?
        var remoteModel: String?

        enum CodingKeys: String, CodingKey {
            case name, model, capabilities
            case remoteHost = "remote_host"
            case remoteModel = "remote_model"
        }

        /// False for models that only make embeddings or pictures.
        var canChat: Bool { capabilities?.contains("completion") ?? true }

        var id: String { name ?? model ?? "" }

        /// True if a request for `other` uses this model. A missing tag means `latest`.
        func matches(_ other: String) -> Bool { id == other || id == "\(other):latest" || "\(id):latest" == other }
    }

    var all: [Model]

    private enum CodingKeys: String, CodingKey { case models }

    /// Throws if there is no list, as from a server that is not Ollama. Null counts as an empty list.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        all = try container.decodeNil(forKey: .models) ? [] : container.decode([Model].self, forKey: .models)
    }
}

private struct ChatRequest: Encodable {
    struct Message: Encodable {
        var role: String
        var content: String
    }

    var model: String
    var messages: [Message]
    var stream: Bool
    /// False, since Ollama would otherwise leave out the oldest turns without a notice. Versions before 0.12.6 ignore it.
    var truncate = false

    init(model: String, messages: [Message], stream: Bool) { (self.model, self.messages, self.stream) = (model, messages, stream) }

    init(_ request: EngineRequest) {
        self.init(
            model: request.model, messages: request.turns.map { Message(role: $0.role.rawValue, content: $0.content) }, stream: true
        )
    }
}

private struct ChatReply: Decodable {
    struct Message: Decodable {
        var content: String?
        var thinking: String?
    }

    var message: Message?
    var done: Bool?
    /// Nil from older servers.
    var doneReason: String?

    enum CodingKeys: String, CodingKey {
        case message, done
        case doneReason = "done_reason"
    }
}
