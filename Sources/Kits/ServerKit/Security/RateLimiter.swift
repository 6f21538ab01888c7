/// Allows a number of attempts for each key in a sliding window of time.
///
/// A refused attempt is not counted again. State is in memory only. At most ``maximumKeys`` keys are remembered: when the
/// table is full, keys whose window has passed go first (looked for once a window at the most), then any one. An attacker who
/// fills the table with made-up keys can so reset others, but never make it grow.
public actor RateLimiter {
    public let limit: Int
    public let window: Duration
    public let maximumKeys: Int

    private var attempts: [String: [ContinuousClock.Instant]] = [:]
    private var lastSweep: ContinuousClock.Instant?

    /// - Parameter limit: At least 1.
    public init(limit: Int, per window: Duration, maximumKeys: Int = 10_000) {
        precondition(limit > 0 && maximumKeys > 0)
        self.limit = limit
        self.window = window
        self.maximumKeys = maximumKeys
    }

    /// Counts an attempt.
    ///
    /// - Returns: nil when it is allowed, otherwise how long to wait until one will be.
    public func attempt(_ key: String, now: ContinuousClock.Instant = .now) -> Duration? {
        if let wait = wait(for: key, now: now) { return wait }
        if attempts[key] == nil { makeRoom(now: now) }
        attempts[key, default: []].append(now)
        return nil
    }

    /// Whether an attempt would be refused, without counting one.
    ///
    /// - Returns: nil when it would be allowed, otherwise how long to wait until one will be.
    public func wait(for key: String, now: ContinuousClock.Instant = .now) -> Duration? {
        guard let recent = attempts[key]?.filter({ now - $0 < window }) else { return nil }
        attempts[key] = recent
        return recent.count >= limit ? window - (now - recent[0]) : nil
    }

    /// How many keys are remembered.
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
