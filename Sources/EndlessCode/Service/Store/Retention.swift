import EndlessCodeWire
import StorageKit
import WireKit

/// The lifetime and the size of the log.
struct Retention: Sendable {
    /// The time after a session's latest activity.
    var age = Duration.seconds(90 * 86_400)
    /// The size of all events in bytes. Beyond it the oldest terminated sessions are removed, and then the oldest events of the sessions that
    /// were not active for the longest time.
    var size = 1_073_741_824
    /// The size of the events of one session in bytes. Beyond it its oldest events are removed, also while its agent works.
    var sessionSize = 268_435_456
    /// The size of the newest events that a session keeps in any case, in bytes: as much as a replay has.
    var keptSize = Limits.replaySize
}

extension ReadTransaction {
    /// A session whose log is too large, and by how many bytes; nil when there is none.
    func excess(_ retention: Retention) throws -> (session: Session.ID, size: Int)? {
        struct Sized: RowDecodable {
            var id: Session.ID
            var size: Int
            init(row: Row) throws {
                id = try row.get("id")
                size = try row.get("size")
            }
        }
        let largest = try first("SELECT id, size FROM sessions ORDER BY size DESC LIMIT 1", as: Sized.self)
        if let largest, largest.size > retention.sessionSize { return (largest.id, largest.size - retention.sessionSize) }
        let total = try one("SELECT COALESCE(SUM(size), 0) FROM sessions", as: Int.self)
        guard total > retention.size else { return nil }
        let unused = try first(
            "SELECT id, size FROM sessions WHERE size > ? ORDER BY active_at, id LIMIT 1", retention.keptSize, as: Sized.self)
        return unused.map { ($0.id, min(total - retention.size, $0.size - retention.keptSize)) }
    }
}

extension WriteTransaction {
    /// The maximum size of the events that one transaction removes, in bytes: other writes wait for it.
    private static var trimmedSize: Int { 4_194_304 }
    /// The maximum number of events that one transaction removes.
    private static var trimmedCount: Int { 1000 }

    /// Removes the oldest events of a session, at least one: up to the one that reaches `excess` bytes, or some 4 MiB. A phone that comes
    /// from before them gets a `gap`. Prompts that the agent has not taken up stay.
    func trim(_ id: Session.ID, by excess: Int) throws {
        let queued = "SELECT seq FROM user_messages WHERE session = ?1 AND delivery = 'queued'"
        let kept = try all("\(queued) ORDER BY seq", id, as: Int64.self)
        let wholes = try all(
            """
            SELECT seq, LENGTH(CAST(whole AS BLOB)) AS size FROM session_messages WHERE session = ? AND whole IS NOT NULL
            ORDER BY seq LIMIT \(Self.trimmedCount)
            """, id, as: EventSize.self)
        let wholeSizes = Dictionary(uniqueKeysWithValues: wholes.map { ($0.seq, $0.size) })
        var (removed, last): (Int, Int64?) = (0, nil)
        for event in try oldestSizes(of: id.log, count: Self.trimmedCount + kept.count) where !kept.contains(event.seq) {
            guard removed < min(excess, Self.trimmedSize) else { break }
            removed += event.size + (wholeSizes[event.seq] ?? 0)
            last = event.seq
        }
        // Without events the size was wrong.
        guard let last else { return _ = try execute("UPDATE sessions SET size = 0 WHERE id = ?", id) }
        try removeEvents(of: id.log, upTo: last, keeping: kept)
        try execute("DELETE FROM session_messages WHERE session = ?1 AND seq <= ?2 AND seq NOT IN (\(queued))", id, last)
        try execute("UPDATE sessions SET size = MAX(0, size - ?) WHERE id = ?", removed, id)
    }

    /// Removes sessions that are too old, and then terminated ones until the log is small enough. Others lose only their oldest events, by
    /// ``trim(_:by:)``.
    func prune(_ retention: Retention, at time: Timestamp) throws {
        let old = try all(
            "SELECT id FROM sessions WHERE active_at < ? AND state IN ('terminated', 'paused', 'crashed')", time - retention.age,
            as: Session.ID.self)
        for id in old { try remove(id) }
        var excess = try one("SELECT COALESCE(SUM(size), 0) FROM sessions", as: Int.self) - retention.size
        while excess > 0 {
            struct Oldest: RowDecodable {
                var id: Session.ID
                var size: Int
                init(row: Row) throws {
                    id = try row.get("id")
                    size = try row.get("size")
                }
            }
            let oldest = try first(
                "SELECT id, size FROM sessions WHERE state = 'terminated' ORDER BY active_at, id LIMIT 1", as: Oldest.self)
            guard let oldest else { return }
            try remove(oldest.id)
            excess -= oldest.size
        }
    }

    private func remove(_ id: Session.ID) throws {
        try remove(id.log)
        try execute("DELETE FROM session_messages WHERE session = ?", id)
        try execute("DELETE FROM prompts WHERE session = ?", id)
        try execute("DELETE FROM user_messages WHERE session = ?", id)
        try execute("DELETE FROM earlier_conversations WHERE session = ?", id)
        try execute("DELETE FROM sessions WHERE id = ?", id)
    }
}
