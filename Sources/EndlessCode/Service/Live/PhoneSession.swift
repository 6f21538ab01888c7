import EndlessCodeWire
import Foundation
import Logging
import ServerKit
import StorageKit
import WireKit

/// One phone's socket, from its opening to its end.
///
/// ```
///   phone                       server
///     │ ────────── upgrade ──────▶ │
///     │ ◀───────────────── sync ── │   of one moment
///     │ ◀──── missed events ────── │   of the sessions that the phone named, up to that moment
///     │ ◀──────────── events ────▶ │   after that moment, live
/// ```
final class PhoneSession: WebSocketSession {
    private let query: SocketQuery
    /// False once the token with which the phone came was replaced.
    private let isAuthorized: @Sendable () -> Bool
    private let store: Database
    private let phones: Phones
    private let sessions: Sessions
    private let pushes: SessionPushes
    private let logger: Logger
    private let socket = Locked<PhoneSocket?>(nil)

    init(
        _ query: SocketQuery, isAuthorized: @escaping @Sendable () -> Bool, store: Database, phones: Phones, sessions: Sessions,
        pushes: SessionPushes, logger: Logger
    ) {
        self.isAuthorized = isAuthorized
        (self.query, self.store, self.phones, self.sessions, self.pushes) = (query, store, phones, sessions, pushes)
        self.logger = logger
    }

    func opened(_ connection: WebSocketConnection) async throws {
        let socket = PhoneSocket(
            connectionId: query.connectionId ?? SessionServices.newID(), name: query.name, connection: connection)
        // Before the moment of `sync`: every event after it is published to the socket.
        guard phones.open(socket) else { return connection.close(.tryAgainLater, reason: "Too many phones") }
        self.socket.withLock { $0 = socket }
        // The token may have been replaced between the upgrade and the line above.
        guard isAuthorized() else { return phones.expireToken(of: socket) }
        let start = try await begin(socket)
        try await socket.replay(ServerFrame.sync(start.sync).text)
        // Concurrent with reading: the phone may act on what it has.
        connection.start { [self] in
            for replay in start.replays { try await run(replay, on: socket) }
            let partial = await sessions.partialFrames()
            socket.goLive(after: start.last) { partial }
        }
    }

    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async throws {
        guard let socket = socket.withLock({ $0 }) else { return }
        guard case .text(let text) = message else {
            return socket.answer(.error(SocketError(.invalidMessage, "A frame is not text.")))
        }
        let frame: ClientFrame
        do throws(FieldError) {
            frame = try ClientFrame(text: text)
        } catch {
            return socket.answer(.error(SocketError(.invalidMessage, error.description)))
        }
        do {
            try await perform(frame, from: socket)
        } catch let failure as ServiceFailure {
            socket.answer(.error(SocketError(failure.code, failure.message, sessionId: frame.sessionId)))
        } catch is CancellationError {
            throw CancellationError()
        } catch let error where StorageError.isFullDisk(error) {
            logger.error("The disk is full", metadata: ["error": "\(error)"])
            socket.answer(.error(SocketError(.storageFull, "The disk of the server is full.", sessionId: frame.sessionId)))
        } catch {
            logger.error("Could not carry out a frame of a phone", metadata: ["error": "\(error)"])
            socket.answer(.error(SocketError(.internalError, "The command failed. Try again.", sessionId: frame.sessionId)))
        }
    }

    func closed() async {
        guard let socket = socket.withLock({ $0 }) else { return }
        socket.ended()
        phones.close(socket)
    }

    // MARK: Frames

    private func perform(_ frame: ClientFrame, from socket: PhoneSocket) async throws {
        switch frame {
        case .userMessage(let message):
            if let accepted = try await sessions.accept(message) { socket.answer(.promptAccepted(accepted)) }
        case .promptResponse(let answer): try await sessions.answer(answer, from: socket.connectionId, named: socket.name)
        case .presence(let isActive): try await pushes.setPresence(isActive, of: socket)
        case .sessionControl(let control):
            switch (control.action, control.sessionId, control.projectId) {
            case (.start, _, let project?):
                _ = try await sessions.create(SessionCreation(projectId: project, requestId: control.requestId))
            case (.pause, let id?, _): _ = try await sessions.pause(id)
            case (.resume, let id?, _): _ = try await sessions.resume(id)
            case (.terminate, let id?, _): try await sessions.terminate(id)
            case (.interrupt, let id?, _): try await sessions.interrupt(id)
            // The reader of frames has checked that the id is there.
            default: throw ServiceFailure(.invalidMessage, "An id is missing.")
            }
        }
    }

    // MARK: Opening

    /// The events that a phone missed of a session.
    private struct Replay: Sendable {
        var session: Session.ID
        var after: Int64
        var last: Int64
        var gap: Gap?
    }

    private struct Start: Sendable {
        var sync: Sync
        var replays: [Replay] = []
        /// The numbers up to which `sync` and the replays have the sessions.
        var last: [Session.ID: Int64] = [:]
    }

    /// Reads everything of one moment.
    private func begin(_ socket: PhoneSocket) async throws -> Start {
        let (after, connectionId) = (query.after, socket.connectionId)
        return try await store.read { transaction in
            let live = try transaction.liveSessions()
            var start = Start(
                sync: Sync(
                    connectionId: connectionId, sessions: live,
                    recentMessages: try transaction.recentMessages(except: Set(after.keys)),
                    prompts: try transaction.openPrompts().map(\.request)))
            for session in live { start.last[session.id] = session.lastSeq }
            for (session, cursor) in after.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                guard let range = try transaction.logRange(of: session) else { continue }
                start.last[session] = range.last
                // A cursor beyond the log is one of an earlier log.
                let cursor = cursor > range.last ? 0 : cursor
                let first = try transaction.replayStart(of: session, after: max(cursor, range.removed), upTo: range.last)
                let gap = first > cursor ? Gap(sessionId: session, from: cursor + 1, to: first) : nil
                start.replays.append(Replay(session: session, after: first, last: range.last, gap: gap))
            }
            return start
        }
    }

    private func run(_ replay: Replay, on socket: PhoneSocket) async throws {
        if let gap = replay.gap { try await socket.replay(ServerFrame.gap(gap).text) }
        var cursor = replay.after
        while cursor < replay.last {
            let after = cursor
            let page = try await store.read { try $0.events(of: replay.session, after: after, upTo: replay.last) }
            // The session was removed for its age.
            guard let last = page.last else { return }
            for frame in page { try await socket.replay(frame.text) }
            cursor = last.seq
        }
    }
}

extension ClientFrame {
    /// The session that the frame is about.
    fileprivate var sessionId: Session.ID? {
        switch self {
        case .userMessage(let message): message.sessionId
        case .promptResponse(let answer): answer.sessionId
        case .sessionControl(let control): control.sessionId
        case .presence: nil
        }
    }
}
