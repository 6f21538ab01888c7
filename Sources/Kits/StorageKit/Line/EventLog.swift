package import Foundation
package import WireKit

/// One event of a log.
package struct StoredEvent: Hashable, Sendable {
    /// The sequence number: from 1, without gaps, within its log.
    package var seq: Int64
    package var at: Timestamp
    package var payload: Data

    package init(seq: Int64, at: Timestamp, payload: Data) {
        self.seq = seq
        self.at = at
        self.payload = payload
    }
}

extension StoredEvent: RowDecodable {
    package init(row: Row) throws {
        self.init(seq: try row.get("seq"), at: try row.get("at"), payload: try row.get("payload"))
    }
}

/// The events after a cursor, or the news that they are gone.
package enum EventPage: Hashable, Sendable {
    /// In order, without gaps, from the event after the cursor. Empty when there is none.
    case events([StoredEvent])
    /// The cursor is older than the oldest event kept, or newer than the latest. Continue after `seq`, the latest.
    case reset(seq: Int64)
}

/// Retention and capacity of the line's tables. Readers learn by ``EventPage/reset(seq:)`` that events were removed.
package enum LineLimits {
    /// The number of events kept of one log.
    package static let eventsPerLog: Int64 = 10_000
    package static let eventAge: Duration = .seconds(30 * 86_400)
    /// The retention of an idempotency key. Longer than `line.md` requires: a phone may come back after weeks with a command whose
    /// reply it never received.
    package static let commandAge: Duration = .seconds(30 * 86_400)
}

extension WriteTransaction {
    /// Appends an event to `log`. Feeds of the log get it once it is on disk.
    ///
    /// - Returns: Its sequence number.
    @discardableResult
    package func append(_ payload: Data, to log: String, at time: Timestamp) throws -> Int64 {
        let seq = try one(
            "INSERT INTO logs (log, last) VALUES (?, 1) ON CONFLICT (log) DO UPDATE SET last = logs.last + 1 RETURNING last", log,
            as: Int64.self)
        try execute("INSERT INTO events (log, seq, at, payload) VALUES (?, ?, ?, ?)", log, seq, time, payload)
        if seq % 64 == 0 { try execute("DELETE FROM events WHERE log = ? AND seq <= ?", log, seq - LineLimits.eventsPerLog) }
        onCommit { [publisher] in publisher?.publish(StoredEvent(seq: seq, at: time, payload: payload), to: log) }
        return seq
    }
}

extension ReadTransaction {
    /// The sequence number of the latest event of `log`; 0 when there never was one.
    fileprivate func latestEvent(of log: String) throws -> Int64 {
        try first("SELECT last FROM logs WHERE log = ?", log) ?? 0
    }
}

extension Database {
    /// At most `limit` events of `log` after the sequence number `after`.
    package func events(of log: String, after: Int64, limit: Int) async throws -> EventPage {
        try await read { transaction in
            let last = try transaction.latestEvent(of: log)
            if after == last { return .events([]) }
            if after > last || after < 0 { return .reset(seq: last) }
            let events = try transaction.all(
                "SELECT seq, at, payload FROM events WHERE log = ? AND seq > ? ORDER BY seq LIMIT ?", log, after, limit,
                as: StoredEvent.self)
            return events.first?.seq == after + 1 ? .events(events) : .reset(seq: last)
        }
    }

    /// The sequence number of the latest event of `log`; 0 when there never was one.
    package func latestEvent(of log: String) async throws -> Int64 {
        try await read { try $0.latestEvent(of: log) }
    }

    /// Follows `log` from the event after the sequence number `after`, until ``EventFeed/end()``.
    ///
    /// - Parameter after: Nil: from now on.
    /// - Returns: The feed, and the sequence number of the log's latest event.
    package func feed(of log: String, after: Int64?) async throws -> (feed: EventFeed, latest: Int64) {
        // Subscribed first: the feed then gets events that are appended while the latest number is read.
        let feed = EventFeed(of: log, in: self)
        publisher.subscribe(feed)
        do {
            let latest = try await latestEvent(of: log)
            feed.begin(after: after ?? latest, latest: latest)
            return (feed, latest)
        } catch {
            feed.end()
            throw error
        }
    }
}
