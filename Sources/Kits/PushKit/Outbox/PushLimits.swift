/// The limits of an outbox and of its sending.
package struct PushLimits: Hashable, Sendable {
    /// The pause after the first attempt. It doubles with each further attempt, until the entry expires.
    package var backoff: Duration = .seconds(2)
    /// Maximum pause, except one that the push service itself asks for. For an entry with a shorter lifetime, such as a call, a
    /// tenth of the lifetime.
    package var maximumPause: Duration = .seconds(300)
    /// Maximum fraction by which a pause is longer, so that entries that failed together are not retried together.
    package var jitter = 0.2
    /// Maximum duration of one attempt.
    package var timeout: Duration = .seconds(30)
    /// The time after which an entry whose sender ended without a result is sent again. Longer than ``timeout``.
    package var lease: Duration = .seconds(60)
    /// Maximum entries that wait for one recipient. Beyond it the oldest fail, silent ones first.
    package var waitingPerRecipient = 100
    /// The time that an ended entry is kept, for the counts and for the reasons.
    package var retention: Duration = .seconds(7 * 86_400)
    /// Maximum requests under way at once.
    package var concurrent = 10
    /// Maximum requests that begin within a second.
    package var perSecond = 100

    package init() {}

    /// Returns the pause after an attempt.
    ///
    /// - Parameters:
    ///   - attempts: Count of attempts so far, 1 or more.
    ///   - lifetime: The lifetime of the entry.
    ///   - random: A number from 0 to 1.
    func pause(after attempts: Int, lifetime: Duration, random: Double) -> Duration {
        let longest = max(min(maximumPause, lifetime / 10), backoff)
        return min(backoff * Double(1 << min(attempts - 1, 16)), longest) * (1 + jitter * random)
    }
}
