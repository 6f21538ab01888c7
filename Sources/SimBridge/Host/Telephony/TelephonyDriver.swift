package import SimBridgeWire
package import WireKit

/// A driver of texts and calls by SIM cards, in modems or simulated (``SimulatedDriver``).
///
/// Knows nothing of relays and journals. May be called by several tasks at once.
package protocol TelephonyDriver: Sendable {
    /// Returns the SIM cards that can be used now, by ascending slot.
    ///
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func sims() async throws -> [SIMCard]

    /// Sends a text and returns once the network has accepted it.
    ///
    /// - Returns: The key of the text's delivery reports; nil if there are none.
    /// - Throws: ``TelephonyError``: `outcomeUnknown` if the network may have accepted the text, other codes if it has not;
    ///   `CancellationError`, which also leaves the outcome unknown.
    func sendText(_ body: String, to number: String, sim: Int) async throws -> TextReceipt?

    /// Begins a call. ``run(_:)`` reports its states, from `dialing` on.
    ///
    /// - Parameter reference: The caller's own id of the call (``TelephonyCall/reference``).
    /// - Throws: As ``sendText(_:to:sim:)``.
    func placeCall(to number: String, sim: Int, reference: Int64?) async throws

    /// Sends a service code to the network and returns its answer.
    ///
    /// - Parameter reference: As in ``placeCall(to:sim:reference:)``; ``hangUp(reference:)`` cancels the code.
    /// - Throws: As ``sendText(_:to:sim:)``.
    func dial(_ code: ServiceCode, sim: Int, reference: Int64?) async throws -> String

    /// Answers the network's question after a service code, and returns its next message.
    ///
    /// - Throws: As ``sendText(_:to:sim:)``.
    func reply(_ text: String, sim: Int) async throws -> String

    /// Answers a ringing call.
    ///
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func answer(_ call: TelephonyCall.ID) async throws

    /// Ends all calls, also ringing ones.
    ///
    /// - Returns: The number of calls.
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func hangUp() async throws -> Int

    /// Ends the call that was placed with `reference`, and no other.
    ///
    /// - Returns: 0 when there is no such call, or it has ended.
    /// - Throws: ``TelephonyError``; `CancellationError`.
    func hangUp(reference: Int64) async throws -> Int

    /// Reports events until the calling task is cancelled. To be called once.
    ///
    /// - Parameter handle: Handles one event. The driver deletes a text from its modem after `handle` has returned. If `handle`
    ///   throws, the event is reported again later.
    func run(_ handle: @escaping @Sendable (TelephonyEvent) async throws -> Void) async throws
}

/// An event of the networks.
package enum TelephonyEvent: Hashable, Sendable {
    case text(IncomingText)
    /// All texts that a source still holds. Other texts of the source are not reported again.
    case held(source: String, Set<IncomingText.ID>)
    /// A call has begun or changed its state.
    case call(TelephonyCall)
    /// The network reports on the delivery of a text that was sent.
    case delivery(DeliveryReport)
    /// The network has accepted a text whose outcome was unknown.
    case accepted(AcceptedText)
    /// A message of the network that belongs to no service code of this program.
    case notice(String, sim: Int)
    /// The SIM cards, or their known properties, have changed.
    case cards([SIMCard])
    /// A problem that does not prevent sending and receiving, as a sentence for the user.
    case warning(String)
    /// Nothing can be sent or received now. The sentence names the reason and the remedy.
    case unavailable(String)
    /// Sending and receiving work again.
    case available
}

/// A received text.
package struct IncomingText: Hashable, Sendable, Identifiable {
    /// The id of the text: the same in each report, also in another run of this program or of ModemManager.
    package var id: String
    /// The holder of the text until it is stored, such as a modem.
    package var source: String
    package var sim: Int
    package var from: String
    package var body: String
    /// The time at which the network's service centre received the text; nil if unknown.
    package var serviceCentreTime: Timestamp?
    /// Nil for an ordinary text.
    package var kind: EventDetails.Kind?

    package init(
        id: String, source: String, sim: Int, from: String, body: String, serviceCentreTime: Timestamp? = nil,
        kind: EventDetails.Kind? = nil
    ) {
        (self.id, self.source, self.sim, self.from, self.body) = (id, source, sim, from, body)
        (self.serviceCentreTime, self.kind) = (serviceCentreTime, kind)
    }
}

/// The key of the delivery reports of one text.
package struct TextReceipt: Hashable, Sendable {
    /// The id of the SIM card that sent the text.
    package var source: String
    /// The message reference of the text's last part, 0 to 255. The references of the parts ascend.
    package var reference: Int
    package var partCount: Int

    package init(source: String, reference: Int, partCount: Int) {
        (self.source, self.reference, self.partCount) = (source, reference, partCount)
    }
}

/// The network's report on one part of a sent text. Source: 3GPP TS 23.040, section 9.2.2.3.
package struct DeliveryReport: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        case delivered
        /// The network still tries.
        case pending
        /// The network has given up.
        case failed
    }

    package var source: String
    /// The receiver, as the network writes the number.
    package var number: String
    package var reference: Int
    package var outcome: Outcome

    package init(source: String, number: String, reference: Int, outcome: Outcome) {
        (self.source, self.number, self.reference, self.outcome) = (source, number, reference, outcome)
    }
}

/// A text that the modem has sent, as the modem knows it.
package struct AcceptedText: Hashable, Sendable {
    package var sim: Int
    package var number: String
    package var body: String
    package var receipt: TextReceipt?

    package init(sim: Int, number: String, body: String, receipt: TextReceipt?) {
        (self.sim, self.number, self.body, self.receipt) = (sim, number, body, receipt)
    }
}

/// A call and its state.
package struct TelephonyCall: Hashable, Sendable, Identifiable {
    package enum Direction: Hashable, Sendable {
        case incoming, outgoing
    }

    package typealias State = PhoneEvent.CallState

    /// Unique among the calls of one run of the driver.
    package var id: String
    package var sim: Int
    /// The other number; empty when it is withheld.
    package var number: String
    package var direction: Direction
    package var state: State
    /// The reason for the end, in a few words; nil if unknown.
    package var reason: String?
    /// The reference given to ``TelephonyDriver/placeCall(to:sim:reference:)``; nil for other calls.
    package var reference: Int64?
    /// True if the call was reported before.
    package var isKnown = false

    package init(
        id: String, sim: Int, number: String, direction: Direction, state: State, reason: String? = nil, reference: Int64? = nil
    ) {
        (self.id, self.sim, self.number, self.direction) = (id, sim, number, direction)
        (self.state, self.reason, self.reference) = (state, reason, reference)
    }
}

/// The reason of a failed action, in words for the user.
package enum TelephonyError: Error, Hashable, Sendable, CustomStringConvertible {
    case noSuchSIM(Int)
    /// The recipient is neither a number nor a service code.
    case invalidNumber
    /// The modem or its driver is missing or not ready. The sentence names the remedy.
    case unavailable(String)
    /// The modem or the network refuses the action.
    case refused(String)
    /// The network may or may not have accepted the action.
    case outcomeUnknown(String)

    package var description: String {
        switch self {
        case .noSuchSIM(let slot): "There is no SIM \(slot)"
        case .invalidNumber: "That is not a phone number"
        case .unavailable(let why), .refused(let why), .outcomeUnknown(let why): why
        }
    }
}
