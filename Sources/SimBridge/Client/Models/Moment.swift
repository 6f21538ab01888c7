import Foundation
import SimBridgeWire

/// The time of an event.
///
/// A text that waited at the network, in the modem or on the host has the service centre's time, and another late event the host's
/// time, if that time is plausible. An event that arrived at once has the time of its arrival: a clock that is a few seconds slow
/// must not move an answer above its question.
struct Moment: Hashable, Sendable {
    var time: Date
    /// True if the event happened more than 60 s before it arrived.
    var isLate: Bool

    /// The delay, in seconds, beyond which an event counts as late.
    private static let delay: TimeInterval = 60
    /// Maximum plausible age, in seconds. A network stores a text for 63 weeks at most (3GPP TS 23.040, section 9.2.3.12).
    private static let maximumAge: TimeInterval = 2 * 365 * 86_400

    /// - Parameter arrival: The time at which the relay or this phone received the event.
    init(_ details: EventDetails, arrival: Date) {
        for time in [details.serviceCentreTime, details.hostTime].compactMap(\.self) {
            let age = arrival.timeIntervalSince(time.date)
            // A time in the future, or from a clock that was never set, is ignored.
            guard age > -Self.delay, age < Self.maximumAge else { continue }
            self.init(time: age > Self.delay ? time.date : arrival, isLate: age > Self.delay)
            return
        }
        self.init(time: arrival, isLate: false)
    }

    init(time: Date, isLate: Bool) { (self.time, self.isLate) = (time, isLate) }
}

extension [Conversation.Entry] {
    /// The entries in their order, with late entries moved up to their own times.
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
