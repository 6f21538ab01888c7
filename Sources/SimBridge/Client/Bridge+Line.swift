import Foundation
import NetworkingKit
import PlatformKit
import SimBridgeWire
import WireKit

/// The line to the relay: what the host tells, in order, each once.
extension Bridge {
    /// 1, 2, 4 … 30 s; `connected` starts anew (contract, section 4). A line is open only from then on.
    static let backoff = Backoff(delays: [1, 2, 4, 8, 16, 30].map { .seconds($0) }, jitter: 0.2, reset: .zero)
    private static let pingInterval: Duration = .seconds(30)

    /// Keeps the line open until the task is cancelled; once it was taken by another connection, from when the person wants it back.
    func followLine(_ session: Session) async {
        let (wishes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lineWishes = continuation
        defer { lineWishes = nil }
        continuation.yield()
        for await _ in wishes {
            await holdLine(session)
            guard isReplaced else { return }
        }
    }

    private func holdLine(_ session: Session) async {
        let line = LineRunner(line: Line(backoff: Self.backoff, chance: chance), clock: phone.clock) { [weak self] in
            let after = await self?.preferences.cursor
            return try await session.api.openLine(of: session.device, after: after, token: session.token)
        }
        self.line = line
        isReplaced = false
        let why = await line.run(
            onState: { [weak self] in await self?.lineChanged($0) }, onMessage: { [weak self] in await self?.received($0) })
        self.line = nil
        status = .disconnected
        guard let why, !Task.isCancelled else { return }
        switch why.hop {
        // A token that this device has replaced itself ends its line as well.
        case .token: if self.session?.id == session.id, !isChangingPassword { await expire() }
        case .service: isReplaced = true
        // The address is wrong: nothing but another one helps.
        default: break
        }
    }

    /// Takes the line back from whoever has taken it, or tries at once.
    public func reconnect() {
        if isReplaced { lineWishes?.yield() } else { wake() }
    }

    private func lineChanged(_ state: Line.State) {
        pinging?.cancel()
        switch state {
        case .open:
            status = .connected
            outbox?.wake()
            keepPinging()
            // Nobody answers when no host is there.
            if let host { say(DeviceMessage(.command(.getSIMs), to: host.id, reqId: .random())) }
            Task {
                await refreshDevices()
                let lists = [history] + openLists.filter { $0.device != nil }
                for list in lists { refreshSoon(list) }
            }
        case .connecting: status = .connecting
        case .waiting, .idle, .closed: status = .disconnected
        }
    }

    /// Says that it is there, as the contract wants it; whether the relay is, the connection itself finds out.
    private func keepPinging() {
        let clock = phone.clock
        pinging = Task { [weak self] in
            while (try? await clock.sleep(for: Self.pingInterval)) != nil { self?.say(.ping) }
        }
    }

    private func received(_ message: SocketMessage) {
        guard case .text(let text) = message, let message = RelayMessage(text: text) else { return }
        if case .reset(let seq) = message.content {
            preferences.cursor = seq
            for list in openLists { refreshSoon(list) }
            return
        }
        if let time = message.time { learn(time, isFirst: message.content.isConnected) }
        if let seq = message.seq, seq <= preferences.cursor ?? 0 { return say(.ack(seq: preferences.cursor ?? 0)) }
        switch message.content {
        case .event(let event): happened(event, message)
        case .failure(let failure): failed(failure, message)
        // A command is for hosts; the rest is of now, or of another version.
        default: break
        }
        guard let seq = message.seq else { return }
        preferences.cursor = seq
        say(.ack(seq: seq))
    }

    /// Compares the relay's clock with this device's.
    private func learn(_ time: RelayTime, isFirst: Bool) {
        if isFirst { relayClock = RelayClock() }
        relayClock.add(time, at: Timestamp(now()).milliseconds)
        relayOffset = TimeInterval(relayClock.offset ?? 0) / 1000
    }

    /// Writes on the line, one after the other. What cannot be written is said again when the line is back, or of no use then.
    func say(_ message: DeviceMessage) { line?.say(.text(message.text)) }
}

extension Bridge {
    /// The state of the way from this device to the networks: its first hop that does not work.
    public enum Standing: Hashable, Sendable {
        case ready
        /// The relay is there, the host is not.
        case hostAway
        /// This device does not hear the host any more.
        case notPaired
        case connecting
        case disconnected
        /// Another connection of this device has come.
        case replaced
    }

    public var standing: Standing {
        switch status {
        case .connected where isUnpaired: .notPaired
        case .connected: isHostOnline ? .ready : .hostAway
        case .connecting: .connecting
        case .disconnected: isReplaced ? .replaced : .disconnected
        }
    }
}

extension RelayMessage.Content {
    fileprivate var isConnected: Bool { if case .connected = self { true } else { false } }
}
