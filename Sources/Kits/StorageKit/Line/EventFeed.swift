/// Replays a log from a cursor, then follows it live, without a gap or a double between the two.
///
/// Pulls: nothing is read before the last was taken, so a slow reader makes no queue anywhere. To be iterated once.
public struct EventFeed: AsyncSequence, Sendable {
    public typealias Element = EventPage

    /// Most events in one element.
    public static let pageSize = 100

    private let after: Int64
    private let rings: AsyncStream<Void>
    private let page: @Sendable (_ after: Int64) async throws -> EventPage

    /// - Parameters:
    ///   - after: Number of the last event that the reader has.
    ///   - rings: Rings at least once after each append; made before this feed reads for the first time.
    ///   - page: Reads on from a cursor, at most ``pageSize`` events.
    public init(
        after: Int64, rings: AsyncStream<Void>, page: @escaping @Sendable (_ after: Int64) async throws -> EventPage
    ) {
        self.after = after
        self.rings = rings
        self.page = page
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(cursor: after, rings: rings.makeAsyncIterator(), page: page)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var cursor: Int64
        fileprivate var rings: AsyncStream<Void>.Iterator
        fileprivate let page: @Sendable (_ after: Int64) async throws -> EventPage

        /// - Returns: A page that is not empty, or a reset, after which it goes on from there; nil when the task is cancelled.
        @concurrent public mutating func next() async throws -> EventPage? {
            while true {
                let page = try await page(cursor)
                switch page {
                case .reset(let seq):
                    cursor = seq
                    return page
                case .events(let events):
                    if let last = events.last {
                        cursor = last.seq
                        return page
                    }
                    guard await rings.next() != nil else { return nil }
                }
            }
        }
    }
}
