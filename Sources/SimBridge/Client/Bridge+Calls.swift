public import Foundation
import NetworkingKit
import PlatformKit
import SimBridgeWire
import WireKit

extension Bridge {
    /// How long after the tap a call may be placed or ended.
    static let callTime: Duration = .seconds(10)

    /// The moment of the tap that is being handled. To be read in its handler, before anything is awaited.
    public var tapTime: ContinuousClock.Instant { phone.inputTime }

    /// The last moment for what was tapped then, in the relay's clock.
    private func deadline(of tap: ContinuousClock.Instant) -> RelayTime {
        let left = Self.callTime - tap.duration(to: .now)
        return RelayTime(Timestamp(now().addingTimeInterval(relayOffset + left / .seconds(1))))
    }

    /// Has the host dial, within ten seconds of the tap or not at all.
    ///
    /// - Throws: ``BridgeProblem``; then no call is shown.
    public func placeCall(to number: String, sim: Int, tapped: ContinuousClock.Instant? = nil) async throws {
        guard let host else { throw BridgeProblem.noHost }
        guard call?.isUnderWay != true else { return }
        let to = try checked(number)
        let tapped = tapped ?? tapTime
        let left = Self.callTime - tapped.duration(to: .now)
        // Chosen here, so that what the host tells of it is known even when the reply is lost.
        let id = RequestID.random()
        call = PhoneCall(number: to, sim: sim, isIncoming: false, state: .requested, host: host.id, reqId: id)
        do {
            guard left > .zero else { throw BridgeProblem.tooLate }
            let command = CallCommand(toDeviceId: host.id, sim: sim, to: to, reqId: id, deadline: deadline(of: tapped))
            let clock = phone.clock
            let receipt = try await authorized { api, token in
                try await withTimeout(left, clock: clock) { try await api.call(command, token: token) }
            }
            // The host may have been faster than the reply.
            if call?.reqId == id, call?.state == .requested { call?.state = receipt.status == .sent ? .dialing : .queued }
            isHostOnline = receipt.status == .sent
            if call?.state == .queued { awaitHost(id) } else { giveUpWithoutNews() }
            for list in openLists where list.phase != .idle { refreshSoon(list) }
        } catch {
            let problem = BridgeProblem(error)
            guard call?.reqId == id, call?.state == .requested else { return }
            // It is not tried again: a later tap is another call.
            if [.tooLate, .timeout].contains(problem) {
                call?.state = .expired
                return
            }
            call = nil
            throw problem
        }
    }

    /// Takes up the call that was under way when this ended. What became of it since comes on the line.
    func resumeCall() {
        guard var kept = preferences.call else { return }
        // Whether the relay has it is not known: the host tells, or it is given up.
        if kept.state == .requested { kept.state = .queued }
        if kept.state == .active { kept.isUnconfirmed = true }
        call = kept
        if kept.state == .queued, let id = kept.reqId { awaitHost(id) } else { giveUpWithoutNews() }
    }

    /// The relay gives up a call whose host does not come in time, and says nothing of it.
    private func awaitHost(_ id: RequestID) {
        giveUp(after: Self.queueTime) { [weak self] in
            guard let self, call?.reqId == id, call?.state == .queued else { return }
            call?.state = .expired
        }
    }
    /// A little more than the deadline.
    private static let queueTime: Duration = callTime + .seconds(2)

    /// Does this unless another call is given a deadline first.
    func giveUp(after delay: Duration, _ body: @escaping @MainActor () -> Void) {
        let clock = phone.clock
        givingUp?.cancel()
        givingUp = Task { if (try? await clock.sleep(for: delay)) != nil { body() } }
    }

    private func checked(_ number: String) throws(BridgeProblem) -> String {
        do {
            return try PhoneNumber.checked(number)
        } catch {
            throw .number(error)
        }
    }

    /// Has the host end this call, within ten seconds of the tap or not at all. The host says when it has ended.
    ///
    /// - Throws: ``BridgeProblem``.
    public func hangUp(tapped: ContinuousClock.Instant? = nil) async throws {
        guard let call, call.isUnderWay else { return }
        guard let host = call.host ?? host?.id, let line, status == .connected else { throw BridgeProblem.notConnected }
        // A number of its own: a host does each only once.
        let id = RequestID.random()
        let earlier = call.hangUpId
        self.call?.hangUpId = id
        let command = Command.hangUp(call: call.reqId, deadline: deadline(of: tapped ?? tapTime))
        do {
            try await line.send(.text(DeviceMessage(.command(command), to: host, reqId: id).text))
        } catch {
            // Not hung up here: a call that ends by itself is a missed one.
            if self.call?.hangUpId == id { self.call?.hangUpId = earlier }
            throw BridgeProblem.notConnected
        }
    }

    /// The incoming call that rings or is being spoken.
    public var incomingCall: PhoneCall? { call.flatMap { $0.isIncoming && $0.isUnderWay ? $0 : nil } }

    /// The name of the phone that makes or gets a call.
    public func hostName(of call: PhoneCall) -> String { devices.first { $0.id == call.host }?.name ?? host?.name ?? "" }

    /// Passes the seconds since `date` to `show` each second, until the calling task is cancelled.
    public func followSeconds(since date: Date, _ show: @MainActor (Int) -> Void) async {
        repeat {
            show(max(0, Int(now().timeIntervalSince(date))))
        } while (try? await phone.clock.sleep(for: .seconds(1))) != nil
    }

    /// Puts the card of a call away that has ended.
    public func dismissCall() { if call?.isUnderWay == false { call = nil } }
}
