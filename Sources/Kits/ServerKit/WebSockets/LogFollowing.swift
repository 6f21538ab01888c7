package import StorageKit

extension WebSocketConnection {
    /// Writes a log to the peer: the events after the feed's cursors, then each item once it is committed. Waits while the peer does not
    /// read, and holds no task while there is nothing to write.
    ///
    /// - Parameter write: Writes one item. An error closes the connection with 1011.
    package func follow(_ feed: EventFeed, write: @escaping @Sendable (FeedItem) async throws -> Void) {
        start {
            while let items = try await feed.next() { for item in items { try await write(item) } }
            feed.onItems { self.follow(feed, write: write) }
        }
    }
}
