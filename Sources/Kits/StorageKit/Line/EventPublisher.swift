import WireKit

/// Publishes committed events to the feeds of their log, and of its group.
final class EventPublisher: Sendable {
    /// By the name of the log or the group.
    private let feeds = Locked<[String: [ObjectIdentifier: EventFeed]]>([:])

    func subscribe(_ feed: EventFeed) { feeds.withLock { $0[feed.topic, default: [:]][ObjectIdentifier(feed)] = feed } }

    func unsubscribe(_ feed: EventFeed) {
        feeds.withLock { feeds in
            feeds[feed.topic]?[ObjectIdentifier(feed)] = nil
            if feeds[feed.topic]?.isEmpty == true { feeds[feed.topic] = nil }
        }
    }

    /// Called in the order in which the events were appended.
    ///
    /// - Parameter item: Evaluated only if the log is followed.
    func publish(_ item: @autoclosure () -> FeedItem, to log: Log) {
        let subscribed = feeds.withLock { feeds in
            [log.name, log.group].compactMap { $0 }.flatMap { feeds[$0].map { Array($0.values) } ?? [] }
        }
        if subscribed.isEmpty { return }
        let item = item()
        for feed in subscribed { feed.publish(item) }
    }

    /// The number of subscribed feeds.
    var count: Int { feeds.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}
