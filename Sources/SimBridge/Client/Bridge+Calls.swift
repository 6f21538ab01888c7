import ClientKit
package import Foundation
import NetworkingKit
import PlatformKit
import SimBridgeCalls
import SimBridgeWire
import WireKit

extension Bridge {
    /// The time of the tap that is being handled. Read it in the handler, before the first `await`.
    package var tapTime: ContinuousClock.Instant { phone.inputTime }

    /// Returns the deadline, by the relay's clock, of a command that the user requested at `tap`.
    private func deadline(of tap: ContinuousClock.Instant) -> RelayTime {
        let left = callLimit - tap.duration(to: .now)
        return RelayTime(Timestamp(now().addingTimeInterval(relayOffset + left / .seconds(1))))
    }

    /// Places a call, within ``callLimit`` of the tap or not at all.
    ///
    /// - Parameter isConfirmed: True if the user has agreed to a code that changes settings (``changesSettings(_:)``).
    /// - Throws: ``BridgeProblem``; no call is shown then.
    package func placeCall(
        to number: String, sim: Int, tapped: ContinuousClock.Instant? = nil, isConfirmed: Bool = false
    ) async throws {
        guard let host else { throw BridgeProblem.noHost }
        guard call?.isUnderWay != true else { return }
        let to = try checked(number)
        let tapped = tapped ?? tapTime
        let left = callLimit - tapped.duration(to: .now)
        // The phone chooses the id, so that it recognises the host's reports even if the reply is lost.
        let id = RequestID.random()
        call = PhoneCall(number: to, sim: sim, isIncoming: false, state: .requested, host: host.id, reqId: id)
        do {
            guard left > .zero else { throw BridgeProblem.tooLate }
            let command = CallCommand(
                toDeviceId: host.id, sim: sim, to: to, reqId: id, deadline: deadline(of: tapped),
                isConfirmed: isConfirmed ? true : nil)
            let clock = phone.clock
            let receipt = try await authorized { api, token in
                try await withTimeout(left, clock: clock) { try await api.call(command, token: token) }
            }
            // The host's report may have come before the reply.
            if call?.reqId == id, call?.state == .requested { call?.state = receipt.status == .sent ? .dialing : .queued }
            isHostOnline = receipt.status == .sent
            if call?.state == .queued { awaitHost(id) } else { timeOutRinging() }
            for list in openLists where list.phase != .idle { refreshSoon(list) }
        } catch {
            let problem = BridgeProblem(error)
            guard call?.reqId == id, call?.state == .requested else { return }
            // The command is not retried: a later tap is another call.
            if [.tooLate, .timeout].contains(problem) {
                call?.state = .expired
                return
            }
            call = nil
            throw problem
        }
    }

    /// True for a service code that changes settings of the card, such as call forwarding: the user is asked first.
    package func changesSettings(_ number: String) -> Bool {
        (try? PhoneNumber.checked(number)).flatMap { ServiceCode($0) }?.changesSettings == true
    }

    /// Restores the call that was under way when the app ended. The line replays the reports since then.
    func resumeCall() {
        guard var resumed = saved.call else { return }
        // It is unknown if the relay has the command: the host reports, or the call expires.
        if resumed.state == .requested { resumed.state = .queued }
        if resumed.state == .active { resumed.isUnconfirmed = true }
        call = resumed
        if resumed.state == .queued, let id = resumed.reqId { awaitHost(id) } else { timeOutRinging() }
    }

    /// Expires a queued call 2 s after its deadline, at which the relay drops the command without a report.
    private func awaitHost(_ id: RequestID) {
        timeOutCall(after: callLimit + .seconds(2)) { [weak self] in
            guard let self, call?.reqId == id, call?.state == .queued else { return }
            call?.state = .expired
        }
    }

    /// Runs `body` after `delay`, unless another timeout is set first.
    func timeOutCall(after delay: Duration, _ body: @escaping @MainActor () -> Void) {
        let clock = phone.clock
        callTimeout?.cancel()
        callTimeout = Task { if (try? await clock.sleep(for: delay)) != nil { body() } }
    }

    private func checked(_ number: String) throws(BridgeProblem) -> String {
        do {
            return try PhoneNumber.checked(number)
        } catch {
            throw .number(error)
        }
    }

    /// Ends the call, within ``callLimit`` of the tap or not at all. The host reports the end.
    ///
    /// - Throws: ``BridgeProblem``.
    package func hangUp(tapped: ContinuousClock.Instant? = nil) async throws {
        guard let call, call.isUnderWay else { return }
        guard let host = call.host ?? host?.id else { throw BridgeProblem.notConnected }
        // The command has a separate id, because a host executes each id once.
        let id = RequestID.random()
        let earlier = call.hangUpId
        self.call?.hangUpId = id
        let command = Command.hangUp(call: call.reqId, deadline: deadline(of: tapped ?? tapTime))
        do {
            try await engine.send(DeviceMessage(.command(command), to: host, reqId: id))
        } catch {
            // The command was not sent: if the call ends by itself, it counts as missed.
            if self.call?.hangUpId == id { self.call?.hangUpId = earlier }
            throw BridgeProblem.notConnected
        }
    }

    /// The incoming call that rings or is active; nil if there is none.
    package var incomingCall: PhoneCall? { call.flatMap { $0.isIncoming && $0.isUnderWay ? $0 : nil } }

    /// Returns the name of the host of a call.
    package func hostName(of call: PhoneCall) -> String { devices.first { $0.id == call.host }?.name ?? host?.name ?? "" }

    /// Calls `show` with the seconds since `date` each second, until the calling task is cancelled.
    package func followSeconds(since date: Date, _ show: @MainActor (Int) -> Void) async {
        repeat {
            show(max(0, Int(now().timeIntervalSince(date))))
        } while (try? await phone.clock.sleep(for: .seconds(1))) != nil
    }

    /// Dismisses a call that has ended.
    package func dismissCall() { if call?.isUnderWay == false { call = nil } }
}
