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

    /// - Parameter events: The events that one commit appended to the log, in order.
    func publish(_ events: [StoredEvent], to log: String) {
        let subscribed = feeds.withLock { feeds in feeds[log].map { Array($0.values) } ?? [] }
        for feed in subscribed { feed.publish(events) }
    }

    /// The number of subscribed feeds.
    var count: Int { feeds.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}
