package import ClientKit
package import Foundation
package import NetworkingKit
import PlatformKit
import SimBridgeCalls
package import SimBridgeWire
import WireKit

/// The line to the relay: messages of the host, in order, each once.
extension Bridge {
    /// A login of this phone, as one of the account's devices.
    package struct Session: Equatable, Sendable {
        /// Different for each login, also when the relay returns the same token.
        let id = UUID()
        let api: RelayAPI
        let token: String
        let device: Device.ID

        package static func == (a: Session, b: Session) -> Bool { a.id == b.id }
    }

    /// The delays between attempts: 1, 2, 4 … 30 s, starting over after `connected` (contract, section 4), which opens the line.
    package nonisolated static var backoff: Backoff { Backoff(delays: Backoff.standard.delays, jitter: 0.2, reset: .zero) }
    package nonisolated static var numbering: EventCursor.Numbering { .increasing }
    package nonisolated static var formerPreferences: [String] { SavedAccount.formerPreferences }

    @concurrent package nonisolated static func connect(
        as session: Session, after cursor: Int64?
    ) async throws -> any LineConnection<RelayMessage, DeviceMessage> {
        try await withTimeout(RelayAPI.timeout, clock: session.api.clock) {
            let connection = try await session.api.openLine(
                of: .client, session.device, after: cursor, token: session.token)
            try await connection.waitUntilConnected()
            return connection
        }
    }

    package nonisolated static func position(of message: RelayMessage) -> LogPosition {
        if case .reset(let number) = message.content { return .reset(number) }
        return message.seq.map { .event($0) } ?? .none
    }

    package func acknowledgement(of number: Int64) -> DeviceMessage? { .ack(seq: number) }
    package func keepalive() -> DeviceMessage? { registration.isRegistered && isInFront ? .presence(foreground: true) : .ping }

    package func lineDidFail(_ failure: NetworkingKit.LineFailure) async -> LineRecovery {
        switch failure.hop {
        // A password change closes the connections of all devices, including this device's.
        case .token where isChangingPassword: return .reopen(after: .seconds(1))
        case .token:
            if failure.detail == SimBridgeLine.deletedReason {
                await accountWasDeleted()
            } else {
                // Not every transport provides the relay's reason. A call returns the reason, and ends the session accordingly.
                _ = try? await authorized { try await $0.devices(token: $1) }
                await expire()
            }
            return .stop
        case .service: return .waitForUser
        // Only another address resolves these failures.
        case .address, .network, .tls: return .stop
        }
    }

    package func lineDidChange() {
        guard status == .connected else { return }
        reportedForeground = nil
        reportPresence()
        registration.retry()
        // Without effect while the host is away.
        if let host { engine.enqueue(DeviceMessage(.command(.getSIMs), to: host.id, reqId: .random())) }
        engine.tasks.start {
            await self.refreshDevices()
            let lists = [self.history] + self.openLists.filter { $0.device != nil }
            for list in lists { self.refreshSoon(list) }
        }
    }

    /// Applies a message of the relay itself: a reset, or the refusal of a message that this device sent.
    func noteRelay(_ message: RelayMessage) {
        switch message.content {
        case .reset: for list in openLists { refreshSoon(list) }
        case .failure(let failure): apply(failure, message)
        // Commands are for hosts; the others change nothing here, or belong to another version.
        default: break
        }
    }

    /// Updates the offset of the relay's clock from a message with a time.
    func compareClocks(_ message: RelayMessage) {
        guard let time = message.time else { return }
        if case .connected = message.content { relayClock = RelayClock() }
        relayClock.add(time, at: Timestamp(now()).milliseconds)
        relayOffset = TimeInterval(relayClock.offset ?? 0) / 1000
    }

    func wake() { engine.wake() }

    // MARK: State of the line

    package var status: Status {
        switch engine.lineStatus {
        case .open: .connected
        case .connecting: .connecting
        case .down: .disconnected
        }
    }

    /// The time of the next attempt to reach the relay; nil unless the line waits for one.
    package var nextAttempt: Date? { engine.nextAttempt }

    /// Calls `show` with the seconds until ``nextAttempt``, now and each second, until the attempt or the end of the calling task.
    package func followSecondsToNextAttempt(_ show: @MainActor (Int) -> Void) async {
        await engine.followSecondsToNextAttempt(show)
    }

    /// True if another connection of this device has replaced this line, which stays closed until ``reconnect()``.
    package var isReplaced: Bool { engine.isReplaced }

    /// Connects now, replacing another connection of this device.
    package func reconnect() { engine.reconnect() }

    /// The first hop between this device and the mobile network that does not work; `ready` if all work.
    package enum Standing: Hashable, Sendable {
        case ready
        /// The relay is connected, the host is not.
        case hostAway
        /// This device does not receive the host's events any more.
        case notPaired
        case connecting
        case disconnected
        /// Another connection of this device has taken the line.
        case replaced
    }

    package var standing: Standing {
        switch status {
        case .connected where isUnpaired: .notPaired
        case .connected: isHostOnline ? .ready : .hostAway
        case .connecting: .connecting
        case .disconnected: isReplaced ? .replaced : .disconnected
        }
    }
}
