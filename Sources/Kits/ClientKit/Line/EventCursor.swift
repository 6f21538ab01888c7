/// The position of a received message in the event log that the service replays.
package enum LogPosition: Hashable, Sendable {
    /// The message has no sequence number.
    case none
    /// The sequence number of the newest event. A client without a cursor begins there.
    case newest(Int64)
    /// Events after the client's cursor are no longer retained: the client fetches everything, and continues from this number.
    case reset(Int64)
    /// The message is the event with this sequence number.
    case event(Int64)
}

/// A client's position in an event log, and the rules for moving it.
package struct EventCursor: Hashable, Sendable {
    package enum Numbering: Sendable {
        /// Sequence numbers are consecutive: a missing number is a lost event.
        case contiguous
        /// Sequence numbers increase, possibly with gaps.
        case increasing
    }

    /// An error: the connection lost an event. The next connection replays it.
    package struct Gap: Error, Hashable, Sendable {
        package init() {}
    }

    /// The sequence number of the last event that the client has applied; nil before the first connection.
    package private(set) var value: Int64?
    private let numbering: Numbering

    package init(_ value: Int64? = nil, numbering: Numbering) {
        self.value = value
        self.numbering = numbering
    }

    /// Moves the cursor over a message.
    ///
    /// - Returns: True if the client has to apply the message; false for an event that was applied already.
    /// - Throws: ``Gap``; the cursor has not moved then.
    package mutating func advance(over position: LogPosition) throws(Gap) -> Bool {
        switch position {
        case .none: break
        case .newest(let number): value = value ?? number
        case .reset(let number): value = number
        case .event(let number):
            if let value, number <= value { return false }
            if numbering == .contiguous, let value, number > value + 1 { throw Gap() }
            value = number
        }
        return true
    }
}
