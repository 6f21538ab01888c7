public import Foundation
public import SimBridgeWire

/// Something that happened, as the feed of events shows it.
public struct FeedEvent: Hashable, Sendable, Identifiable {
    public let id: Int
    public let time: Date
    public let event: PhoneEvent
}

/// The last events, newest first.
struct Feed {
    /// How many are kept (contract, section 4).
    static let limit = 100
    private(set) var events: [FeedEvent] = []
    private var lastID = 0

    /// How far apart the relay's clock and this one may be, in seconds, for what the history told to be what is told now.
    private static let tolerance: TimeInterval = 5
    private var filled: Set<Int> = []

    mutating func add(_ event: PhoneEvent, at time: Date) {
        // It came just now, and the history had it already.
        let known = events.first {
            filled.contains($0.id) && $0.event == event && abs($0.time.timeIntervalSince(time)) < Self.tolerance
        }
        if let known {
            filled.remove(known.id)
        } else {
            insert(event, at: time)
        }
    }

    private mutating func insert(_ event: PhoneEvent, at time: Date) {
        lastID += 1
        events.insert(FeedEvent(id: lastID, time: time, event: event), at: 0)
        if events.count > Self.limit { events.removeLast() }
    }

    /// Begins with what the relay has, newest first.
    mutating func fill(from items: [HistoryItem]) {
        guard events.isEmpty else { return }
        for item in items.reversed() {
            guard case .event(let event) = item.message.content else { continue }
            // Asked for all the time: no news.
            if case .simInfo = event { continue }
            insert(event, at: item.createdAt?.date ?? .distantPast)
            filled.insert(lastID)
        }
    }
}
