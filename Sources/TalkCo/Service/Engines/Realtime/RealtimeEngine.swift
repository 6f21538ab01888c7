import Foundation
import HTTPTypes
import Logging
import NetworkingKit
import TalkCoWire
import WireKit

/// The engine behind OpenAI's Realtime protocol: a model that hears and speaks by itself.
struct RealtimeEngine: SpeechEngine {
    /// Maximum size of an event from the server, in bytes.
    static let maximumEventSize = 4_194_304

    let server: OutsideServer
    let sockets: any SocketTransport
    let model: String
    let voice: String
    let transcriptionModel: String
    let news: NewsSearch
    let logger: Logger
    /// The generation of the protocol that the server accepted last.
    private let generation: Locked<RealtimeGeneration>

    var clock: any Clock<Duration> { server.clock }

    init(
        _ server: OutsideServer, over sockets: any SocketTransport, model: String, voice: String, transcriptionModel: String,
        news: NewsSearch, logger: Logger
    ) {
        (self.server, self.sockets, self.model, self.voice) = (server, sockets, model, voice)
        (self.transcriptionModel, self.news, self.logger) = (transcriptionModel, news, logger)
        // The preview models were made for the beta.
        generation = Locked(model.contains("preview") ? .beta : .general)
    }

    func open(_ brief: TalkBrief) async throws -> any Conversation {
        let conversation = RealtimeConversation(self, brief)
        try await conversation.connect()
        return conversation
    }

    /// Opens a connection with a session for the conversation.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func connect(instructions: String, earlierTurns: [TalkTurn]) async throws -> RealtimeLink {
        let first = generation.withLock { $0 }
        do {
            return try await connect(first, instructions, earlierTurns)
        } catch let failure as OutsideFailure where ![401, 403, 429].contains(failure.status) && failure.status < 500 {
            do {
                return try await connect(first.other, instructions, earlierTurns)
            } catch is OutsideFailure {
                throw failure.error
            }
        } catch let failure as OutsideFailure {
            throw failure.error
        }
    }

    /// - Throws: ``OutsideFailure`` also when the server does not accept the generation.
    private func connect(
        _ generation: RealtimeGeneration, _ instructions: String, _ earlierTurns: [TalkTurn]
    ) async throws -> RealtimeLink {
        var headers = HTTPFields()
        if generation == .beta { headers[HTTPField.Name("OpenAI-Beta")!] = "realtime=v1" }
        let socket = try await server.connect(
            "/realtime?model=\(PercentEncoding.encode(model))", headers: headers, over: sockets,
            maximumMessageSize: Self.maximumEventSize)
        let link = RealtimeLink(socket, to: server, logger: logger)
        do {
            let accepted = try await Handshake(self, link, instructions).run(generation)
            self.generation.withLock { $0 = accepted }
            try remember(earlierTurns, accepted, on: link)
            return link
        } catch {
            let end = link.end
            link.close()
            // A server may close the connection without giving its reason.
            if let error = error as? EngineError, error == end { throw OutsideFailure(error: error, status: 400) }
            throw error
        }
    }

    /// Sends the turns of an earlier connection to the model.
    private func remember(_ turns: [TalkTurn], _ generation: RealtimeGeneration, on link: RealtimeLink) throws {
        guard !turns.isEmpty else { return }
        let turn = link.beginTurn()
        defer { link.endTurn(turn) }
        for earlier in turns {
            try link.post("item", in: turn) { try RealtimeRequests.learnerText(earlier.learner, id: $0) }
            try link.post("item", in: turn) { try RealtimeRequests.tutorText(earlier.tutor, generation, id: $0) }
        }
    }
}

/// The first events of a connection: `session.created`, `session.update`, `session.updated`.
private struct Handshake {
    /// Timeout of an event. The session continues without the event, which compatible servers may leave out.
    private static let replyTimeout = Duration.seconds(3)
    /// The codes of errors about the shape of the session.
    private static let shapeErrors: Set<String> = [
        "unknown_parameter", "missing_required_parameter", "invalid_type", "invalid_value",
    ]

    private let engine: RealtimeEngine
    private let link: RealtimeLink
    private let instructions: String

    init(_ engine: RealtimeEngine, _ link: RealtimeLink, _ instructions: String) {
        (self.engine, self.link, self.instructions) = (engine, link, instructions)
    }

    /// - Returns: The generation of the protocol that the server accepts.
    func run(_ asked: RealtimeGeneration) async throws -> RealtimeGeneration {
        let turn = link.open()
        defer { link.endTurn(turn) }
        let created = try await next(.sessionCreated, in: turn)
        if let created, created.kind == .error { throw failure(created) }
        let first = RealtimeGeneration(created?.session) ?? asked
        for generation in [first, first.other] {
            try link.post("update", in: turn) { id in
                try RealtimeRequests.sessionUpdate(
                    generation, instructions: instructions, voice: engine.voice, transcriptionModel: engine.transcriptionModel,
                    id: id)
            }
            guard let reply = try await next(.sessionUpdated, in: turn), reply.kind == .error else { return generation }
            guard generation == first, Self.shapeErrors.contains(reply.errorCode ?? "") else { throw failure(reply) }
        }
        return first
    }

    /// Waits for an event or an error.
    ///
    /// - Returns: nil if neither arrives within ``replyTimeout``.
    private func next(_ kind: RealtimeEvent.Kind, in turn: RealtimeLink.Turn) async throws -> RealtimeEvent? {
        do {
            return try await withTimeout(Self.replyTimeout, clock: engine.clock) {
                while let incoming = try await turn.inbox.next() {
                    guard case .event(let event) = incoming else { continue }
                    if event.kind == kind || event.kind == .error { return event }
                }
                return nil
            }
        } catch let error as TransportError where error.code == .timedOut {
            try Task.checkCancellation()
            return nil
        }
    }

    private func failure(_ event: RealtimeEvent) -> any Error {
        let message = "\(engine.server.subject) at \(engine.server.name) refuses: \(engine.server.withoutKey(event.errorMessage))"
        let isGeneration = event.errorCode == "beta_api_shape_disabled"
        let error = engine.server.unknown(code: event.errorCode, event.errorMessage) ?? EngineError(.refused, message)
        return OutsideFailure(error: error, status: isGeneration ? 400 : 403)
    }
}
