package import SimBridgeWire

/// What a host does with SIM cards: texts and calls through one or more modems, or through none at all (``SimulatedDriver``).
///
/// Knows nothing of relays and journals. May be called by several tasks at once.
package protocol TelephonyDriver: Sendable {
    /// The SIM cards that can be used now, by ascending slot.
    ///
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func sims() async throws -> [SIMCard]

    /// Hands a text to the network, and returns once the network has taken it.
    ///
    /// - Throws: ``TelephonyError``: `outcomeUnknown` when the network may have taken it, anything else when it has not;
    ///   `CancellationError` likewise leaves that open.
    func sendText(_ body: String, to number: String, sim: Int) async throws

    /// Begins a call. What becomes of it, from `dialing` on, is told by ``run(_:)``.
    ///
    /// - Parameter reference: What the caller knows it by (``TelephonyCall/reference``).
    /// - Throws: As ``sendText(_:to:sim:)``.
    func placeCall(to number: String, sim: Int, reference: Int64?) async throws

    /// Answers a call that rings.
    ///
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func answer(_ call: TelephonyCall.ID) async throws

    /// Ends all calls, those that ring too.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func hangUp() async throws -> Int

    /// Ends the call that was placed with `reference`, and leaves all others alone.
    ///
    /// - Returns: 0 when there is no such call, or it has ended.
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func hangUp(reference: Int64) async throws -> Int

    /// Tells what comes in, until the calling task is cancelled. To be called once.
    ///
    /// - Parameter handle: Takes one event. Only when it has returned does a modem forget the text; when it throws, the text is told
    ///   of again later.
    func run(_ handle: @escaping @Sendable (TelephonyEvent) async throws -> Void) async throws
}

/// What comes in from the networks.
package enum TelephonyEvent: Hashable, Sendable {
    case text(IncomingText)
    /// All texts that a source still holds. Those of the same source that are not among them will not be told of again.
    case held(source: String, Set<IncomingText.ID>)
    /// A call began, or is in another state now.
    case call(TelephonyCall)
    /// Nothing can be sent or received now. The sentence says why, and what to do.
    case unavailable(String)
    /// That is over.
    case available
}

/// A text that has come in.
package struct IncomingText: Hashable, Sendable, Identifiable {
    /// The same text, told of again, has the same one, also in another run of this program or of the modem's own.
    package var id: String
    /// Where it is held until it is stored here: one modem, say.
    package var source: String
    package var sim: Int
    package var from: String
    package var body: String

    package init(id: String, source: String, sim: Int, from: String, body: String) {
        (self.id, self.source, self.sim, self.from, self.body) = (id, source, sim, from, body)
    }
}

/// A call and how it stands.
package struct TelephonyCall: Hashable, Sendable, Identifiable {
    package enum Direction: Hashable, Sendable {
        case incoming, outgoing
    }

    package typealias State = PhoneEvent.CallState

    /// Unique among the calls of one run of the driver.
    package var id: String
    package var sim: Int
    /// The other's number; empty when it is withheld.
    package var number: String
    package var direction: Direction
    package var state: State
    /// Why it ended, in a few words.
    package var reason: String?
    /// What was given to ``TelephonyDriver/placeCall(to:sim:reference:)``.
    package var reference: Int64?

    package init(
        id: String, sim: Int, number: String, direction: Direction, state: State, reason: String? = nil, reference: Int64? = nil
    ) {
        (self.id, self.sim, self.number, self.direction) = (id, sim, number, direction)
        (self.state, self.reason, self.reference) = (state, reason, reference)
    }
}

/// Why something could not be done. The words are for the person who asked for it.
package enum TelephonyError: Error, Hashable, Sendable, CustomStringConvertible {
    case noSuchSIM(Int)
    /// It is neither a number nor a service code.
    case invalidNumber
    /// The modem, or what drives it, is not there or not ready. What to do about it.
    case unavailable(String)
    /// The modem or the network does not take it.
    case refused(String)
    /// The network may have taken it; nobody knows.
    case outcomeUnknown(String)

    package var description: String {
        switch self {
        case .noSuchSIM(let slot): "There is no SIM \(slot)"
        case .invalidNumber: "That is not a phone number"
        case .unavailable(let why), .refused(let why), .outcomeUnknown(let why): why
        }
    }
}
