public import Foundation
import GRDB

/// One event of a log.
public struct StoredEvent: Hashable, Sendable {
    /// From 1, without gaps, within its log.
    public var seq: Int64
    /// Milliseconds since 1970.
    public var at: Int64
    public var payload: Data

    public init(seq: Int64, at: Int64, payload: Data) {
        self.seq = seq
        self.at = at
        self.payload = payload
    }
}

/// Some events of a log, or the news that what was asked for is gone.
public enum EventPage: Hashable, Sendable {
    /// In order, without gaps, from the one after the reader's cursor. Empty when there is nothing newer.
    case events([StoredEvent])
    /// The cursor is older than what is kept, or newer than what there is: begin again after `seq`, the latest.
    case reset(seq: Int64)
}

/// How long things of the line are kept. Older ones are gone for good, and readers are told (``EventPage/reset(seq:)``).
public enum LineLimits {
    /// Events of one log.
    public static let eventsPerLog: Int64 = 10_000
    public static let eventAge: Duration = .seconds(30 * 86_400)
    /// How long a command's id is remembered. Longer than `line.md` asks: a phone may come back after weeks with what it had
    /// sent without hearing the answer.
    public static let commandAge: Duration = .seconds(30 * 86_400)
    /// Waiting entries for one recipient in the outbox; the oldest fail beyond that.
    public static let outboxPerRecipient = 100
    /// How long an entry may wait before it has failed, and how long it is then kept to be counted.
    public static let outboxDeadline: Duration = .seconds(86_400)
    public static let outboxAge: Duration = .seconds(7 * 86_400)
}

extension WriteTransaction {
    /// Adds an event to `log` and has its readers told once it is on disk.
    ///
    /// - Returns: Its number.
    @discardableResult
    public func append(_ payload: Data, to log: String, at: Int64) throws -> Int64 {
        let seq = try Int64.fetchOne(
            database.cachedStatement(
                sql: "INSERT INTO logs (log, last) VALUES (?, 1) ON CONFLICT (log) DO UPDATE SET last = last + 1 RETURNING last"),
            arguments: [log])!
        try database.cachedStatement(sql: "INSERT INTO events (log, seq, at, payload) VALUES (?, ?, ?, ?)")
            .execute(arguments: [log, seq, at, payload])
        if seq % 64 == 0 {
            try database.execute(
                sql: "DELETE FROM events WHERE log = ? AND seq <= ?", arguments: [log, seq - LineLimits.eventsPerLog])
        }
        rung[log, default: []].append(StoredEvent(seq: seq, at: at, payload: payload))
        return seq
    }
}

extension SQLiteStore {
    /// At most `limit` events of `log` after number `after`.
    public func events(of log: String, after: Int64, limit: Int) async throws -> EventPage {
        try await read { database in
            let last =
                try Int64.fetchOne(database.cachedStatement(sql: "SELECT last FROM logs WHERE log = ?"), arguments: [log]) ?? 0
            if after == last { return .events([]) }
            if after > last || after < 0 { return .reset(seq: last) }
            let rows = try Row.fetchAll(
                database.cachedStatement(sql: "SELECT seq, at, payload FROM events WHERE log = ? AND seq > ? ORDER BY seq LIMIT ?"),
                arguments: [log, after, limit])
            guard let first = rows.first, first["seq"] == after + 1 else { return .reset(seq: last) }
            return .events(rows.map { StoredEvent(seq: $0["seq"], at: $0["at"], payload: $0["payload"]) })
        }
    }

    /// The number of the latest event of `log`; 0 when there never was one.
    public func latestEvent(of log: String) async throws -> Int64 {
        try await read { try Int64.fetchOne($0, sql: "SELECT last FROM logs WHERE log = ?", arguments: [log]) ?? 0 }
    }

    /// Follows `log` from the event after number `after`. To be ended by ``EventFeed/end()``.
    ///
    /// - Parameter after: Nil: from now on.
    /// - Returns: Beside the feed the number of the log's last event.
    public func feed(of log: String, after: Int64?) async throws -> (feed: EventFeed, latest: Int64) {
        // The bell first: what is appended between the two lines below is then rung for.
        let feed = EventFeed(of: log, in: self)
        doorbell.add(feed)
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
