import Foundation
import NetworkingKit
import WireKit

/// The chat completions of a server with OpenAI's interface.
struct ChatServer: ChatModel {
    /// The pauses before the second and the third attempt.
    private static let pauses: [Duration] = [.seconds(1), .seconds(3)]
    /// Timeout of a whole answer in JSON.
    private static let answerLimit = Duration.seconds(120)
    /// Maximum size of an answer that is not streamed, in bytes.
    private static let maximumReplySize = 4_194_304
    private static let white = Data(" \t\r\n".utf8)

    private static let path = "/chat/completions"

    let server: OutsideServer
    let model: ServedModel
    let startsInThoughts = Locked(false)

    /// - Parameter model: The name of the model; nil for the first model that the server lists.
    init(server: OutsideServer, model: String?) {
        self.server = server
        self.model = ServedModel(model, of: server)
    }

    var subject: String { server.subject }
    var name: String? { model.name }
    var clock: any Clock<Duration> { server.clock }

    /// Checks that the server can be reached and accepts the key, and finds its model.
    func check() async throws {
        try await server.probe()
        _ = try await model.resolved()
    }

    /// Requests a JSON object. Retries twice after a temporary failure, and after an answer that is not a JSON object.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func object(_ instructions: String, _ data: JSONValue) async throws -> JSONValue {
        let question = String(decoding: try WireJSON.encode(data), as: UTF8.self)
        let messages = [ChatMessage(.system, instructions), ChatMessage(.user, question)]
        let (path, body) = try await call(messages, ["response_format": .object(["type": .string("json_object")])])
        for pause in Self.pauses {
            do {
                return try await object(path, body)
            } catch let failure as OutsideFailure {
                guard failure.status == 429 || failure.status >= 500 else { throw failure.error }
                try await server.clock.sleep(for: failure.retryAfter ?? pause)
            } catch let error as EngineError where error.code != .refused {
                try await server.clock.sleep(for: pause)
            }
        }
        do {
            return try await object(path, body)
        } catch let failure as OutsideFailure {
            throw failure.error
        }
    }

    private func object(_ path: String, _ body: Data) async throws -> JSONValue {
        let reply = try await server.send(path, body, within: Self.answerLimit)
        let json = try? WireJSON.decode(JSONValue.self, from: reply.body)
        guard let text = json?["choices"]?.list?.first?["message"]?["content"]?.words else {
            if let message = server.message(in: reply.body) { throw EngineError(.failed, "\(server.subject) reports: \(message)") }
            throw EngineError(.failed, "\(server.subject) at \(server.name) answered with something unreadable.")
        }
        guard let object = JSONValue(objectIn: text) else {
            throw EngineError(.failed, "The model \(name ?? "of \(server.name)") did not answer with a JSON object.")
        }
        return object
    }

    /// Returns the path and the body of a call.
    private func call(_ messages: [ChatMessage], _ options: [String: JSONValue]) async throws -> (path: String, body: Data) {
        let (name, base) = try await model.resolved()
        var json = options
        json["messages"] = .array(messages.map(\.json))
        if let name { json["model"] = .string(name) }
        return (base + Self.path, try WireJSON.encode(JSONValue.object(json)))
    }

    /// Streams an answer, piece by piece. A server that does not stream sends the answer as one piece.
    ///
    /// - Parameter receive: Called with each piece, and with an empty one for any other data, such as thoughts in their own field.
    /// - Throws: ``EngineError``, also when the answer breaks off; the errors of `receive`; `CancellationError`.
    func stream(_ messages: [ChatMessage], _ receive: @escaping @Sendable (String) async throws -> Void) async throws {
        let (path, body) = try await call(messages, ["stream": .bool(true)])
        do {
            let reply = try await server.askingTwice {
                try await server.stream(path, body, accept: "text/event-stream, application/json")
            }
            var (events, json) = (EventStreamReader(), Data())
            var isFinished = false
            for try await chunk in reply.body {
                // A server that does not stream answers with an object.
                let start = json.isEmpty ? chunk.first { !Self.white.contains($0) } : nil
                if !json.isEmpty || start == UInt8(ascii: "{") && !events.isInsideEvent {
                    json += chunk
                    guard json.count <= Self.maximumReplySize else { throw TransportError(.tooLarge, "the answer is too long") }
                    try await receive("")
                    continue
                }
                let received = try events.receive(chunk)
                // The chunk is a comment, or a part of an event.
                if received.isEmpty { try await receive("") }
                for event in received {
                    let data = event.data.trimmingCharacters(in: .whitespaces)
                    if data == "[DONE]" { return }
                    // Some servers keep the connection alive with odd data.
                    let (text, isLast) = data.hasPrefix("{") ? try piece(of: Data(data.utf8)) : ("", false)
                    try await receive(text)
                    if isLast { isFinished = true }
                }
            }
            // The body of a cancelled call ends without an error.
            try Task.checkCancellation()
            if !json.isEmpty { return try await receive(try answer(in: json)) }
            // Some servers end the stream after the reason, without [DONE].
            guard isFinished else { throw EngineError(.failed, "\(server.subject) broke off in the middle of an answer.") }
        } catch let failure as OutsideFailure {
            if failure.isLasting { model.forget() }
            throw failure.error
        } catch let error as TransportError {
            throw try server.failure(error)
        }
    }

    /// Returns the answer of a server that does not stream.
    private func answer(in json: Data) throws -> String {
        let text = try piece(of: json).text
        guard !text.isEmpty else {
            throw EngineError(.failed, "\(server.subject) at \(server.name) answered with something unreadable.")
        }
        return text
    }

    /// Returns the text of an event or of a whole reply; `isLast` is true for the last one.
    private func piece(of data: Data) throws -> (text: String, isLast: Bool) {
        guard let json = try? WireJSON.decodeRepairing(JSONValue.self, from: data) else {
            throw EngineError(.failed, "\(server.subject) sent an event that is not readable.")
        }
        if let message = server.message(in: data) {
            throw server.unknown(code: json["error"]?["code"]?.text, message)
                ?? EngineError(.failed, "\(server.subject) reports: \(message)")
        }
        // The event with the usage has no choice.
        guard let choice = json["choices"]?.list?.first else { return ("", false) }
        let text = choice["delta"]?["content"]?.words ?? choice["message"]?["content"]?.words ?? choice["text"]?.text
        // Some servers write an empty reason, or the word "null", until the last event.
        return (text ?? "", !["", "null", nil].contains(choice["finish_reason"]?.text))
    }
}
