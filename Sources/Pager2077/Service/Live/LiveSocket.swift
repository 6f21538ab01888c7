import Foundation
import Pager2077Wire
import ServerKit
import StorageKit
import WireKit

/// One user's open `/api/live` socket: writes their events, reads their acknowledgements.
///
/// ```
///   client                          service
///     │ ──── GET /api/live?after=7 ──▶ │
///     │ ◀─────────────── hello seq=9 ─ │
///     │ ◀───────────── events 8, 9 ─── │   then each new one as it happens
///     │ ─ presence foreground=true ──▶ │   at least every 45 s while it holds
///     │ ─────────────────── ack 9 ───▶ │   while in front: pushes for 8 and 9 are taken back
/// ```
///
/// Wire form: `Docs/Protocols/Pager2077-Live.md`.
struct LiveSocket: Sendable {
    static let subprotocol = "pager2077.live.v1"
    /// Largest message from a client, in bytes.
    static let maximumMessageSize = 4096
    /// How long a client counts as being in front after it has said so.
    static let presenceLifetime: Duration = .seconds(45)

    let user: User.ID
    /// The client's cursor. Nil: from now on.
    let after: Int64?
    /// When the token ends; the socket ends with it.
    let expiry: Timestamp
    let store: any PagerStore
    let messaging: Messaging
    let presence: Presence

    func run(_ connection: WebSocketConnection) async throws {
        let feed = try await store.feed(of: user, after: after)
        let place = await presence.opened(by: user, until: expiry, connection)
        defer { presence.closed(place) }
        try await connection.send(LiveServerMessage.hello(seq: feed.latest))
        // What the client says to have, it may confirm; what came before it without a cursor, it has never been told.
        let sent = SentCursor(min(after ?? feed.latest, feed.latest))
        var inFrontUntil: ContinuousClock.Instant?
        try await connection.converse {
            try await write(feed.feed, to: connection, sent)
        } read: { message in
            try await heard(message, on: connection, sent, &inFrontUntil)
        }
    }

    private func write(_ feed: EventFeed, to connection: WebSocketConnection, _ sent: SentCursor) async throws {
        for try await page in feed {
            switch page {
            case .reset(let seq):
                try await connection.send(LiveServerMessage.reset(seq: seq))
                sent.advance(to: seq)
            case .events(let events):
                for event in events {
                    // Before it is written: the client may answer sooner than the write returns.
                    sent.advance(to: event.seq)
                    try await connection.send(event.asText)
                }
            }
        }
    }

    /// - Parameter inFrontUntil: When the client, as far as it has said, is no longer looked at.
    private func heard(
        _ message: WebSocketMessage, on connection: WebSocketConnection, _ sent: SentCursor,
        _ inFrontUntil: inout ContinuousClock.Instant?
    ) async throws {
        guard case .text(let text) = message else {
            return connection.close(.unsupportedData, reason: "Text frames only")
        }
        guard let said = try? WireJSON.decode(LiveClientMessage.self, from: Data(text.utf8)) else {
            return try await connection.send(LiveServerMessage.error(message: "Not a message of \(Self.subprotocol)"))
        }
        switch said {
        case .presence(let foreground):
            inFrontUntil = foreground ? .now + Self.presenceLifetime : nil
        case .ack(let seq):
            guard let end = inFrontUntil, .now < end else { return }
            try await messaging.confirm(after: after == nil ? sent.start : 0, upTo: min(seq, sent.seq), by: user)
        }
    }
}

extension WebSocketConnection {
    fileprivate func send(_ message: LiveServerMessage) async throws {
        try await send(String(decoding: WireJSON.encode(message), as: UTF8.self))
    }
}

extension StoredEvent {
    /// The stored event, a JSON object, with `at` and `seq` set in front of its own keys.
    fileprivate var asText: String {
        "{\"at\":\"\(Timestamp(milliseconds: at))\",\"seq\":\(seq),\(String(decoding: payload.dropFirst(), as: UTF8.self))"
    }
}
