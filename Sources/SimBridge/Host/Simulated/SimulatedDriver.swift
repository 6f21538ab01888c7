import Foundation
package import SimBridgeWire

/// Two SIM cards that exist only here: for demonstrations and tests.
///
/// A text to any number comes back after a moment; a call is answered after a moment. What else happens is asked for by
/// ``receive(_:from:sim:)``, ``ring(from:sim:)`` and ``fail(_:)``.
package actor SimulatedDriver: TelephonyDriver {
    package static let standardCards = [
        SIMCard(slot: 1, carrier: "Northern Mobile", number: "+15550100001"),
        SIMCard(slot: 2, carrier: "Coastal Wireless", number: "+15550100002"),
    ]

    /// How this world behaves.
    package struct Script: Sendable {
        /// What comes back for a text, and after how long; nil is nothing.
        package var reply: @Sendable (_ body: String) -> String? = { "You said: \($0)" }
        package var replyDelay: Duration = .seconds(2)
        /// How long the network takes for a text.
        package var sendingTime: Duration = .milliseconds(500)
        /// How long the other side lets it ring.
        package var ringingTime: Duration = .seconds(3)
        /// How long somebody who does not answer is rung.
        package var patience: Duration = .seconds(30)
        package var failure: Failure?

        package init() {}
    }

    package enum Failure: String, Hashable, Sendable, CaseIterable {
        /// The network refuses texts and calls.
        case refused
        /// There is no network.
        case lost
        /// Nobody answers calls or texts.
        case unanswered
        /// Everything takes twenty times as long.
        case slow
        /// The network takes texts and never says so.
        case unknown
    }

    /// Until something that was not taken is told again.
    private static let retryDelay: Duration = .seconds(10)

    /// Something that happens by itself.
    private typealias Happening = @Sendable (SimulatedDriver) async throws -> Void

    private let cards: [SIMCard]
    private let record: SentRecord?
    private let clock: any Clock<Duration>
    private let makeID: @Sendable () -> String
    private var script: Script
    private var calls: [TelephonyCall.ID: TelephonyCall] = [:]
    private let happenings: AsyncStream<Happening>
    private let happens: AsyncStream<Happening>.Continuation
    // Each told in the order in which it came. A text that is not taken does not hold up calls.
    private let texts: AsyncStream<TelephonyEvent>
    private let textCame: AsyncStream<TelephonyEvent>.Continuation
    private let callChanges: AsyncStream<TelephonyEvent>
    private let callChanged: AsyncStream<TelephonyEvent>.Continuation

    /// - Parameter record: Where each text that the network takes is written down.
    package init(
        cards: [SIMCard] = standardCards, script: Script = Script(), record: SentRecord? = nil,
        clock: any Clock<Duration> = ContinuousClock(), makeID: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        (self.cards, self.script, self.record, self.clock, self.makeID) = (cards, script, record, clock, makeID)
        (happenings, happens) = AsyncStream.makeStream(of: Happening.self)
        (texts, textCame) = AsyncStream.makeStream(of: TelephonyEvent.self)
        (callChanges, callChanged) = AsyncStream.makeStream(of: TelephonyEvent.self)
    }

    package func run(_ handle: @escaping @Sendable (TelephonyEvent) async throws -> Void) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for events in [texts, callChanges] {
                group.addTask { for await event in events { try await self.tell(event, to: handle) } }
            }
            for await happening in happenings {
                group.addTask {
                    do {
                        try await happening(self)
                    } catch is CancellationError {
                        // The run is over; so is what would have happened.
                    }
                }
            }
        }
        try Task.checkCancellation()
    }

    // MARK: What a host asks for

    package func sims() -> [SIMCard] { cards }

    package func sendText(_ body: String, to number: String, sim: Int) async throws {
        let number = try PhoneNumber.dialable(number)
        try check(sim)
        let failure = script.failure
        // The network has a text before it says so: what ends in between does not know.
        if failure != .refused, failure != .lost { try take(body, to: number, sim: sim) }
        try await pass(script.sendingTime)
        switch failure {
        case .refused: throw TelephonyError.refused("The network refused the text")
        case .lost: throw TelephonyError.unavailable("There is no network")
        case .unknown: throw TelephonyError.outcomeUnknown("The network did not say whether it took the text")
        case .unanswered: return
        case .slow, nil:
            guard let reply = script.reply(body) else { return }
            happens.yield { driver in
                try await driver.pass(driver.script.replyDelay)
                await driver.comes(reply, from: number, sim: sim)
            }
        }
    }

    package func placeCall(to number: String, sim: Int, reference: Int64?) async throws {
        let number = try PhoneNumber.dialable(number)
        try check(sim)
        switch script.failure {
        case .refused: throw TelephonyError.refused("The network refused the call")
        case .lost: throw TelephonyError.unavailable("There is no network")
        default: break
        }
        let call = TelephonyCall(
            id: makeID(), sim: sim, number: number, direction: .outgoing, state: .dialing, reference: reference)
        calls[call.id] = call
        callChanged.yield(.call(call))
        let isAnswered = script.failure != .unanswered
        happens.yield { driver in
            try await driver.pass(isAnswered ? driver.script.ringingTime : driver.script.patience)
            if isAnswered {
                await driver.turn(call.id, from: .dialing, to: .active)
            } else {
                await driver.turn(call.id, from: .dialing, to: .ended, reason: "No answer")
            }
        }
    }

    package func answer(_ call: TelephonyCall.ID) throws {
        guard calls[call]?.state == .ringing else { throw TelephonyError.refused("That call does not ring") }
        turn(call, to: .active)
    }

    package func hangUp() -> Int { end { _ in true } }

    package func hangUp(reference: Int64) -> Int { end { $0.reference == reference } }

    private func end(_ isEnding: (TelephonyCall) -> Bool) -> Int {
        let ending = calls.values.filter(isEnding).sorted { $0.id < $1.id }
        for call in ending { turn(call.id, to: .ended, reason: "Hung up") }
        return ending.count
    }

    // MARK: What others do

    /// Somebody sends a text to one of the cards.
    ///
    /// - Throws: ``TelephonyError/noSuchSIM(_:)``.
    package func receive(_ body: String, from number: String, sim: Int) throws {
        try check(sim)
        comes(body, from: number, sim: sim)
    }

    /// Somebody calls one of the cards, and gives up when nobody answers.
    ///
    /// - Throws: ``TelephonyError/noSuchSIM(_:)``.
    @discardableResult
    package func ring(from number: String, sim: Int) throws -> TelephonyCall.ID {
        try check(sim)
        let call = TelephonyCall(id: makeID(), sim: sim, number: number, direction: .incoming, state: .ringing)
        calls[call.id] = call
        callChanged.yield(.call(call))
        happens.yield { driver in
            try await driver.pass(driver.script.patience)
            await driver.turn(call.id, from: .ringing, to: .ended, reason: "Missed")
        }
        return call.id
    }

    /// From now on everything fails this way; nil: nothing does.
    package func fail(_ failure: Failure?) { script.failure = failure }

    /// Answers the call that rings.
    ///
    /// - Throws: ``TelephonyError/refused(_:)`` when none does.
    package func answer() throws {
        guard let call = calls.values.first(where: { $0.state == .ringing }) else {
            throw TelephonyError.refused("No call rings")
        }
        try answer(call.id)
    }

    // MARK: How

    private func check(_ sim: Int) throws(TelephonyError) {
        guard cards.contains(where: { $0.slot == sim }) else { throw .noSuchSIM(sim) }
    }

    private func take(_ body: String, to number: String, sim: Int) throws(TelephonyError) {
        do {
            try record?.append(body, to: number, sim: sim)
        } catch {
            throw .unavailable("The record of texts cannot be written: \(error)")
        }
    }

    private func pass(_ time: Duration) async throws {
        try await clock.sleep(for: script.failure == .slow ? time * 20 : time)
    }

    private func comes(_ body: String, from number: String, sim: Int) {
        textCame.yield(.text(IncomingText(id: makeID(), source: "simulated", sim: sim, from: number, body: body)))
    }

    /// - Parameter from: Only if it is still in this state.
    private func turn(
        _ id: TelephonyCall.ID, from: TelephonyCall.State? = nil, to state: TelephonyCall.State, reason: String? = nil
    ) {
        guard var call = calls[id], from == nil || call.state == from else { return }
        (call.state, call.reason) = (state, reason)
        calls[id] = state == .ended ? nil : call
        callChanged.yield(.call(call))
    }

    /// Tells until it is taken: a host that is full has room again once its relay is back.
    private func tell(_ event: TelephonyEvent, to handle: (TelephonyEvent) async throws -> Void) async throws {
        while true {
            do {
                try await handle(event)
                break
            } catch is TelephonyError {
                try await clock.sleep(for: Self.retryDelay)
            }
        }
        // Nothing here holds a text that was taken.
        if case .text(let text) = event { try await handle(.held(source: text.source, [])) }
    }
}
