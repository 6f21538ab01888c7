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

    mutating func add(_ event: PhoneEvent, at time: Date) {
        lastID += 1
        events.insert(FeedEvent(id: lastID, time: time, event: event), at: 0)
        if events.count > Self.limit { events.removeLast() }
    }

    /// Begins with what the relay has, newest first.
    mutating func fill(from items: [HistoryItem]) {
        guard events.isEmpty else { return }
        for item in items.reversed() {
            if case .event(let event) = item.message.content { add(event, at: item.createdAt?.date ?? .distantPast) }
        }
    }
}
