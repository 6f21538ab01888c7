/// The limits of an outbox and of its sending.
public struct PushLimits: Hashable, Sendable {
    /// The number of attempts before an entry fails.
    public var attempts = 3
    /// The pause after the first attempt. It doubles with each further one.
    public var backoff: Duration = .seconds(2)
    /// The part of a pause by which it may be longer, so that what failed together is not tried again together.
    public var jitter = 0.2
    /// The time for one attempt.
    public var timeout: Duration = .seconds(30)
    /// The time after which an entry whose sender ended without a result is sent again. Longer than ``timeout``.
    public var lease: Duration = .seconds(60)
    /// The number of entries that may wait for one recipient. Beyond it the oldest fail, silent ones first.
    public var waitingPerRecipient = 100
    /// The time that an ended entry is kept, for the counts and for the reasons.
    public var retention: Duration = .seconds(7 * 86_400)
    /// The number of requests under way at once.
    public var concurrent = 10
    /// The number of requests that begin within a second.
    public var perSecond = 100

    public init() {}

    /// The pause after an attempt.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts so far, 1 or more.
    ///   - random: A number from 0 to 1.
    func pause(after attempts: Int, random: Double) -> Duration {
        backoff * Double(1 << min(attempts - 1, 16)) * (1 + jitter * random)
    }
}
