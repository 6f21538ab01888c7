package import Foundation
import WireKit

/// One item that a feed's reader gets.
package enum FeedItem: Hashable, Sendable {
    case event(StoredEvent)
    /// A payload that is not stored.
    case transient(Data)
    /// Events after the cursor `after` were removed, or the cursor is newer than the log. The feed continues after `seq`, the latest event.
    case reset(log: String, after: Int64, seq: Int64)
    /// The reader has every event that was committed. Transient payloads follow from now on. Comes again after the reader has fallen behind.
    case live

    /// The size of the payload in bytes.
    fileprivate var size: Int {
        switch self {
        case .event(let event): event.payload.count
        case .transient(let payload): payload.count
        case .reset, .live: 0
        }
    }
}

/// Replays one log, or the logs of a group, from cursors, then follows them live, without a gap or a double between the two.
///
/// ```
/// while let items = try await feed.next() { … }     // everything there is
/// feed.onItems { … }                                // called once when there is more
/// ```
///
/// The reader pulls: nothing is read from disk before the last page was taken, and at most ``maximumHeldCount`` items and
/// ``maximumHeldSize`` bytes wait in memory for a slow reader. A reader that leaves more falls behind: it reads the events from disk, and
/// misses transient payloads. Only one task at a time may read.
package final class EventFeed: Sendable {
    /// The maximum number of events in one page from disk.
    package static let pageCount = 100
    /// The size after which a page from disk ends, in bytes.
    package static let pageSize = 1_048_576
    /// The maximum number of published items that wait in memory.
    package static let maximumHeldCount = 1_000
    /// The maximum size of the published items that wait in memory, in bytes. One larger item may wait alone.
    package static let maximumHeldSize = 262_144

    /// A log's cursor at the beginning of a feed.
    package struct Start: Sendable {
        var log: Log
        /// The sequence number of the last event that the reader has.
        var after: Int64
        /// The sequence number of the log's latest event, read after the feed was made.
        var latest: Int64

        package init(log: Log, after: Int64, latest: Int64) { (self.log, self.after, self.latest) = (log, after, latest) }
    }

    fileprivate struct Cursor {
        /// The sequence number of the last event that the reader got.
        var seq: Int64
        /// The latest event when the feed began. Later ones count as lag until they are read.
        var start: Int64
    }

    fileprivate struct State {
        var hasBegun = false
        /// False while the reader replays from disk.
        var isLive = false
        /// By the log's name. A log without a cursor has had no event since the feed began.
        var cursors: [String: Cursor] = [:]
        /// The logs that may have events after the cursor that are not in `held`.
        var behind: Set<String> = []
        /// The latest published items, in order, until the reader takes them.
        var held: [FeedItem] = []
        var heldSize = 0
        /// The size of the events that were committed since the feed began and not read, in bytes.
        var lag = 0
        var onItems: (@Sendable () -> Void)?
        var onLag: (@Sendable () -> Void)?
    }

    /// The name of the followed log or group.
    let topic: String
    private let maximumLag: Int?
    private let state: Locked<State>
    private let database: Database

    /// Subscribes the feed: it holds what is published from now on.
    init(of topic: String, in database: Database, maximumLag: Int? = nil, onLag: (@Sendable () -> Void)? = nil) {
        (self.topic, self.database, self.maximumLag) = (topic, database, maximumLag)
        var initial = State()
        initial.onLag = onLag
        state = Locked(initial)
        database.publisher.subscribe(self)
    }

    /// Sets the cursors. A log of the group that is not named, as one that is new, is followed from its next event on.
    package func begin(_ starts: [Start]) {
        state.withLock { state in
            for start in starts {
                state.cursors[start.log.name] = Cursor(seq: start.after, start: start.latest)
                if start.after != start.latest { state.behind.insert(start.log.name) }
            }
            state.hasBegun = true
        }
    }

    /// Unsubscribes the feed and drops its callbacks.
    package func end() {
        database.publisher.unsubscribe(self)
        state.withLock { ($0.onItems, $0.onLag) = (nil, nil) }
    }

    // MARK: Reading

    fileprivate enum Step {
        case items([FeedItem])
        case read(String, after: Int64)
        case none
    }

    /// - Returns: Items in the order of each log; nil when there is nothing newer.
    package func next() async throws -> [FeedItem]? {
        while true {
            switch state.withLock({ $0.step() }) {
            case .items(let items): return items
            case .none: return nil
            case .read(let name, let cursor):
                let log = Log(name)
                let (range, events) = try await database.read { transaction in
                    let range = try transaction.range(of: log)
                    let events = try transaction.events(of: log, after: cursor, count: Self.pageCount, size: Self.pageSize)
                    return (range, events)
                }
                let hasAll = range.contains(cursor: cursor)
                let items = hasAll ? events.map(FeedItem.event) : [.reset(log: name, after: cursor, seq: range.last)]
                state.withLock { $0.take(page: items, of: name, last: range.last) }
                if !items.isEmpty { return items }
            }
        }
    }

    /// Calls `body` once, as soon as there are items to read, which may be now.
    package func onItems(_ body: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            let isReady = !state.held.isEmpty || !state.behind.isEmpty
            state.onItems = isReady ? nil : body
            return isReady
        }
        if isReady { body() }
    }

    /// Another box may have appended events, which are read from disk.
    ///
    /// - Parameter last: The sequence number of the latest one that is known.
    func wake(_ log: Log, last: Int64) {
        let onItems = state.withLock { state -> (@Sendable () -> Void)? in
            guard let cursor = state.cursors[log.name], cursor.seq < last, !state.holds(last, of: log.name) else { return nil }
            state.behind.insert(log.name)
            defer { state.onItems = nil }
            return state.onItems
        }
        onItems?()
    }

    /// Called for each item of the topic, in order.
    func publish(_ item: FeedItem) {
        let (onItems, onLag) = state.withLock { state -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            switch item {
            case .transient where !state.isLive: return (nil, nil)
            case .event(let event) where state.isAfterStart(event): state.lag += item.size
            default: break
            }
            state.hold(item)
            let isLagging = maximumLag.map { state.lag > $0 } ?? false
            defer {
                state.onItems = nil
                if isLagging { state.onLag = nil }
            }
            return (state.onItems, isLagging ? state.onLag : nil)
        }
        onLag?()
        onItems?()
    }
}

