/// Relates the monotonic clock of a page to that of the box, for one connection.
///
/// Every event carries the page's time. The frame with the smallest difference between its receipt and the page's time travelled fastest; a
/// frame that took longer, because the connection stalled or the box was busy, is older by the excess. The clocks are never synchronised.
struct PageClock {
    /// The rise of the estimate with time. It outweighs the drift of real clocks, so that a page whose clock is slow is not taken for late
    /// after a day; a stall of a minute shifts the estimate by 60 ms.
    private static let drift = 0.001
    /// Page times beyond this, in milliseconds, are not times: 30 years.
    private static let maximumTime = 1e12

    /// The moment at which the page's clock stood at 0, estimated from the frames so far.
    private var origin: ContinuousClock.Instant?
    private var lastReceipt: ContinuousClock.Instant?

    /// The moment at which the page's clock stood at `time` (milliseconds), not later than the receipt.
    ///
    /// - Returns: `now` for a frame without a usable time.
    mutating func moment(of time: Double?, receivedAt now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        guard let time, abs(time) <= Self.maximumTime else { return now }
        let sample = now - .milliseconds(time)
        let risen = origin.map { $0 + ((lastReceipt?.duration(to: now) ?? .zero) * Self.drift) }
        let origin = min(risen ?? sample, sample)
        self.origin = origin
        lastReceipt = now
        return origin + .milliseconds(time)
    }
}
