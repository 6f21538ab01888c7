public import Foundation
public import SimBridgeWire
import WireKit

/// Something that happened, as the feed of events shows it.
public struct FeedEvent: Hashable, Sendable, Identifiable {
    public let id: Int
    public let time: Date
    public let event: PhoneEvent
    /// Whom it is about, where the event itself does not say.
    public let number: String?
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

    mutating func add(_ event: PhoneEvent, number: String? = nil, at time: Date) {
        let event = event.shortened
        // It came just now, and the history had it already.
        let known = events.first {
            filled.contains($0.id) && $0.event == event && abs($0.time.timeIntervalSince(time)) < Self.tolerance
        }
        if let known {
            filled.remove(known.id)
        } else {
            insert(event, number, at: time)
        }
    }

    private mutating func insert(_ event: PhoneEvent, _ number: String?, at time: Date) {
        lastID += 1
        events.insert(FeedEvent(id: lastID, time: time, event: event, number: number?.shortened), at: 0)
        if events.count > Self.limit { events.removeLast() }
    }

    /// Begins with what the relay has, newest first.
    /// - Parameter numbers: Whom commands were for.
    mutating func fill(from items: [HistoryItem], numbers: [RequestID: String] = [:]) {
        guard events.isEmpty else { return }
        for item in items.reversed() {
            let message = item.message
            guard case .event(let event) = message.content else { continue }
            // Asked for all the time: no news.
            if case .simInfo = event { continue }
            insert(event.shortened, message.reqId.flatMap { numbers[$0] }, at: item.createdAt?.date ?? .distantPast)
            filled.insert(lastID)
        }
    }
}

extension PhoneEvent {
    /// As it is kept here: a relay may write megabytes. The history has all of it.
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
    /// Not longer than a text can be.
    fileprivate var shortened: String {
        let most = TextCommand.bodyLength.upperBound
        return utf8.count <= most ? self : String(unicodeScalars.prefix(most))
    }
}
