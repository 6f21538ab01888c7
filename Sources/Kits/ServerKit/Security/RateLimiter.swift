/// A limit of the attempts per key within a sliding window.
///
/// A refused attempt does not count. State is kept in memory only, for at most ``maximumKeys`` keys: when the table is full, expired keys
/// are dropped first (searched for at most once per window), then an arbitrary one. An attacker who fills the table with invented keys can
/// reset the limits of others but cannot make the table grow.
package actor RateLimiter {
    package let limit: Int
    package let window: Duration
    package let maximumKeys: Int

    private var attempts: [String: [ContinuousClock.Instant]] = [:]
    private var lastSweep: ContinuousClock.Instant?

    /// - Parameter limit: At least 1.
    package init(limit: Int, per window: Duration, maximumKeys: Int = 10_000) {
        precondition(limit > 0 && maximumKeys > 0)
        self.limit = limit
        self.window = window
        self.maximumKeys = maximumKeys
    }

    /// Counts an attempt.
    ///
    /// - Returns: nil if the attempt is allowed, otherwise the time until the next allowed attempt.
    package func attempt(_ key: String, now: ContinuousClock.Instant = .now) -> Duration? {
        if let wait = wait(for: key, now: now) { return wait }
        if attempts[key] == nil { makeRoom(now: now) }
        attempts[key, default: []].append(now)
        return nil
    }

    /// Takes back the attempt that was counted at `time`.
    ///
    /// For work that turns out at its end not to count: with a check before the work and a count after it, any number of concurrent
    /// attempts would pass.
    package func takeBack(_ key: String, countedAt time: ContinuousClock.Instant) {
        guard let index = attempts[key]?.lastIndex(of: time) else { return }
        attempts[key]?.remove(at: index)
        if attempts[key]?.isEmpty == true { attempts[key] = nil }
    }

    /// Checks if an attempt would be allowed, without counting one.
    ///
    /// - Returns: nil if an attempt would be allowed, otherwise the time until the next allowed attempt.
    package func wait(for key: String, now: ContinuousClock.Instant = .now) -> Duration? {
        guard let recent = attempts[key]?.filter({ now - $0 < window }) else { return nil }
        attempts[key] = recent
        return recent.count >= limit ? window - (now - recent[0]) : nil
    }

    /// Count of stored keys.
    var count: Int { attempts.count }

    private func makeRoom(now: ContinuousClock.Instant) {
        guard attempts.count >= maximumKeys else { return }
        if lastSweep.map({ now - $0 >= window }) ?? true {
            lastSweep = now
            attempts = attempts.filter { $0.value.contains { now - $0 < window } }
        }
        if attempts.count >= maximumKeys { attempts.remove(at: attempts.startIndex) }
    }
}
