import Foundation
import NetworkingKit
import PlatformKit
import SimBridgeWire

extension Bridge {
    /// Has the host dial.
    ///
    /// - Throws: ``BridgeProblem``; then no call is shown.
    public func placeCall(to number: String, sim: Int) async throws {
        guard let host else { throw BridgeProblem.noHost }
        guard call?.isUnderWay != true else { return }
        let to = try checked(number)
        // Chosen here, so that what the host tells of it is known even when the reply is lost.
        let id = RequestID.random()
        call = PhoneCall(number: to, sim: sim, isIncoming: false, state: .requested, host: host.id, reqId: id)
        do {
            let command = CallCommand(toDeviceId: host.id, sim: sim, to: to, reqId: id)
            let receipt = try await authorized { try await $0.call(command, token: $1) }
            // The host may have been faster than the reply.
            if call?.reqId == id, call?.state == .requested { call?.state = receipt.status == .sent ? .dialing : .queued }
            isHostOnline = receipt.status == .sent
            if receipt.status == .queued { awaitHost(id) }
            for list in openLists where list.phase != .idle { refreshSoon(list) }
        } catch {
            if call?.reqId == id, call?.state == .requested { call = nil }
            throw BridgeProblem(error)
        }
    }

    /// Takes up the call that was under way when this ended. What became of it since comes on the line.
    func resumeCall() {
        guard var kept = preferences.call else { return }
        // Whether the relay has it is not known: the host tells, or it is given up.
        if kept.state == .requested { kept.state = .queued }
        call = kept
        if kept.state == .queued, let id = kept.reqId { awaitHost(id) }
    }

    /// The relay gives up a call whose host does not come within a minute, and says nothing of it.
    private func awaitHost(_ id: RequestID) {
        let clock = phone.clock
        awaitingHost?.cancel()
        awaitingHost = Task { [weak self] in
            guard (try? await clock.sleep(for: Self.queueTime)) != nil, let self, call?.reqId == id, call?.state == .queued
            else { return }
            call?.state = .expired
        }
    }
    /// A little more than the relay's own.
    private static let queueTime: Duration = .seconds(65)

    private func checked(_ number: String) throws(BridgeProblem) -> String {
        do {
            return try PhoneNumber.checked(number)
        } catch {
            throw .number(error)
        }
    }

    /// Has the host end the call. The host says when it has ended.
    ///
    /// - Throws: ``BridgeProblem``.
    public func hangUp() async throws {
        guard let call, call.isUnderWay else { return }
        guard let host = call.host ?? host?.id, let line, status == .connected else { throw BridgeProblem.notConnected }
        // A number of its own: a host does each only once.
        let id = RequestID.random()
        self.call?.hangUpId = id
        do {
            try await line.send(.text(DeviceMessage(.command(.hangUp), to: host, reqId: id).text))
        } catch {
            throw BridgeProblem.notConnected
        }
    }

    /// Puts the card of a call away that has ended.
    public func dismissCall() { if call?.isUnderWay == false { call = nil } }
}
