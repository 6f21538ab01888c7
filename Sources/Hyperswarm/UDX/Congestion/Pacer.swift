import NIOCore

/// A token bucket that holds one burst and spreads packets over time.
struct Pacer: Sendable {
    /// Minimum pause for which a timer is set.
    static let granularity = TimeAmount.microseconds(250)

    /// The time at which the pacing rate has covered all sent bytes.
    private var paidAt = NIODeadline.uptimeNanoseconds(0)

    /// Returns the bytes that may be sent now. Sending may exceed them by one packet.
    mutating func budget(at now: NIODeadline, rate: Double, burst: Int) -> Int {
        let allowance = Self.allowance(rate: rate, burst: burst)
        let earliest = now - .nanoseconds(Self.duration(of: allowance, rate: rate))
        if paidAt < earliest { paidAt = earliest }
        guard paidAt <= now else { return 0 }
        return Int(Double((now - paidAt).nanoseconds) * rate / 1e9)
    }

    /// Counts bytes as sent.
    mutating func didSend(_ bytes: Int, rate: Double) {
        paidAt = paidAt + .nanoseconds(Self.duration(of: bytes, rate: rate))
    }

    /// Returns the time at which half a burst is available again.
    func resumption(rate: Double, burst: Int) -> NIODeadline {
        paidAt + .nanoseconds(Self.duration(of: max(burst / 2, 1), rate: rate))
    }

    // A late timer finds up to a millisecond's worth of credit, which keeps the mean rate.
    private static func allowance(rate: Double, burst: Int) -> Int {
        max(burst, min(Int(min(rate / 1000, 1e9)), 4 * burst))
    }

    private static func duration(of bytes: Int, rate: Double) -> Int64 {
        Int64(min(Double(bytes) * 1e9 / max(rate, 1), 60e9))
    }
}
