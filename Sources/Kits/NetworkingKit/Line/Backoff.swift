/// The delays between attempts to connect or to send.
package struct Backoff: Hashable, Sendable {
    /// The delay before each attempt. The last one counts for all further attempts.
    package var delays: [Duration]
    /// The fraction of a delay by which it may be shorter or longer, 0 to 1, so that many phones do not reconnect all at once.
    package var jitter: Double
    /// Minimum time that a connection is open before the count of failures is reset.
    package var reset: Duration

    /// Maximum retries in a row before the line closes and leaves the next attempt to the user; nil for no maximum.
    package var tries: Int?

    /// - Precondition: There is at least one delay.
    package init(delays: [Duration], jitter: Double = 0.25, reset: Duration = .seconds(10), tries: Int? = nil) {
        precondition(!delays.isEmpty)
        self.delays = delays
        self.jitter = jitter
        self.reset = reset
        self.tries = tries
    }

    /// The default backoff: 1, 2, 4, 8, 16, then 30 s.
    package static let standard = Backoff(delays: [1, 2, 4, 8, 16, 30].map { .seconds($0) })

    /// - Parameters:
    ///   - failures: Count of failed attempts in a row, 1 or more.
    ///   - random: A number from 0 to 1; 0.5 gives the delay without jitter.
    package func delay(after failures: Int, random: Double) -> Duration {
        delays[min(max(failures, 1), delays.count) - 1] * (1 + jitter * (2 * random - 1))
    }
}
