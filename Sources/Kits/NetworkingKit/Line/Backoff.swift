/// How long to wait before each try.
public struct Backoff: Hashable, Sendable {
    /// The last one counts for all further tries.
    public var delays: [Duration]
    /// The part of a delay by which it may be shorter or longer, 0 to 1, so that many phones do not come back at once.
    public var jitter: Double
    /// A connection that held for this long starts anew with the first delay.
    public var reset: Duration

    /// - Precondition: There is at least one delay.
    public init(delays: [Duration], jitter: Double = 0.25, reset: Duration = .seconds(10)) {
        precondition(!delays.isEmpty)
        self.delays = delays
        self.jitter = jitter
        self.reset = reset
    }

    /// 1, 2, 4 … 30 s.
    public static let standard = Backoff(delays: [1, 2, 4, 8, 16, 30].map { .seconds($0) })

    /// - Parameters:
    ///   - failures: How many tries have failed in a row, 1 or more.
    ///   - chance: Anything from 0 to 1; 0.5 is the delay itself.
    func delay(after failures: Int, chance: Double) -> Duration {
        delays[min(max(failures, 1), delays.count) - 1] * (1 + jitter * (2 * chance - 1))
    }
}
