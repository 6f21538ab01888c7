import WireKit

/// Replays a log from a cursor, then follows it live, without a gap or a double between the two.
///
/// ```
/// while let page = try await feed.next() { … }      // everything there is
/// feed.onEvents { … }                               // called once when there is more
/// ```
///
/// The reader pulls: nothing is read before the last page was taken, and at most a page of events waits in memory for a slow reader. Only one
/// task at a time may read.
package final class EventFeed: Sendable {
    /// The maximum number of events in one page.
    package static let pageSize = 100

    private struct State {
        var cursor: Int64 = 0
        /// True if the log may hold events after the cursor that were not published to this feed.
        var isBehind = true
        /// The last published events, at most a page, until they are taken.
        var published: [StoredEvent] = []
        var onEvents: (@Sendable () -> Void)?
    }

    let log: String
    private let state = Locked(State())
    private let database: Database

    init(of log: String, in database: Database) {
        self.log = log
        self.database = database
    }

    /// - Parameters:
    ///   - after: The sequence number of the last event that the reader has.
    ///   - latest: The sequence number of the log's latest event, read after the feed was subscribed.
    func begin(after: Int64, latest: Int64) {
        state.withLock { state in
            state.cursor = after
            state.isBehind = after != latest
        }
    }

    /// Unsubscribes the feed and drops the callback of ``onEvents(_:)``.
    package func end() {
        database.publisher.unsubscribe(self)
        state.withLock { $0.onEvents = nil }
    }

    // MARK: Reading

    /// - Returns: A page that is not empty, or a reset, after which the feed continues from there; nil when there is nothing newer.
    package func next() async throws -> EventPage? {
        while true {
            let (isBehind, cursor, published) = state.withLock { state in
                // The log has the events that are dropped here.
                let published = state.published.filter { $0.seq > state.cursor }
                state.published = []
                if let first = published.first, first.seq > state.cursor + 1 { state.isBehind = true }
                if !state.isBehind, let last = published.last { state.cursor = last.seq }
                return (state.isBehind, state.cursor, published)
            }
            if !isBehind { return published.isEmpty ? nil : .events(published) }
            let page = try await database.events(of: log, after: cursor, limit: Self.pageSize)
            if state.withLock({ Self.advance(past: page, &$0) }) { return page }
        }
    }

    /// Calls `body` once, as soon as there are events to read, which may be now.
    package func onEvents(_ body: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            let isReady = state.isBehind || !state.published.isEmpty
            state.onEvents = isReady ? nil : body
            return isReady
        }
        if isReady { body() }
    }

    /// Called for each event of the log, in order. A reader that has left a page of them untaken reads them from the log.
    func publish(_ event: StoredEvent) {
        let onEvents = state.withLock { state in
            if state.published.count == Self.pageSize { state.published = [] }
            state.published.append(event)
            defer { state.onEvents = nil }
            return state.onEvents
        }
        onEvents?()
    }

    /// - Returns: True if the page has events. An empty page ends the replay.
    private static func advance(past page: EventPage, _ state: inout State) -> Bool {
        switch page {
        case .reset(let seq): state.cursor = seq
        case .events(let events):
            guard let last = events.last else {
                state.isBehind = false
                return false
            }
            state.cursor = last.seq
        }
        return true
    }
}
