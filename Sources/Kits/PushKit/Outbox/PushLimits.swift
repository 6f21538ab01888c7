/// The limits of an outbox and of its sending.
package struct PushLimits: Hashable, Sendable {
    /// The pause after the first attempt. It doubles with each further one, until the entry expires.
    package var backoff: Duration = .seconds(2)
    /// The longest pause, beside one that the push service itself asks for. A tenth of the lifetime of an entry that lives shorter, such as a
    /// call.
    package var maximumPause: Duration = .seconds(300)
    /// The part of a pause by which it may be longer, so that what failed together is not tried again together.
    package var jitter = 0.2
    /// The time for one attempt.
    package var timeout: Duration = .seconds(30)
    /// The time after which an entry whose sender ended without a result is sent again. Longer than ``timeout``.
    package var lease: Duration = .seconds(60)
    /// The number of entries that may wait for one recipient. Beyond it the oldest fail, silent ones first.
    package var waitingPerRecipient = 100
    /// The time that an ended entry is kept, for the counts and for the reasons.
    package var retention: Duration = .seconds(7 * 86_400)
    /// The number of requests under way at once.
    package var concurrent = 10
    /// The number of requests that begin within a second.
    package var perSecond = 100

    package init() {}

    /// The pause after an attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts so far, 1 or more.
    ///   - lifetime: Of the entry.
    ///   - random: A number from 0 to 1.
    func pause(after attempts: Int, lifetime: Duration, random: Double) -> Duration {
        let longest = max(min(maximumPause, lifetime / 10), backoff)
        return min(backoff * Double(1 << min(attempts - 1, 16)), longest) * (1 + jitter * random)
    }
}
