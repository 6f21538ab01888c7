import Foundation
import Logging
import NetworkingKit
import WireKit

/// One open connection to a Realtime server, with one task that reads and one that writes.
final class RealtimeLink: Sendable {
    enum Incoming: Sendable {
        case event(RealtimeEvent)
        /// The responses of earlier turns are over.
        case drained
    }

    /// The part of the connection that one turn uses.
    struct Turn: Sendable {
        let number: Int
        let inbox: Mailbox<Incoming>
    }

    private struct State {
        var ledger = RealtimeLedger()
        var inbox: Mailbox<Incoming>?
        var end: EngineError?
        /// True while the server has samples that are not committed.
        var hasUncommittedAudio = false
    }

    /// Maximum count of events that wait in one direction.
    private static let capacity = 32

    private let socket: any SocketConnection
    private let server: OutsideServer
    private let logger: Logger
    private let outgoing = Mailbox<String>(capacity: RealtimeLink.capacity)
    private let state = Locked(State())
    private let tasks = Locked([Task<Void, Never>]())

    /// - Parameter server: The server, which the errors of the connection name.
    init(_ socket: any SocketConnection, to server: OutsideServer, logger: Logger) {
        (self.socket, self.server, self.logger) = (socket, server, logger)
    }

    deinit { close() }

    /// Starts to read and to write. Called once.
    ///
    /// - Returns: The first turn, which gets the server's first event.
    func open() -> Turn {
        let turn = beginTurn()
        // The tasks end with the socket, which `deinit` closes: they do not keep this object.
        let reader = Task { [socket, server, state, outgoing, logger] in
            await Self.read(socket, server, state, outgoing, logger)
        }
        let writer = Task { [socket, server, state, outgoing] in
            do {
                while let text = try await outgoing.next() { try await socket.send(.text(text)) }
            } catch {
                Self.end(state, outgoing, Self.failure(error, of: server))
            }
        }
        tasks.withLock { $0 = [reader, writer] }
        return turn
    }

    func close() {
        Self.end(state, outgoing, EngineError(.failed, "The conversation is closed."))
        socket.close(.normal)
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }

    /// The reason of the end; nil while the connection is open.
    var end: EngineError? { state.withLock { $0.end } }
    /// True if no response is pending or open.
    var isQuiet: Bool { state.withLock { $0.ledger.isQuiet } }

    // MARK: Turns

    /// Begins a turn, and ends the previous one.
    func beginTurn() -> Turn {
        state.withLock { state in
            endTurn(&state)
            state.ledger.beginTurn()
            let inbox = Mailbox<Incoming>(capacity: Self.capacity)
            state.inbox = inbox
            if let end = state.end { inbox.finish(end) }
            return Turn(number: state.ledger.turn, inbox: inbox)
        }
    }

    /// Ends a turn, and cancels the server's remaining work for it.
    func endTurn(_ turn: Turn) {
        state.withLock { state in
            guard state.ledger.turn == turn.number else { return }
            endTurn(&state)
            // A response that a pending request begins now belongs to an earlier turn.
            state.ledger.beginTurn()
        }
    }

    private func endTurn(_ state: inout State) {
        state.inbox?.finish()
        state.inbox = nil
        for response in state.ledger.takeOpenResponses() {
            post(&state, "cancel") { try RealtimeRequests.cancel(response.isEmpty ? nil : response, id: $0) }
        }
        // Cancels the response that the server is about to begin.
        if state.ledger.hasPendingResponse { post(&state, "cancel") { try RealtimeRequests.cancel(nil, id: $0) } }
        if state.hasUncommittedAudio { post(&state, "clear", RealtimeRequests.clear) }
        state.hasUncommittedAudio = false
    }

    /// Removes the responses of earlier turns, for a server that does not end cancelled ones.
    func forgetEarlierTurns() { state.withLock { $0.ledger.forget() } }

    // MARK: Sending

