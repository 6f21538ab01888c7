import NIOCore

/// Spreads packets over time: a token bucket that holds one burst.
struct Pacer: Sendable {
    /// The shortest pause worth a timer.
    static let granularity = TimeAmount.microseconds(250)

    /// The time at which all that was sent is paid for.
    private var paidAt = NIODeadline.uptimeNanoseconds(0)

    /// Bytes that may be sent now. Sending may overdraw by one packet.
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

    /// The time at which half a burst is available again.
    func resumption(rate: Double, burst: Int) -> NIODeadline {
        paidAt + .nanoseconds(Self.duration(of: max(burst / 2, 1), rate: rate))
    }

    // A timer that comes late finds up to a millisecond's worth of credit, so that the mean rate holds.
    private static func allowance(rate: Double, burst: Int) -> Int {
        max(burst, min(Int(min(rate / 1000, 1e9)), 4 * burst))
    }

    private static func duration(of bytes: Int, rate: Double) -> Int64 {
        Int64(min(Double(bytes) * 1e9 / max(rate, 1), 60e9))
    }
}
