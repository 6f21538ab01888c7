import Foundation
package import SimBridgeWire

/// Two simulated SIM cards, for demonstrations and tests.
///
/// A text to any number is answered after a moment, and so is a call. Other events are triggered by
/// ``receive(_:from:sim:)``, ``ring(from:sim:)`` and ``fail(_:)``.
package actor SimulatedDriver: TelephonyDriver {
    package static let standardCards = [
        SIMCard(slot: 1, carrier: "Northern Mobile", number: "+15550100001"),
        SIMCard(slot: 2, carrier: "Coastal Wireless", number: "+15550100002"),
    ]

    /// The behaviour of the simulated network.
    package struct Script: Sendable {
        /// Returns the reply to a text; nil for no reply.
        package var reply: @Sendable (_ body: String) -> String? = { "You said: \($0)" }
        package var replyDelay: Duration = .seconds(2)
        /// The delay until the network accepts a text.
        package var sendingTime: Duration = .milliseconds(500)
        /// The answer to a service code.
        package var codeAnswer: @Sendable (_ code: ServiceCode) -> String = { "\($0.text): you have 3.50 left" }
        /// The delay until a call is answered.
        package var ringingTime: Duration = .seconds(3)
        /// The time until an unanswered call ends.
        package var answerTimeout: Duration = .seconds(30)
        package var failure: Failure?

        package init() {}
    }

    package enum Failure: String, Hashable, Sendable, CaseIterable {
        /// The network refuses texts and calls.
        case refused
        /// There is no network.
        case lost
        /// Calls and texts are not answered.
        case unanswered
        /// Everything takes twenty times as long.
        case slow
        /// The network accepts texts without confirming it.
        case unknown
    }

    /// The delay before an event that the host could not store is reported again.
    private static let retryDelay: Duration = .seconds(10)

    /// An event of the simulated network.
    private typealias NetworkEvent = @Sendable (SimulatedDriver) async throws -> Void

    private let cards: [SIMCard]
    private let record: SentRecord?
    private let clock: any Clock<Duration>
    private let makeID: @Sendable () -> String
    private var script: Script
    private var calls: [TelephonyCall.ID: TelephonyCall] = [:]
    private let networkEvents: AsyncStream<NetworkEvent>
    private let networkEventContinuation: AsyncStream<NetworkEvent>.Continuation
    // Each stream is reported in its order. A text that the host cannot store does not delay calls.
    private let texts: AsyncStream<TelephonyEvent>
    private let textContinuation: AsyncStream<TelephonyEvent>.Continuation
    private let callChanges: AsyncStream<TelephonyEvent>
    private let callContinuation: AsyncStream<TelephonyEvent>.Continuation

    /// - Parameter record: The file for the accepted texts; nil to store none.
    package init(
        cards: [SIMCard] = standardCards, script: Script = Script(), record: SentRecord? = nil,
        clock: any Clock<Duration> = ContinuousClock(), makeID: @escaping @Sendable () -> String = { UUID().uuidString }
    ) {
        (self.cards, self.script, self.record, self.clock, self.makeID) = (cards, script, record, clock, makeID)
        (networkEvents, networkEventContinuation) = AsyncStream.makeStream(of: NetworkEvent.self)
        (texts, textContinuation) = AsyncStream.makeStream(of: TelephonyEvent.self)
        (callChanges, callContinuation) = AsyncStream.makeStream(of: TelephonyEvent.self)
    }

    package func run(_ handle: @escaping @Sendable (TelephonyEvent) async throws -> Void) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for events in [texts, callChanges] {
                group.addTask { for await event in events { try await self.report(event, to: handle) } }
            }
            for await event in networkEvents {
                group.addTask {
                    do {
                        try await event(self)
                    } catch is CancellationError {
                        // The run is over.
                    }
                }
            }
        }
        try Task.checkCancellation()
    }

    // MARK: Commands of the host

    package func sims() -> [SIMCard] { cards }

    @discardableResult
    package func sendText(_ body: String, to number: String, sim: Int) async throws -> TextReceipt? {
        let number = try PhoneNumber.dialable(number)
        try check(sim)
        let failure = script.failure
        // The network has the text before it confirms it: an interruption in between leaves the outcome unknown.
        if failure != .refused, failure != .lost { try accept(body, to: number, sim: sim) }
        try await wait(script.sendingTime)
        switch failure {
        case .refused: throw TelephonyError.refused("The network refused the text")
        case .lost: throw TelephonyError.unavailable("There is no network")
        case .unknown: throw TelephonyError.outcomeUnknown("The network did not confirm the text")
        case .unanswered: break
        case .slow, nil:
            guard let reply = script.reply(body) else { break }
            networkEventContinuation.yield { driver in
                try await driver.wait(driver.script.replyDelay)
                await driver.deliver(reply, from: number, sim: sim)
            }
        }
        return nil
    }

    package func dial(_ code: ServiceCode, sim: Int, reference: Int64?) async throws -> String {
        try check(sim)
        try await wait(script.sendingTime)
        switch script.failure {
        case .refused: throw TelephonyError.refused("The network does not know this code")
        case .lost: throw TelephonyError.unavailable("There is no network")
        case .unknown, .unanswered: throw TelephonyError.outcomeUnknown("The network did not answer the service code")
        case .slow, nil: return script.codeAnswer(code)
        }
    }

    package func reply(_ text: String, sim: Int) throws -> String {
        try check(sim)
        throw TelephonyError.refused("The network waits for no answer; dial the service code again")
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
        callContinuation.yield(.call(call))
        let isAnswered = script.failure != .unanswered
        networkEventContinuation.yield { driver in
            try await driver.wait(isAnswered ? driver.script.ringingTime : driver.script.answerTimeout)
            if isAnswered {
                await driver.change(call.id, from: .dialing, to: .active)
            } else {
                await driver.change(call.id, from: .dialing, to: .ended, reason: "No answer")
            }
        }
    }

    package func answer(_ call: TelephonyCall.ID) throws {
        guard calls[call]?.state == .ringing else { throw TelephonyError.refused("The call is not ringing") }
        change(call, to: .active)
    }

    package func hangUp() -> Int { end { _ in true } }

    package func hangUp(reference: Int64) -> Int { end { $0.reference == reference } }

    private func end(_ isEnding: (TelephonyCall) -> Bool) -> Int {
        let ending = calls.values.filter(isEnding).sorted { $0.id < $1.id }
        for call in ending { change(call.id, to: .ended, reason: "Hung up") }
        return ending.count
    }

    // MARK: Events

    /// Simulates a text to one of the cards.
    ///
    /// - Throws: ``TelephonyError/noSuchSIM(_:)``.
    package func receive(_ body: String, from number: String, sim: Int) throws {
        try check(sim)
        deliver(body, from: number, sim: sim)
    }

    /// Simulates a call to one of the cards, which ends if it is not answered.
    ///
    /// - Throws: ``TelephonyError/noSuchSIM(_:)``.
    @discardableResult
    package func ring(from number: String, sim: Int) throws -> TelephonyCall.ID {
        try check(sim)
        let call = TelephonyCall(id: makeID(), sim: sim, number: number, direction: .incoming, state: .ringing)
        calls[call.id] = call
        callContinuation.yield(.call(call))
        networkEventContinuation.yield { driver in
            try await driver.wait(driver.script.answerTimeout)
            await driver.change(call.id, from: .ringing, to: .ended, reason: "Missed")
        }
        return call.id
    }

    /// Makes all later actions fail in one way; nil ends the failures.
    package func fail(_ failure: Failure?) { script.failure = failure }

    /// Answers the ringing call.
    ///
    /// - Throws: ``TelephonyError/refused(_:)`` when no call rings.
    package func answer() throws {
        guard let call = calls.values.first(where: { $0.state == .ringing }) else {
            throw TelephonyError.refused("No call is ringing")
        }
        try answer(call.id)
    }

    // MARK: Implementation

    private func check(_ sim: Int) throws(TelephonyError) {
        guard cards.contains(where: { $0.slot == sim }) else { throw .noSuchSIM(sim) }
    }

    private func accept(_ body: String, to number: String, sim: Int) throws(TelephonyError) {
        do {
            try record?.append(body, to: number, sim: sim)
        } catch {
            throw .unavailable("The record of texts cannot be written: \(error)")
        }
    }

    private func wait(_ time: Duration) async throws {
        try await clock.sleep(for: script.failure == .slow ? time * 20 : time)
    }

    private func deliver(_ body: String, from number: String, sim: Int) {
        textContinuation.yield(.text(IncomingText(id: makeID(), source: "simulated", sim: sim, from: number, body: body)))
    }

    /// - Parameter from: The state that the call must still have; nil for any state.
    private func change(
        _ id: TelephonyCall.ID, from: TelephonyCall.State? = nil, to state: TelephonyCall.State, reason: String? = nil
    ) {
        guard var call = calls[id], from == nil || call.state == from else { return }
        (call.state, call.reason) = (state, reason)
        calls[id] = state == .ended ? nil : call
        callContinuation.yield(.call(call))
    }

    /// Reports an event until the host has stored it: a full host has room again once its relay is back.
    private func report(_ event: TelephonyEvent, to handle: (TelephonyEvent) async throws -> Void) async throws {
        while true {
            do {
                try await handle(event)
                break
            } catch is TelephonyError {
                try await clock.sleep(for: Self.retryDelay)
            }
        }
        // A stored text is not held here.
        if case .text(let text) = event { try await handle(.held(source: text.source, [])) }
    }
}
