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
///     │ ◀──────────── sync, gap ── │   of one moment
///     │ ◀──── missed events ────── │   of the sessions that the phone named
///     │ ◀── texts being written ── │   once the phone is up to date
///     │ ◀──────────── events ────▶ │   live
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
        // Subscribed before the moment of `sync`: the feed gets every event after it.
        let socket = PhoneSocket(
            connectionId: query.connectionId ?? SessionServices.newID(), name: query.name, following: store, on: connection)
        self.socket.withLock { $0 = socket }
        guard phones.open(socket) else { return connection.close(.tryAgainLater, reason: "Too many phones") }
        // The token may have been replaced between the upgrade and the line above.
        guard isAuthorized() else { return phones.expireToken(of: socket) }
        let start = try await begin(socket)
        socket.feed.begin(start.logs)
        try await connection.send(ServerFrame.sync(start.sync).text)
        for gap in start.gaps { try await connection.send(ServerFrame.gap(gap).text) }
        connection.follow(socket.feed) { [self] item in try await write(item, to: connection) }
    }

    private func write(_ item: FeedItem, to connection: WebSocketConnection) async throws {
        switch item {
        case .event(let event): try await connection.send(String(decoding: event.payload, as: UTF8.self))
        case .transient(let frame): try await connection.send(String(decoding: frame, as: UTF8.self))
        case .reset(let log, let cursor, let last):
            // Events were removed before the phone read them; also with their session, whose log then ends at 0.
            guard last > cursor else { return }
            let gap = Gap(sessionId: Session.ID(logName: log), from: cursor + 1, to: last)
            try await connection.send(ServerFrame.gap(gap).text)
        case .live: for frame in await sessions.partialFrames() { try await connection.send(frame) }
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
        socket.feed.end()
        pushes.foreground.set(socket, of: .owner, until: nil)
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

    private struct Start: Sendable {
        var sync: Sync
        var logs: [EventFeed.Start] = []
        var gaps: [Gap] = []
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
            for session in live where after[session.id] == nil {
                start.logs.append(EventFeed.Start(log: session.id.log, after: session.lastSeq, latest: session.lastSeq))
            }
            for (session, cursor) in after.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                guard let range = try transaction.logRange(of: session) else { continue }
                // A cursor beyond the log is one of an earlier log.
                let cursor = cursor > range.last ? 0 : cursor
                let first = try transaction.cursor(
                    of: session.log, after: max(cursor, range.removed), upTo: range.last, size: Limits.replaySize)
                if first > cursor { start.gaps.append(Gap(sessionId: session, from: cursor + 1, to: first)) }
                start.logs.append(EventFeed.Start(log: session.log, after: first, latest: range.last))
            }
            return start
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
