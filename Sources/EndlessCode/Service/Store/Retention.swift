import EndlessCodeWire
import StorageKit
import WireKit

/// The lifetime and the size of the log.
struct Retention: Sendable {
    /// The time after a session's latest activity.
    var age = Duration.seconds(90 * 86_400)
    /// The size of all events in bytes. Beyond it the oldest terminated sessions are removed.
    var size = 1_073_741_824
}

extension WriteTransaction {
    /// Removes sessions that are too old, and then terminated ones until the log is small enough. Others are never removed for their size.
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
        try execute("DELETE FROM session_events WHERE session = ?", id)
        try execute("DELETE FROM prompts WHERE session = ?", id)
        try execute("DELETE FROM user_messages WHERE session = ?", id)
        try execute("DELETE FROM sessions WHERE id = ?", id)
    }
}
