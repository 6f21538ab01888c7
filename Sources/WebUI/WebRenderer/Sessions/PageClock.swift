/// The relation of a page's monotonic clock to the clock of the box, for one connection.
///
/// Every event carries the page's time. The frame with the smallest difference between its receipt and the page's time travelled fastest; a
/// frame that took longer, because the connection stalled or the box was busy, is older by the excess. The clocks are never synchronised.
struct PageClock {
    /// The rise of ``origin`` with time. The rise exceeds the drift of real clocks, so that frames of a page with a slow clock do
    /// not count as late after a day; a stall of a minute shifts the estimate by 60 ms.
    private static let drift = 0.001
    /// Maximum page time, in milliseconds: 30 years. Larger numbers are ignored.
    private static let maximumTime = 1e12

    /// The moment at which the page's clock was 0, estimated from the frames so far; nil before the first one.
    private var origin: ContinuousClock.Instant?
    private var lastReceipt: ContinuousClock.Instant?

    /// Returns the estimated moment at which the page's clock was `time`, in milliseconds; not later than the receipt.
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