extension EventFeed.State {
    fileprivate mutating func hold(_ item: FeedItem) {
        let size = heldSize + item.size
        if held.count == EventFeed.maximumHeldCount || !held.isEmpty && size > EventFeed.maximumHeldSize { fallBehind() }
        held.append(item)
        heldSize += item.size
    }

    fileprivate func holds(_ seq: Int64, of log: String) -> Bool {
        held.contains { item in
            guard case .event(let event) = item else { return false }
            return event.log == log && event.seq >= seq
        }
    }

    /// Drops the held items: the logs have the events.
    private mutating func fallBehind() {
        for case .event(let event) in held {
            if cursors[event.log] == nil { cursors[event.log] = .init(before: event) }
            behind.insert(event.log)
        }
        (held, heldSize, isLive) = ([], 0, false)
    }

    fileprivate mutating func step() -> EventFeed.Step {
        guard hasBegun else { return .none }
        var items: [FeedItem] = []
        if behind.isEmpty {
            for item in held where advance(past: item) { items.append(item) }
            if behind.isEmpty {
                (held, heldSize) = ([], 0)
                if !isLive { items.append(.live) }
                isLive = true
                return items.isEmpty ? .none : .items(items)
            }
        }
        fallBehind()
        if !items.isEmpty { return .items(items) }
        // In a fixed order, so that one log is finished before the next.
        guard let log = behind.min(), let cursor = cursors[log] else { return .none }
        return .read(log, after: cursor.seq)
    }

    /// - Returns: False for an event that the reader has, or will read from disk.
    private mutating func advance(past item: FeedItem) -> Bool {
        guard case .event(let event) = item else { return true }
        let cursor = cursors[event.log] ?? .init(before: event)
        if event.seq <= cursor.seq || behind.contains(event.log) { return false }
        cursors[event.log] = cursor
        guard event.seq == cursor.seq + 1 else {
            behind.insert(event.log)
            return false
        }
        read(event)
        return true
    }

    /// Notes a page that was read from disk.
    ///
    /// - Parameter last: The sequence number of the log's latest event.
    fileprivate mutating func take(page items: [FeedItem], of log: String, last: Int64) {
        for item in items {
            switch item {
            case .event(let event): read(event)
            case .reset(_, _, let seq): (cursors[log], lag) = (.init(seq: seq, start: seq), 0)
            case .transient, .live: break
            }
        }
        if items.isEmpty || cursors[log].map({ $0.seq >= last }) ?? true { behind.remove(log) }
    }

    private mutating func read(_ event: StoredEvent) {
        if isAfterStart(event) { lag = max(0, lag - event.payload.count) }
        cursors[event.log]?.seq = event.seq
    }

    fileprivate func isAfterStart(_ event: StoredEvent) -> Bool {
        hasBegun && cursors[event.log].map { event.seq > $0.start } ?? true
    }
}

extension EventFeed.Cursor {
    /// A cursor of a log that the feed meets with this event.
    fileprivate init(before event: StoredEvent) { self.init(seq: event.seq - 1, start: event.seq - 1) }
}
