import Foundation
import Pager2077Wire
import ServerKit
import StorageKit
import WireKit

/// One user's open `/api/live` socket. Writes the user's events and reads the acknowledgements.
///
/// ```
///   client                          service
///     │ ──── GET /api/live?after=7 ──▶ │
///     │ ◀─────────────── hello seq=9 ─ │
///     │ ◀───────────── events 8, 9 ─── │   then each new event at once
///     │ ─ presence foreground=true ──▶ │   at least every 45 s while in the foreground
///     │ ─────────────────── ack 9 ───▶ │   in the foreground: notifications of 8 and 9 are withdrawn
/// ```
///
/// Wire form: `Docs/Protocols/Pager2077-Live.md`.
final class LiveSocket: WebSocketSession {
    static let subprotocol = "pager2077.live.v1"
    /// Maximum size of a client's message, in bytes.
    static let maximumMessageSize = 4096
    /// The time for which a client counts as present after its report.
    static let presenceLifetime: Duration = .seconds(45)

    private struct State {
        var feed: EventFeed?
        var entry: Presence.Entry?
        /// Sequence numbers of the event before the first one written, and of the last one written.
        var sent: (start: Int64, last: Int64) = (0, 0)
        /// The end of the client's presence; nil while the client is in the background.
        var foregroundUntil: ContinuousClock.Instant?
    }

    private let user: User.ID
    /// The client's cursor; nil for events from now on.
    private let after: Int64?
    /// The expiry of the token, and of the socket with it.
    private let expiry: Timestamp
    private let store: Database
    private let messaging: Messaging
    private let presence: Presence
    private let state = Locked(State())

    init(
        user: User.ID, after: Int64?, expiry: Timestamp, store: Database, messaging: Messaging, presence: Presence
    ) {
        self.user = user
        self.after = after
        self.expiry = expiry
        self.store = store
        self.messaging = messaging
        self.presence = presence
    }

    func opened(_ connection: WebSocketConnection) async throws {
        let (feed, latest) = try await store.feed(of: user.log, after: after)
        state.withLock { $0.feed = feed }
        let entry = await presence.opened(by: user, until: expiry, connection)
        // A client may acknowledge the events up to its own cursor. Without a cursor it has not received the events before now.
        let start = min(after ?? latest, latest)
        state.withLock { state in
            state.entry = entry
            state.sent = (start, start)
        }
        try await connection.send(LiveServerMessage.hello(seq: latest))
        connection.follow(feed) { try await self.write($0, to: connection) }
    }

    func closed() {
        let (feed, entry) = state.withLock { ($0.feed, $0.entry) }
        feed?.end()
        messaging.pushes.foreground.set(self, of: user, until: nil)
        if let entry { presence.closed(entry) }
    }

    private func write(_ item: FeedItem, to connection: WebSocketConnection) async throws {
        switch item {
        case .reset(_, _, let seq):
            try await connection.send(LiveServerMessage.reset(seq: seq))
            state.withLock { $0.sent.last = seq }
        case .event(let event):
            // Recorded before the write, since the client may answer sooner than the write returns.
            state.withLock { $0.sent.last = event.seq }
            try await connection.send(event.asText)
        case .transient, .live: break
        }
    }

    func received(_ message: WebSocketMessage, on connection: WebSocketConnection) async throws {
        guard case .text(let text) = message else {
            return connection.close(.unsupportedData, reason: "Text frames only")
        }
        guard let message = try? WireJSON.decode(LiveClientMessage.self, from: Data(text.utf8)) else {
            return try await connection.send(LiveServerMessage.error(message: "Not a message of \(Self.subprotocol)"))
        }
        switch message {
        case .presence(let foreground):
            let end = foreground ? messaging.pushes.foreground.now() + Self.presenceLifetime : nil
            state.withLock { $0.foregroundUntil = end }
            messaging.pushes.foreground.set(self, of: user, until: end)
        case .ack(let seq):
            let (sent, end) = state.withLock { ($0.sent, $0.foregroundUntil) }
            guard let end, messaging.pushes.foreground.now() < end else { return }
            try await messaging.confirm(after: after == nil ? sent.start : 0, upTo: min(seq, sent.last), by: user)
        }
    }
}

extension WebSocketConnection {
    fileprivate func send(_ message: LiveServerMessage) async throws {
        try await send(String(decoding: WireJSON.encode(message), as: UTF8.self))
    }
}

extension User.ID {
    /// The log of the user's events.
    var log: Log { Log(rawValue) }
}

extension StoredEvent {
    /// The stored event, a JSON object, with `at` and `seq` set in front of its own keys.
    fileprivate var asText: String {
        "{\"at\":\"\(at)\",\"seq\":\(seq),\(String(decoding: payload.dropFirst(), as: UTF8.self))"
    }
}
