package import Foundation
package import WireKit

/// A durable log: events with sequence numbers from 1, without gaps. Its readers follow it with an ``EventFeed``.
package struct Log: Hashable, Sendable {
    /// Unique in its database.
    package var name: String
    /// The logs of one group can be followed by one feed. Nil for a log that is followed alone.
    package var group: String?
    /// Maximum number of events kept. Nil if the service removes events itself, with ``WriteTransaction/removeEvents(of:upTo:keeping:)``.
    package var capacity: Int64?

    package init(_ name: String, group: String? = nil, capacity: Int64? = LineLimits.eventsPerLog) {
        (self.name, self.group, self.capacity) = (name, group, capacity)
    }
}

/// One event of a log.
package struct StoredEvent: Hashable, Sendable {
    /// The name of the log.
    package var log: String
    /// The sequence number: from 1, without gaps, within its log.
    package var seq: Int64
    package var at: Timestamp
    package var payload: Data

    package init(log: String, seq: Int64, at: Timestamp, payload: Data) {
        (self.log, self.seq, self.at, self.payload) = (log, seq, at, payload)
    }
}

extension StoredEvent: RowDecodable {
    package init(row: Row) throws {
        self.init(log: try row.get("log"), seq: try row.get("seq"), at: try row.get("at"), payload: try row.get("payload"))
    }
}

/// The sequence numbers of a log.
package struct LogRange: RowDecodable, Hashable, Sendable {
    /// The latest event; 0 if there never was one.
    package var last: Int64
    /// The latest event that was removed; 0 if none was.
    package var removed: Int64

    package init(row: Row) throws { (last, removed) = (try row.get("last"), try row.get("removed")) }
    fileprivate init() { (last, removed) = (0, 0) }

    /// True if the log has every event after the cursor.
    func contains(cursor: Int64) -> Bool { (removed...last).contains(cursor) }
}

/// The size of one event.
package struct EventSize: RowDecodable, Sendable {
    package var seq: Int64
    /// The size of the payload in bytes.
    package var size: Int

    package init(row: Row) throws { (seq, size) = (try row.get("seq"), try row.get("size")) }
}

/// Retention of the line's tables. Readers learn by a reset that events were removed.
package enum LineLimits {
    /// The default of ``Log/capacity``.
    package static let eventsPerLog: Int64 = 10_000
    package static let eventAge: Duration = .seconds(30 * 86_400)
    /// The retention of an idempotency key. Longer than `line.md` requires: a phone may come back after weeks with a command whose
    /// reply it never received.
    package static let commandAge: Duration = .seconds(30 * 86_400)
}

// MARK: Reading

extension ReadTransaction {
    /// The sequence numbers of a log.
    package func range(of log: Log) throws -> LogRange {
        try first("SELECT last, removed FROM logs WHERE log = ?", log.name) ?? LogRange()
    }

    /// The event with a sequence number; nil if it was removed or never existed.
    package func event(_ seq: Int64, of log: Log) throws -> StoredEvent? {
        try first("SELECT log, seq, at, payload FROM events WHERE log = ? AND seq = ?", log.name, seq)
    }

    /// The events after a sequence number, in order.
    ///
    /// - Parameters:
    ///   - count: Maximum number of events.
    ///   - size: The size after which a page ends, in bytes. It has at least one event if there is one.
    package func events(of log: Log, after seq: Int64, count: Int, size: Int = .max) throws -> [StoredEvent] {
        var read = 0
        return try all(
            "SELECT log, seq, at, payload FROM events WHERE log = ? AND seq > ? ORDER BY seq LIMIT ?", log.name, seq, count,
            as: StoredEvent.self,
            while: { event in
                defer { read += event.payload.count }
                return read < size
            })
    }

    /// The cursor after which the newest events of a log, up to `last`, have at most `size` bytes.
    ///
    /// - Returns: At least `cursor`.
    package func cursor(of log: Log, after cursor: Int64, upTo last: Int64, size: Int) throws -> Int64 {
        var total = 0
        let newest = try all(
            "SELECT seq, LENGTH(payload) AS size FROM events WHERE log = ? AND seq > ? AND seq <= ? ORDER BY seq DESC", log.name,
            cursor, last, as: EventSize.self,
            while: { event in
                total += event.size
                return total <= size
            })
        return newest.last.map { $0.seq - 1 } ?? last
    }