    /// Sends a part of a recording. Waits while the server reads slowly.
    func append(_ audio: Data, in turn: Turn) async throws {
        let text = try await event("append", in: turn) { state, id in
            state.hasUncommittedAudio = true
            return try RealtimeRequests.append(audio, id: id)
        }
        try await outgoing.send(text)
    }

    func commit(in turn: Turn) throws {
        try post("commit", in: turn) { state, id in
            state.hasUncommittedAudio = false
            state.ledger.willCommit()
            return try RealtimeRequests.commit(id: id)
        }
    }

    func createResponse(in turn: Turn) throws {
        try post("create", in: turn) { state, id in
            state.ledger.willCreateResponse()
            return try RealtimeRequests.createResponse(id: id)
        }
    }

    /// Sends an event that creates no response.
    func post(_ kind: String, in turn: Turn, _ make: (_ id: String) throws -> String) throws {
        try post(kind, in: turn) { _, id in try make(id) }
    }

    /// Records an event and queues it in one step, so that the server gets the events in the order of the ledger.
    private func post(_ kind: String, in turn: Turn, _ make: (inout State, _ id: String) throws -> String) throws {
        try state.withLock { state in
            guard state.ledger.turn == turn.number else { throw CancellationError() }
            let id = state.ledger.nextEventID(kind)
            outgoing.post(try make(&state, id))
        }
    }

    private func event(
        _ kind: String, in turn: Turn, _ make: (inout State, _ id: String) throws -> String
    ) async throws -> String {
        try state.withLock { state in
            guard state.ledger.turn == turn.number else { throw CancellationError() }
            let id = state.ledger.nextEventID(kind)
            return try make(&state, id)
        }
    }

    private func post(_ state: inout State, _ kind: String, _ make: (_ id: String) throws -> String) {
        // A JSON value of texts can always be encoded.
        if let text = try? make(state.ledger.nextEventID(kind)) { outgoing.post(text) }
    }

    /// Checks the connection with a ping.
    func isAlive(within limit: Duration, clock: any Clock<Duration>) async -> Bool {
        guard end == nil else { return false }
        do {
            try await withTimeout(limit, clock: clock) { [socket] in try await socket.ping() }
            return true
        } catch {
            return false
        }
    }

    // MARK: Receiving

    private static func read(
        _ socket: any SocketConnection, _ server: OutsideServer, _ state: Locked<State>, _ outgoing: Mailbox<String>,
        _ logger: Logger
    ) async {
        do {
            while let message = try await socket.receive() {
                guard let event = RealtimeEvent(message) else {
                    logger.warning("The Realtime server sent a message that is no event")
                    continue
                }
                let (route, inbox) = state.withLock { state in (state.ledger.route(event), state.inbox) }
                switch route {
                // `send` throws when the turn has ended in the meantime.
                case .deliver: try? await inbox?.send(.event(event))
                case .release(let earlier): try? await inbox?.send(.event(earlier))
                case .drained: try? await inbox?.send(.drained)
                case .ignore: break
                case .cancel(let response):
                    let id = state.withLock { $0.ledger.nextEventID("cancel") }
                    outgoing.post(try RealtimeRequests.cancel(response, id: id))
                }
            }
            let reason =
                socket.end.map { end in " (\(end.code)\(end.reason.isEmpty ? "" : ", \(server.withoutKey(end.reason))"))" } ?? ""
            Self.end(state, outgoing, EngineError(.failed, "\(server.subject) closed the connection\(reason)."))
        } catch {
            Self.end(state, outgoing, failure(error, of: server))
        }
    }

    private static func failure(_ error: any Error, of server: OutsideServer) -> EngineError {
        // The task was cancelled by `close()`, which has set its own reason.
        (try? server.failure(error)) as? EngineError ?? EngineError(.failed, "The connection to \(server.name) ended.")
    }

    /// Ends the connection. Only the first reason is kept.
    private static func end(_ state: Locked<State>, _ outgoing: Mailbox<String>, _ error: EngineError) {
        let inbox = state.withLock { state in
            state.end = state.end ?? error
            return state.inbox
        }
        inbox?.finish(error)
        outgoing.finish()
    }
}
