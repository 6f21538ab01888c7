package import WireKit

extension Database {
    /// Removes events and idempotency keys that are older than ``LineLimits`` allow, and gives the room back to the disk. Called periodically.
    package func prune(now: Timestamp) async throws {
        try await write { transaction in
            // Ordered by sequence number, not by time: a clock that was set back must not tear a hole into a log.
            try transaction.execute(
                """
                UPDATE logs SET removed = (SELECT MAX(seq) FROM events WHERE events.log = logs.log AND at < ?1)
                WHERE removed < (SELECT MAX(seq) FROM events WHERE events.log = logs.log AND at < ?1)
                """, now - LineLimits.eventAge)
            try transaction.execute(
                "DELETE FROM events WHERE EXISTS (SELECT 1 FROM logs WHERE logs.log = events.log AND events.seq <= logs.removed)")
            try transaction.execute("DELETE FROM commands WHERE at < ?", now - LineLimits.commandAge)
        }
        try await shrink()
    }
}
