import WireKit

/// Publishes committed events to the feeds of their log.
final class EventPublisher: Sendable {
    private let feeds = Locked<[String: [ObjectIdentifier: EventFeed]]>([:])

    func subscribe(_ feed: EventFeed) { feeds.withLock { $0[feed.log, default: [:]][ObjectIdentifier(feed)] = feed } }

    func unsubscribe(_ feed: EventFeed) {
        feeds.withLock { feeds in
            feeds[feed.log]?[ObjectIdentifier(feed)] = nil
            if feeds[feed.log]?.isEmpty == true { feeds[feed.log] = nil }
        }
    }

    /// Called in the order in which the events were appended to the log.
    func publish(_ event: StoredEvent, to log: String) {
        let subscribed = feeds.withLock { feeds in feeds[log].map { Array($0.values) } ?? [] }
        for feed in subscribed { feed.publish(event) }
    }

    /// The number of subscribed feeds.
    var count: Int { feeds.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}
