import WireKit

/// Publishes committed events to the feeds of their log, and of its group.
final class EventPublisher: Sendable {
    /// By the name of the log or the group.
    private let feeds = Locked<[String: [ObjectIdentifier: EventFeed]]>([:])
    /// Tells the other boxes of an event that was committed.
    private let announce = Locked<(@Sendable (Log, Int64) -> Void)?>(nil)

    /// The logs and groups that are followed.
    var topics: [String] { feeds.withLock { Array($0.keys) } }

    func setAnnounce(_ body: @escaping @Sendable (Log, Int64) -> Void) { announce.withLock { $0 = body } }

    func subscribe(_ feed: EventFeed) { feeds.withLock { $0[feed.topic, default: [:]][ObjectIdentifier(feed)] = feed } }

    func unsubscribe(_ feed: EventFeed) {
        feeds.withLock { feeds in
            feeds[feed.topic]?[ObjectIdentifier(feed)] = nil
            if feeds[feed.topic]?.isEmpty == true { feeds[feed.topic] = nil }
        }
    }

    /// Called for each event that was committed, in the order in which they were appended.
    func publish(_ event: StoredEvent, to log: Log) {
        publish(.event(event), to: log)
        announce.withLock { $0 }?(log, event.seq)
    }

    /// Another box may have appended events.
    ///
    /// - Parameter last: The sequence number of the latest one that is known.
    func wake(_ log: Log, last: Int64) {
        for feed in followers(of: log) { feed.wake(log, last: last) }
    }

    private func followers(of log: Log) -> [EventFeed] {
        feeds.withLock { feeds in
            [log.name, log.group].compactMap { $0 }.flatMap { feeds[$0].map { Array($0.values) } ?? [] }
        }
    }

    ///
    /// - Parameter item: Evaluated only if the log is followed.
    func publish(_ item: @autoclosure () -> FeedItem, to log: Log) {
        let subscribed = followers(of: log)
        if subscribed.isEmpty { return }
        let item = item()
        for feed in subscribed { feed.publish(item) }
    }

    /// The number of subscribed feeds.
    var count: Int { feeds.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}
