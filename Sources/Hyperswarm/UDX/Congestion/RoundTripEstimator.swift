import NIOCore

/// An estimate of the round-trip time, and the retransmission timeout that follows from it.
///
/// Source: RFC 6298 with the bounds of the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 5.3: one
/// second before the first sample and as the minimum, 30 seconds as the maximum.
struct RoundTripEstimator: Sendable {
    static let minimumTimeout = TimeAmount.seconds(1)
    static let maximumTimeout = TimeAmount.seconds(30)
    /// The age after which the minimum is measured anew.
    static let minimumWindow = TimeAmount.seconds(300)

    /// The smoothed round-trip time; `nil` before the first sample.
    private(set) var smoothed: TimeAmount?
    private(set) var variation = TimeAmount.zero
    private(set) var latest = TimeAmount.zero
    /// The smallest sample of about the last five minutes; nil before the first sample.
    private(set) var minimum: TimeAmount?
    private var minimumSince = NIODeadline.uptimeNanoseconds(0)

    /// The time to wait for an acknowledgement of a packet before it counts as timed out.
    private(set) var timeout = minimumTimeout

    /// Adds a sample. Samples come only from packets that were sent once.
    mutating func add(_ sample: TimeAmount, at now: NIODeadline) {
        // A shorter sample comes from a clock that stands still, as in a simulation without delay.
        let sample = max(sample, .microseconds(1))
        latest = sample
        if let minimum, sample > minimum, now - minimumSince < Self.minimumWindow {
        } else {
            minimum = sample
            minimumSince = now
        }
        if let smoothed {
            let error = sample.nanoseconds - smoothed.nanoseconds
            variation = .nanoseconds(variation.nanoseconds + (abs(error) - variation.nanoseconds) / 4)
            self.smoothed = .nanoseconds(smoothed.nanoseconds + error / 8)
        } else {
            smoothed = sample
            variation = .nanoseconds(sample.nanoseconds / 2)
        }
        let wanted = (smoothed ?? sample).nanoseconds + 4 * variation.nanoseconds
        timeout = min(max(.nanoseconds(wanted), Self.minimumTimeout), Self.maximumTimeout)
    }
}
