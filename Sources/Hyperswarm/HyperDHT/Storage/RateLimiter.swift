import CompactEncoding

/// A rate limit per source address: a burst, then a steady rate.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 10.
struct RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var updated: Duration
    }

    private let burst: Double
    private let ratePerSecond: Double
    private let maximumSourceCount: Int
    private var buckets: [PeerAddress: Bucket] = [:]

    init(burst: Int, ratePerSecond: Int, maximumSourceCount: Int = 4096) {
        self.burst = Double(burst)
        self.ratePerSecond = Double(ratePerSecond)
        self.maximumSourceCount = maximumSourceCount
    }

    var sourceCount: Int { buckets.count }

    /// Counts one message. False if the source exceeds its limit, or if too many sources are active.
    mutating func admit(_ source: PeerAddress, now: Duration) -> Bool {
        if buckets[source] == nil, buckets.count >= maximumSourceCount {
            // A source whose burst is full again needs no bucket: a new one would be equal.
            buckets = buckets.filter { $0.value.tokens + seconds(since: $0.value.updated, now) * ratePerSecond < burst }
            guard buckets.count < maximumSourceCount else { return false }
        }
        var bucket = buckets[source] ?? Bucket(tokens: burst, updated: now)
        bucket.tokens = min(burst, bucket.tokens + seconds(since: bucket.updated, now) * ratePerSecond)
        bucket.updated = now
        let isAdmitted = bucket.tokens >= 1
        if isAdmitted { bucket.tokens -= 1 }
        buckets[source] = bucket
        return isAdmitted
    }

    private func seconds(since earlier: Duration, _ now: Duration) -> Double {
        max(0, (now - earlier) / .seconds(1))
    }
}
