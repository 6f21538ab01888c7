import Foundation
import SimBridgeWire

/// The time of an event.
///
/// A text that waited at the network, in the modem or on the host shows the service centre's time, and other events the host's, where
/// these are believable. What came at once has the time of its arrival: a clock that is a few seconds slow must not move an answer above its
/// question.
struct Moment: Hashable, Sendable {
    var time: Date
    /// True if the event happened long before it arrived.
    var isLate: Bool

    /// The difference from which an event counts as late.
    private static let delay: TimeInterval = 60
    /// The age beyond which a clock is not believed. A network keeps a text for 63 weeks at most (3GPP TS 23.040, section 9.2.3.12).
    private static let maximumAge: TimeInterval = 2 * 365 * 86_400

    /// - Parameter arrival: The relay's time of the event.
    init(_ details: EventDetails, arrival: Date) {
        for time in [details.serviceCentreTime, details.hostTime].compactMap(\.self) {
            let age = arrival.timeIntervalSince(time.date)
            // A time in the future, or from a clock that was never set, is none.
            guard age > -Self.delay, age < Self.maximumAge else { continue }
            self.init(time: age > Self.delay ? time.date : arrival, isLate: age > Self.delay)
            return
        }
        self.init(time: arrival, isLate: false)
    }

    init(time: Date, isLate: Bool) { (self.time, self.isLate) = (time, isLate) }
}

extension [Conversation.Entry] {
    /// The entries in the order of their numbers, with late ones moved up to their own times.
    var withLateOnesMoved: [Conversation.Entry] {
        var ordered: [Conversation.Entry] = []
        for entry in self {
            var place = ordered.count
            if entry.isLate { while place > 0, ordered[place - 1].time > entry.time { place -= 1 } }
            ordered.insert(entry, at: place)
        }
        return ordered
    }
}