    /// The sizes of the oldest events of a log, in order.
    package func oldestSizes(of log: Log, count: Int) throws -> [EventSize] {
        try all("SELECT seq, LENGTH(payload) AS size FROM events WHERE log = ? ORDER BY seq LIMIT ?", log.name, count)
    }
}

// MARK: Writing

extension WriteTransaction {
    /// Appends an event to `log`. Feeds of the log get it once it is on disk.
    ///
    /// - Returns: Its sequence number.
    @discardableResult
    package func append(_ payload: Data, to log: Log, at time: Timestamp) throws -> Int64 {
        try append(to: log, at: time) { _ in payload }
    }

    /// Appends an event whose payload contains its sequence number.
    ///
    /// - Parameter make: Makes the payload from the sequence number.
    /// - Returns: The sequence number.
    @discardableResult
    package func append(to log: Log, at time: Timestamp, _ make: (Int64) throws -> Data) throws -> Int64 {
        let seq = try one(
            "INSERT INTO logs (log, last) VALUES (?, 1) ON CONFLICT (log) DO UPDATE SET last = logs.last + 1 RETURNING last",
            log.name, as: Int64.self)
        let event = StoredEvent(log: log.name, seq: seq, at: time, payload: try make(seq))
        try execute("INSERT INTO events (log, seq, at, payload) VALUES (?, ?, ?, ?)", log.name, seq, time, event.payload)
        if let capacity = log.capacity, seq > capacity, seq % 64 == 0 { try removeEvents(of: log, upTo: seq - capacity) }
        onCommit { [publisher] in publisher?.publish(event, to: log) }
        return seq
    }

    /// Begins a log whose first event follows a sequence number, as if the events up to it had been removed.
    package func begin(_ log: Log, after seq: Int64) throws {
        try execute("INSERT INTO logs (log, last, removed) VALUES (?, ?, ?)", log.name, seq, seq)
    }

    /// Removes the oldest events of a log. A reader with an earlier cursor gets a reset.
    ///
    /// - Parameters:
    ///   - seq: The latest event to remove.
    ///   - kept: Events that stay readable by their number, in ascending order. No feed gets them any more.
    package func removeEvents(of log: Log, upTo seq: Int64, keeping kept: [Int64] = []) throws {
        var before: Int64 = 0
        for next in kept.filter({ $0 <= seq }) + [seq + 1] {
            try execute("DELETE FROM events WHERE log = ? AND seq > ? AND seq < ?", log.name, before, next)
            before = next
        }
        try execute("UPDATE logs SET removed = ?1 WHERE log = ?2 AND removed < ?1", seq, log.name)
    }

    /// Removes a log with all its events. An event appended later begins it anew.
    package func remove(_ log: Log) throws {
        try execute("DELETE FROM events WHERE log = ?", log.name)
        try execute("DELETE FROM logs WHERE log = ?", log.name)
    }
}

// MARK: Following

extension Database {
    /// The sequence number of the latest event of `log`; 0 if there never was one.
    package func latestEvent(of log: Log) async throws -> Int64 {
        try await read { try $0.range(of: log).last }
    }

    /// Follows `log` from the event after the sequence number `after`, until ``EventFeed/end()``.
    ///
    /// - Parameter after: Nil: from now on.
    /// - Returns: The feed, and the sequence number of the log's latest event.
    package func feed(of log: Log, after: Int64?) async throws -> (feed: EventFeed, latest: Int64) {
        let feed = EventFeed(of: log.name, in: self)
        do {
            let latest = try await latestEvent(of: log)
            feed.begin([EventFeed.Start(log: log, after: after ?? latest, latest: latest)])
            return (feed, latest)
        } catch {
            feed.end()
            throw error
        }
    }

    /// Follows all logs of a group. The caller then reads their sequence numbers, and calls ``EventFeed/begin(_:)``.
    ///
    /// - Parameters:
    ///   - maximumLag: The size of committed events, in bytes, that the reader may leave unread. Nil: any.
    package func feed(ofGroup group: String, maximumLag: Int?, onLag: @escaping @Sendable () -> Void) -> EventFeed {
        EventFeed(of: group, in: self, maximumLag: maximumLag, onLag: onLag)
    }

    /// Publishes a payload that is not stored, such as a part of a text that is being written. A reader that has fallen behind never gets it.
    ///
    /// - Parameter payload: Evaluated only if the log is followed.
    package func publish(transient payload: @autoclosure () -> Data, to log: Log) {
        publisher.publish(.transient(payload()), to: log)
    }
}
