/// Replays a log from a cursor, then follows it live, without a gap or a double between the two.
///
/// Pulls: nothing is read before the last was taken, so a slow reader makes no queue anywhere. To be iterated once.
public struct EventFeed: AsyncSequence, Sendable {
    public typealias Element = EventPage

    /// Most events in one element.
    public static let pageSize = 100

    private let after: Int64
    private let isBehind: Bool
    private let rings: AsyncStream<[StoredEvent]>
    private let page: @Sendable (_ after: Int64) async throws -> EventPage

    /// - Parameters:
    ///   - after: Number of the last event that the reader has.
    ///   - latest: Number of the log's last event, read after `rings` was made.
    ///   - rings: What each commit adds, or at least the newest of it.
    ///   - page: Reads on from a cursor, at most ``pageSize`` events.
    init(
        after: Int64, latest: Int64, rings: AsyncStream<[StoredEvent]>,
        page: @escaping @Sendable (_ after: Int64) async throws -> EventPage
    ) {
        self.after = after
        isBehind = after != latest
        self.rings = rings
        self.page = page
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(cursor: after, isBehind: isBehind, rings: rings.makeAsyncIterator(), page: page)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var cursor: Int64
        /// Whether there may be something to read that no ring will bring.
        fileprivate var isBehind: Bool
        fileprivate var rings: AsyncStream<[StoredEvent]>.Iterator
        fileprivate let page: @Sendable (_ after: Int64) async throws -> EventPage

        /// - Returns: A page that is not empty, or a reset, after which it goes on from there; nil when the task is cancelled.
        @concurrent public mutating func next() async throws -> EventPage? {
            while true {
                if isBehind, let page = try await read() { return page }
                guard let news = await rings.next() else { return nil }
                guard let first = news.first, let last = news.last, last.seq > cursor else { continue }
                if first.seq == cursor + 1, news.count <= EventFeed.pageSize {
                    cursor = last.seq
                    return .events(news)
                }
                isBehind = true
            }
        }

        /// - Returns: Nil when there was nothing newer, and the rings bring what comes.
        private mutating func read() async throws -> EventPage? {
            let page = try await page(cursor)
            switch page {
            case .reset(let seq): cursor = seq
            case .events(let events):
                guard let last = events.last else {
                    isBehind = false
                    return nil
                }
                cursor = last.seq
            }
            return page
        }
    }
}
