import WireKit

/// Replays a log from a cursor, then follows it live, without a gap or a double between the two.
///
/// ```
/// while let page = try await feed.next() { … }      // everything there is
/// feed.onEvents { … }                               // called once when there is more
/// ```
///
/// The reader pulls: nothing is read before the last page was taken, so a slow reader builds up no queue. Only one task at a time may read.
public final class EventFeed: Sendable {
    /// The maximum number of events in one page.
    public static let pageSize = 100

    private struct State {
        var cursor: Int64 = 0
        /// True if the log may hold events after the cursor that were not published to this feed.
        var isBehind = true
        /// The last published events, until they are taken.
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
    public func end() {
        database.publisher.unsubscribe(self)
        state.withLock { $0.onEvents = nil }
    }

    // MARK: Reading

    /// - Returns: A page that is not empty, or a reset, after which the feed continues from there; nil when there is nothing newer.
    public func next() async throws -> EventPage? {
        while true {
            switch state.withLock({ Self.step(&$0) }) {
            case .page(let page): return page
            case .wait: return nil
            case .read(let cursor):
                let page = try await database.events(of: log, after: cursor, limit: Self.pageSize)
                if state.withLock({ Self.advance(past: page, &$0) }) { return page }
            }
        }
    }

    /// Calls `body` once, as soon as there are events to read, which may be now.
    public func onEvents(_ body: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            let isReady = state.isBehind || !state.published.isEmpty
            state.onEvents = isReady ? nil : body
            return isReady
        }
        if isReady { body() }
    }

    /// - Parameter events: The events of one commit, in order. Published events that were not taken before are then read from the log.
    func publish(_ events: [StoredEvent]) {
        let onEvents = state.withLock { state in
            state.published = events
            defer { state.onEvents = nil }
            return state.onEvents
        }
        onEvents?()
    }

    private enum Step {
        case page(EventPage)
        case read(after: Int64)
        case wait
    }

    private static func step(_ state: inout State) -> Step {
        if state.isBehind { return .read(after: state.cursor) }
        let published = state.published
        state.published = []
        guard let first = published.first, let last = published.last, last.seq > state.cursor else { return .wait }
        if first.seq == state.cursor + 1, published.count <= pageSize {
            state.cursor = last.seq
            return .page(.events(published))
        }
        state.isBehind = true
        return .read(after: state.cursor)
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
