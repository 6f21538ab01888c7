import Foundation
package import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit
package import WireKit

/// A stand-in for a Realtime server. Scripts write the responses; ``RealtimeRules`` checks the client.
package final class RealtimeStandIn: Sendable {
    package typealias Script = @Sendable (RealtimeExchange) async throws -> Void

    package struct Options: Sendable {
        package var generation = StandInGeneration.general
        /// The key that clients need; nil for none.
        package var key: String?
        /// False for a server that leaves out what compatible servers leave out: `session.created`, `session.updated`, `committed` and
        /// `response.created`.
        package var announces = true
        /// The identifier of every recording and of every response, for a server that uses it again and again; nil for new ones.
        package var onlyID: String?
        /// False for a server that does not confirm `response.cancel`.
        package var confirmsCancels = true
        /// False for a server that accepts the connection and never says anything.
        package var isAwake = true
        /// The status of a refusal of every connection.
        package var refusal: Int?

        package init() {}
    }

    private struct State {
        var options: Options
        var script: Script
        var received: [JSONValue] = []
        var heads: [HTTPFields] = []
        var refusals: [String] = []
        var responseCount = 0
        var connections: [WebSocketConnection] = []
    }

    private let state: Locked<State>

    package init(_ options: Options = Options(), script: @escaping Script = RealtimeStandIn.talk) {
        state = Locked(State(options: options, script: script))
    }

    /// Answers sensibly, and looks up news when the learner asks for it.
    package static let talk: Script = { exchange in
        try await exchange.created()
        switch exchange.input {
        case .nothing: try await exchange.answer(StandInTutor.greeting, transcript: nil)
        case .audio:
            let transcript = StandInTutor.transcripts[exchange.number % StandInTutor.transcripts.count]
            try await exchange.answer(StandInTutor.answer(exchange.number), transcript: transcript)
        case .text(let text) where text.lowercased().contains("news"):
            try await exchange.call("search_news", #"{"query":"Taiwan"}"#, id: "call_\(exchange.responseID)")
            try await exchange.done()
        case .text: try await exchange.answer(StandInTutor.answer(exchange.number), transcript: nil)
        case .output: try await exchange.answer("Here is what I found in the news. What do you think of it?", transcript: nil)
        }
    }

    package var options: Options {
        get { state.withLock { $0.options } }
        set { state.withLock { $0.options = newValue } }
    }
    package func setScript(_ script: @escaping Script) { state.withLock { $0.script = script } }
    /// The events of clients, in the order of arrival.
    package var received: [JSONValue] { state.withLock { $0.received } }
    package func received(_ type: String) -> [JSONValue] { received.filter { $0["type"] == .string(type) } }
    /// The headers of connections.
    package var heads: [HTTPFields] { state.withLock { $0.heads } }
    /// The messages of the errors that clients have caused.
    package var refusals: [String] { state.withLock { $0.refusals } }

    /// Closes every connection, as a server does that expires its sessions.
    package func expire(_ code: UInt16 = 1001) {
        let connections = state.withLock { state in
            defer { state.connections = [] }
            return state.connections
        }
        for connection in connections { connection.close(WebSocketCloseCode(rawValue: code), reason: "session expired") }
    }

    // MARK: Connections

    func upgrade(_ request: Request) throws -> WebSocketUpgrade {
        let options = options
        state.withLock { $0.heads.append(request.headers) }
        if let refusal = options.refusal { throw HTTPError(.init(code: refusal), message: "refused") }
        if let key = options.key, request.headers[.authorization] != "Bearer \(key)" {
            throw HTTPError(.unauthorized, message: "wrong key")
        }
        guard request.uri.queryParameters["model"] != nil else { throw HTTPError(.badRequest, message: "no model") }
        let wantsBeta = request.headers[HTTPField.Name("OpenAI-Beta")!] == "realtime=v1"
        if options.generation == .beta, !wantsBeta { throw HTTPError(.badRequest, message: "the beta header is missing") }
        return WebSocketUpgrade(maximumMessageSize: 16_777_216) { connection in
            self.state.withLock { $0.connections.append(connection) }
            if options.generation == .general, wantsBeta { return try await Self.refuseBeta(connection) }
            try await RealtimeStandInSession(self, options, connection).run()
        }
    }

    private static func refuseBeta(_ connection: WebSocketConnection) async throws {
        let error: JSONValue = .object([
            "type": .string("invalid_request_error"), "code": .string("beta_api_shape_disabled"),
            "message": .string("The Realtime Beta API is no longer supported. Please use /v1/realtime for the GA API."),
        ])
        let event: JSONValue = .object(["type": .string("error"), "event_id": .string("event_1"), "error": error])
        try await connection.send(String(decoding: WireJSON.encode(event), as: UTF8.self))
        connection.close(WebSocketCloseCode(rawValue: 4000))
    }

    func record(_ event: JSONValue) { state.withLock { $0.received.append(event) } }
    func record(refusal: String) { state.withLock { $0.refusals.append(refusal) } }

    func nextResponse() -> (number: Int, script: Script) {
        state.withLock { state in
            defer { state.responseCount += 1 }
            return (state.responseCount, state.script)
        }
    }
}

/// One connection of the stand-in.
private final class RealtimeStandInSession: Sendable {
    private struct State {
        var rules: RealtimeRules
        var active: (id: String, task: Task<Void, Never>)?
        var input = RealtimeExchange.Input.nothing
        var item: String?
        var itemCount = 0
    }

    private let standIn: RealtimeStandIn
    private let options: RealtimeStandIn.Options
    private let connection: WebSocketConnection
    private let name = UInt32.random(in: 0 ... .max)
    private let state: Locked<State>

    init(_ standIn: RealtimeStandIn, _ options: RealtimeStandIn.Options, _ connection: WebSocketConnection) {
        (self.standIn, self.options, self.connection) = (standIn, options, connection)
        state = Locked(State(rules: RealtimeRules(options.generation)))
    }

    func run() async throws {
        defer { state.withLock { $0.active }?.task.cancel() }
        guard options.isAwake else {
            for try await message in connection.messages { if let event = Self.event(message) { standIn.record(event) } }
            return
        }
        if options.announces { try await send("session.created", ["session": session]) }
        for try await message in connection.messages {
            guard let event = Self.event(message) else {
                try await refuse(RealtimeRefusal(code: "invalid_json", message: "The message is not JSON"), nil)
                continue
            }
            standIn.record(event)
            let result = state.withLock { state in
                Result { () throws(RealtimeRefusal) in try state.rules.receive(event) }
            }
            switch result {
            case .failure(let refusal): try await refuse(refusal, event["event_id"])
            case .success(let effect): try await perform(effect, event)
            }
        }
    }

    private static func event(_ message: WebSocketMessage) -> JSONValue? {
        guard case .text(let text) = message else { return nil }
        return try? WireJSON.decode(JSONValue.self, from: Data(text.utf8))
    }

    private var session: JSONValue {
        var session: [String: JSONValue] = ["object": .string("realtime.session"), "id": .string("sess_\(name)")]
        switch options.generation {
        case .beta:
            session["modalities"] = .array([.string("audio"), .string("text")])
            session["input_audio_format"] = .string("pcm16")
        case .general:
            session["type"] = .string("realtime")
            session["output_modalities"] = .array([.string("audio")])
        }
        return .object(session)
    }

    private func send(_ type: String, _ members: [String: JSONValue]) async throws {
        var event = members
        event["type"] = .string(type)
        event["event_id"] = .string("event_\(UInt32.random(in: 0 ... .max))")
        try await connection.send(String(decoding: WireJSON.encode(JSONValue.object(event)), as: UTF8.self))
    }

    private func refuse(_ refusal: RealtimeRefusal, _ eventID: JSONValue?) async throws {
        standIn.record(refusal: refusal.message)
        let error: [String: JSONValue] = [
            "type": .string("invalid_request_error"), "code": .string(refusal.code), "message": .string(refusal.message),
            "param": refusal.param.map { .string($0) } ?? .null, "event_id": eventID ?? .null,
        ]
        try await send("error", ["error": .object(error)])
    }

    private func perform(_ effect: RealtimeRules.Effect, _ event: JSONValue) async throws {
        switch effect {
        case .nothing: break
        case .sessionUpdated: if options.announces { try await send("session.updated", ["session": session]) }
        case .committed(let audio):
            let item = state.withLock { state in
                state.itemCount += 1
                state.input = .audio(audio)
                state.item = options.onlyID ?? "item_\(name)_\(state.itemCount)"
                return state.item ?? ""
            }
            if options.announces { try await send("input_audio_buffer.committed", ["item_id": .string(item)]) }
        case .itemCreated(let item):
            state.withLock { state in
                if let output = item["output"]?.string {
                    state.input = .output(output)
                } else if item["role"] == .string("user") {
                    state.input = .text(item["content"]?.array?.first?["text"]?.string ?? "")
                } else {
                    // An earlier turn, which asks for no answer.
                    state.input = .nothing
                }
            }
            let type = options.generation == .beta ? "conversation.item.created" : "conversation.item.added"
            if options.announces { try await send(type, ["item": item]) }
        case .respond: try await respond(event)
        case .cancel(let id): try await cancel(id, event)
        }
    }

    private func respond(_ event: JSONValue) async throws {
        let isBusy = state.withLock { $0.active != nil }
        guard !isBusy else {
            let message = "Conversation already has an active response"
            return try await refuse(
                RealtimeRefusal(code: "conversation_already_has_active_response", message: message), event["event_id"])
        }
        let (number, script) = standIn.nextResponse()
        let id = options.onlyID ?? "resp_\(name)_\(number)"
        state.withLock { state in
            let exchange = RealtimeExchange(
                number: number, input: state.input, responseID: id, itemID: state.item, generation: options.generation,
                connection: connection,
                addCall: { [weak self] call in _ = self?.state.withLock { $0.rules.openCalls.insert(call) } },
                end: { [weak self] in self?.endResponse(id) })
            state.input = .nothing
            state.item = nil
            // Ended by `response.cancel` and by the end of the connection.
            let task = Task { [weak self] in
                // A script that fails has lost its connection, or was cancelled.
                try? await script(exchange)
                self?.endResponse(id)
            }
            state.active = (id, task)
        }
    }

    private func endResponse(_ id: String) { state.withLock { if $0.active?.id == id { $0.active = nil } } }

    private func cancel(_ id: String?, _ event: JSONValue) async throws {
        let active = state.withLock { state -> (id: String, task: Task<Void, Never>)? in
            guard let active = state.active, id == nil || id == active.id else { return nil }
            state.active = nil
            return active
        }
        guard let active else {
            let refusal = RealtimeRefusal(
                code: "response_cancel_not_active", message: "Cancellation failed: no active response found")
            return try await refuse(refusal, event["event_id"])
        }
        active.task.cancel()
        guard options.confirmsCancels else { return }
        let response: [String: JSONValue] = ["id": .string(active.id), "status": .string("cancelled")]
        try await send("response.done", ["response": .object(response)])
    }
}
