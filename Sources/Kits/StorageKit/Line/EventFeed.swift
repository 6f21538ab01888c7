import WireKit

/// Replays a log from a cursor, then follows it live, without a gap or a double between the two.
///
/// ```
/// while let page = try await feed.next() { … }      // all there is
/// feed.onNews { … }                                 // called once there is more
/// ```
///
/// Pulls: nothing is read before the last was taken, so a slow reader makes no queue anywhere. To be read by one task at a time.
public final class EventFeed: Sendable {
    /// Most events in one page.
    public static let pageSize = 100

    private struct Values {
        var cursor: Int64 = 0
        /// Whether there may be something to read that no ring will bring.
        var isBehind = true
        /// The newest ring that was not taken yet.
        var news: [StoredEvent] = []
        var onNews: (@Sendable () -> Void)?
    }

    let log: String
    private let values = Locked(Values())
    private let store: SQLiteStore

    init(of log: String, in store: SQLiteStore) {
        self.log = log
        self.store = store
    }

    /// - Parameters:
    ///   - after: Number of the last event that the reader has.
    ///   - latest: Number of the log's last event, read after the doorbell knew the feed.
    func begin(after: Int64, latest: Int64) {
        values.withLock { values in
            values.cursor = after
            values.isBehind = after != latest
        }
    }

    /// Forgets the feed. To be called when it is not read any more; what waits for news is let go.
    public func end() {
        store.doorbell.remove(self)
        values.withLock { $0.onNews = nil }
    }

    // MARK: Reading

    /// - Returns: A page that is not empty, or a reset, after which it goes on from there; nil when there is nothing newer.
    public func next() async throws -> EventPage? {
        while true {
            switch values.withLock({ Self.step(&$0) }) {
            case .page(let page): return page
            case .nothing: return nil
            case .read(let cursor):
                let page = try await store.events(of: log, after: cursor, limit: Self.pageSize)
                if values.withLock({ Self.hasRead(page, &$0) }) { return page }
            }
        }
    }

    /// Calls `body` once, when there is something new, which may be now.
    public func onNews(_ body: @escaping @Sendable () -> Void) {
        let isNews = values.withLock { values in
            let isNews = values.isBehind || !values.news.isEmpty
            values.onNews = isNews ? nil : body
            return isNews
        }
        if isNews { body() }
    }

    /// - Parameter events: What one commit has added, in order. What came before it and was not taken is read from the log then.
    func ring(_ events: [StoredEvent]) {
        let onNews = values.withLock { values in
            values.news = events
            defer { values.onNews = nil }
            return values.onNews
        }
        onNews?()
    }

    private enum Step {
        case page(EventPage)
        case read(after: Int64)
        case nothing
    }

    private static func step(_ values: inout Values) -> Step {
        if values.isBehind { return .read(after: values.cursor) }
        let news = values.news
        values.news = []
        guard let first = news.first, let last = news.last, last.seq > values.cursor else { return .nothing }
        if first.seq == values.cursor + 1, news.count <= pageSize {
            values.cursor = last.seq
            return .page(.events(news))
        }
        values.isBehind = true
        return .read(after: values.cursor)
    }

    /// - Returns: False when there was nothing newer, and the rings bring what comes.
    private static func hasRead(_ page: EventPage, _ values: inout Values) -> Bool {
        switch page {
        case .reset(let seq): values.cursor = seq
        case .events(let events):
            guard let last = events.last else {
                values.isBehind = false
                return false
            }
            values.cursor = last.seq
        }
        return true
    }
}
