import CoreMetrics
import Logging
import ServerKit
import ServiceLifecycle
import SimBridgeWire
import WireKit

/// The connected devices, and the devices that number what they receive.
///
/// Writes the JSON ping of each line every 30 s, and closes the line when its token expires: one task for all lines.
final class Lines: Service {
    private static let pingInterval = 30

    private struct State {
        var sockets: [Device.ID: DeviceSocket] = [:]
        var acknowledging: Set<Device.ID>
        /// Sockets by the second within ``pingInterval`` in which they are pinged.
        var dueAt: [[ObjectIdentifier: DeviceSocket]] = Array(repeating: [:], count: Lines.pingInterval)
        var second = 0
        /// The time when the first token of an open line expires.
        var nextExpiry: Timestamp?

        mutating func expired(at now: Timestamp) -> [DeviceSocket] {
            guard let nextExpiry, nextExpiry <= now else { return [] }
            let expiries = sockets.values.map(\.expiry)
            self.nextExpiry = expiries.filter { $0 > now }.min()
            return sockets.values.filter { $0.expiry <= now }
        }
    }

    private let state: Locked<State>
    private let openLines: Gauge
    private let now: @Sendable () -> Timestamp
    /// The clients whose user looks at the app.
    let foreground: ForegroundClients<Device.ID>

    init(
        acknowledging: Set<Device.ID>, metrics: MetricsRegistry, now: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        (self.now, foreground) = (now, ForegroundClients(now: uptime))
        state = Locked(State(acknowledging: acknowledging))
        openLines = Gauge(label: "simbridge_lines", factory: metrics)
    }

    subscript(device: Device.ID) -> DeviceSocket? { state.withLock { $0.sockets[device] } }

    /// The connected ones of these devices.
    func online(_ devices: [Device.ID]) -> Set<Device.ID> {
        state.withLock { state in Set(devices.filter { state.sockets[$0] != nil }) }
    }

    /// True if a device numbers received messages: on its open line, else on its last one.
    ///
    /// Called in the transaction that stores a message: an opening that changes the result is a later transaction, which converts the
    /// waiting messages to the form of the new line.
    func numbers(_ device: Device.ID) -> Bool {
        state.withLock { $0.sockets[device]?.acknowledges ?? $0.acknowledging.contains(device) }
    }

    /// Delivers a stored message to a device's line, unless it has none or the message is overdue.
    func deliver(_ message: StoredMessage, to device: Device.ID, hasRelayKeys: Bool) -> DeviceSocket.Delivery {
        if message.isOverdue(at: now()) { return .gone }
        return self[device]?.deliver(message, hasRelayKeys: hasRelayKeys) ?? .gone
    }

    /// - Returns: The device's older socket.
    func open(_ socket: DeviceSocket) -> DeviceSocket? {
        let (older, count) = state.withLock { state in
            let older = state.sockets.updateValue(socket, forKey: socket.device.id)
            state.dueAt[state.second][ObjectIdentifier(socket)] = socket
            state.nextExpiry = min(state.nextExpiry ?? socket.expiry, socket.expiry)
            if socket.acknowledges {
                state.acknowledging.insert(socket.device.id)
            } else {
                state.acknowledging.remove(socket.device.id)
            }
            return (older, state.sockets.count)
        }
        openLines.record(count)
        return older
    }

    /// - Returns: True if the device is offline now. It is not when another socket has replaced this one.
    func close(_ socket: DeviceSocket) -> Bool {
        let (isOffline, count) = state.withLock { state in
            for second in state.dueAt.indices { state.dueAt[second][ObjectIdentifier(socket)] = nil }
            let isOffline = state.sockets[socket.device.id] === socket
            if isOffline { state.sockets[socket.device.id] = nil }
            return (isOffline, state.sockets.count)
        }
        foreground.set(socket, of: socket.device.id, until: nil)
        openLines.record(count)
        return isOffline
    }

    /// Adds a new pair to the open lines of the two devices.
    func paired(_ pairing: Pairing.ID, host: Device.ID, client: Device.ID) {
        self[host]?.add([Peer(pairing: pairing, device: client)])
        self[client]?.add([Peer(pairing: pairing, device: host)])
    }

    /// Closes the line of a removed device.
    ///
    /// - Parameter peers: The devices that were paired with it.
    func remove(_ device: Device.ID, pairedWith peers: [Device.ID]) {
        for peer in peers { self[peer]?.remove(device) }
        let socket = state.withLock { state in
            state.acknowledging.remove(device)
            return state.sockets[device]
        }
        socket?.refuse(.policyViolation, reason: SimBridgeLine.removedReason)
    }

    /// Closes the lines of an account that were opened with a token from before the latest change of its password.
    func end(of account: Account.ID, before generation: Int) {
        let ended = state.withLock { state in
            state.sockets.values.filter { $0.device.account == account && $0.generation < generation }
        }
        for socket in ended { socket.refuse(.policyViolation, reason: SimBridgeLine.tokenEndedReason) }
    }

    /// Closes the lines of a deleted account.
    ///
    /// - Parameter devices: All devices of the account.
    func delete(_ account: Account.ID, _ devices: [Device.ID]) {
        let ended = state.withLock { state in
            state.acknowledging.subtract(devices)
            return state.sockets.values.filter { $0.device.account == account }
        }
        for socket in ended { socket.refuse(.policyViolation, reason: SimBridgeLine.deletedReason) }
    }

    /// Called once a second: pings the lines whose turn it is, and closes the lines whose token has expired.
    func tick() {
        let now = self.now()
        let (due, expired) = state.withLock { state in
            state.second = (state.second + 1) % Self.pingInterval
            return (Array(state.dueAt[state.second].values), state.expired(at: now))
        }
        let dated = RelayMessage(.ping, time: RelayTime(now)).text
        for socket in due { socket.announce(socket.acknowledges ? dated : Self.ping) }
        for socket in expired { socket.refuse(.policyViolation, reason: SimBridgeLine.tokenEndedReason) }
    }

    private static let ping = RelayMessage(.ping).text

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let clock = ContinuousClock()
            var next = clock.now
            while true {
                // After the machine slept, one tick and not all the missed ones.
                next = max(next + .seconds(1), clock.now)
                guard (try? await clock.sleep(until: next)) != nil else { return }
                self.tick()
            }
        }
    }
}
