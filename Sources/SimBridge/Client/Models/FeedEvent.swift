package import Foundation
package import SimBridgeWire
import WireKit

/// An event in the feed.
package struct FeedEvent: Hashable, Sendable, Identifiable {
    package let id: Int
    package let time: Date
    package let event: PhoneEvent
    /// The number of the text or call that a report is about; nil if it is unknown, and for other events.
    package let number: String?
    /// The delivery outcome of a sent text; nil for other events.
    package let delivery: EventDetails.Delivery?
    let historyID: HistoryItem.ID?
}

/// The last events, newest first.
struct Feed {
    /// Maximum events in the feed (contract, section 4).
    static let limit = 100
    private(set) var events: [FeedEvent] = []
    private var lastID = 0

    /// Maximum difference, in seconds, between the relay's time of a history item and the arrival time of an event at which both
    /// count as the same event. For a relay that sends no history ids.
    private static let tolerance: TimeInterval = 5
    private var filled: Set<Int> = []

    /// Adds an event of the line, unless the history has already brought it.
    ///
    /// - Parameters:
    ///   - event: An event as returned by ``PhoneEvent/shortened``.
    ///   - id: The id of the event's history item; nil if there is none, and if the relay does not send it.
    mutating func add(
        _ event: PhoneEvent, id: HistoryItem.ID?, number: String? = nil, at time: Date, delivery: EventDetails.Delivery? = nil
    ) {
        if let id {
            if !events.contains(where: { $0.historyID == id }) { insert(event, id, number, at: time, delivery) }
            return
        }
        let known = events.first {
            filled.contains($0.id) && $0.event == event && abs($0.time.timeIntervalSince(time)) < Self.tolerance
        }
        if let known {
            filled.remove(known.id)
        } else {
            insert(event, nil, number, at: time, delivery)
        }
    }

    private mutating func insert(
        _ event: PhoneEvent, _ historyID: HistoryItem.ID?, _ number: String?, at time: Date, _ delivery: EventDetails.Delivery?
    ) {
        lastID += 1
        events.insert(
            FeedEvent(
                id: lastID, time: time, event: event, number: number?.shortened, delivery: delivery, historyID: historyID), at: 0)
        if events.count > Self.limit { events.removeLast() }
    }

    /// Fills an empty feed from the history, newest first.
    /// - Parameter numbers: The recipient's number of each command, by `req_id`.
    mutating func fill(from items: [HistoryItem], numbers: [RequestID: String] = [:]) {
        guard events.isEmpty else { return }
        for item in items.reversed() {
            let message = item.message
            guard case .event(let event) = message.content else { continue }
            // SIM cards are requested often, so their reports are not in the feed.
            if case .simInfo = event { continue }
            insert(
                event.shortened, item.id, message.reqId.flatMap { numbers[$0] },
                at: Moment(message.details, arrival: item.createdAt?.date ?? .distantPast).time, message.details.delivery)
            filled.insert(lastID)
        }
    }
}

extension PhoneEvent {
    /// The event with shortened texts, because a relay may send megabytes. The history has the whole event.
    var shortened: PhoneEvent {
        switch self {
        case .textSent(let status, let reason): .textSent(status, reason: reason?.shortened)
        case .incomingText(let sim, let from, let body): .incomingText(sim: sim, from: from?.shortened, body: body?.shortened)
        case .incomingCall(let sim, let from): .incomingCall(sim: sim, from: from?.shortened)
        case .callState(let state, let sim, let from, let reason):
            .callState(state, sim: sim, from: from?.shortened, reason: reason?.shortened)
        case .error(let reason): .error(reason?.shortened)
        case .unknown(let name, _): .unknown(name: name.shortened, .null)
        case .simInfo, .deviceOffline: self
        }
    }
}

extension String {
    /// The string, cut to the maximum length of a text.
    fileprivate var shortened: String { prefix(scalars: TextCommand.bodyLength.upperBound) }
}
