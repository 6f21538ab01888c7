import ServerKit
import SimBridgeWire
import WireKit

/// One device's open line: the messages written to it, in order.
///
/// ```
///   replaying ──▶ live ──▶ ended
///       │   the replay's task writes what was stored before the line was opened; later messages wait
///       └─▶ ended
/// ```
final class DeviceSocket: Sendable {
    /// The result of delivering a message to this device.
    enum Delivery: Equatable, Sendable {
        /// Passed to the connection.
        case written
        /// The replay reads it from the store, or has.
        case replayed
        /// The line has ended, or is not the one that the message was stored for.
        case gone
    }

    private enum Phase { case replaying, live, ended }

    private struct State {
        var phase = Phase.replaying
        /// True if a message was stored since the replay last read the store.
        var isBehind = false
        /// Messages that the replay does not find in the store. Written right after it.
        var held: [String] = []
        var heldBytes = 0
        var peers: [Peer] = []
        /// The highest number written.
        var writtenSeq: Int64 = 0
        var onEnded: CheckedContinuation<Void, Never>?
    }

    /// The number of messages that may wait for the end of a replay. Their bytes are limited by ``WebSocketConnection/maximumPosted``.
    private static let maximumHeld = 1000

    let device: DeviceRecord
    /// True if the line has version 2.
    let acknowledges: Bool
    /// The expiry of the token, and of the line with it.
    let expiry: Timestamp
    /// The token's ``RelayClaims/generation``.
    let generation: Int
    private let connection: WebSocketConnection
    private let state = Locked(State())

    init(_ device: DeviceRecord, acknowledges: Bool, until expiry: Timestamp, generation: Int, connection: WebSocketConnection) {
        self.device = device
        self.generation = generation
        self.expiry = expiry
        self.acknowledges = acknowledges
        self.connection = connection
    }

    // MARK: Pairs

    /// In the order of pairing.
    var peers: [Peer] { state.withLock { $0.peers } }

    func add(_ peers: [Peer]) {
        state.withLock { state in
            let known = Set(state.peers)
            state.peers = (state.peers + peers.filter { !known.contains($0) }).sorted { $0.pairing < $1.pairing }
        }
    }

    func remove(_ peer: Device.ID) { state.withLock { $0.peers.removeAll { $0.device == peer } } }

    func isPaired(with device: Device.ID) -> Bool { state.withLock { $0.peers.contains { $0.device == device } } }

    // MARK: Writing

    /// True if a message is written at once.
    var isLive: Bool { state.withLock { $0.phase == .live } }

    /// Writes one stored message, in the order of the calls.
    func deliver(_ message: StoredMessage, hasRelayKeys: Bool) -> Delivery {
        let text = ForwardedText.make(message, isNumbered: acknowledges, hasRelayKeys: hasRelayKeys)
        return state.withLock { state in
            switch state.phase {
            case .ended: return .gone
            // Stored before this line was opened; the opening numbers the waiting messages.
            case .replaying where message.state == .accepted, .replaying where acknowledges && message.seq != nil:
                state.isBehind = true
                return .replayed
            // A command by REST relies on the queue, and takes its turn there.
            case .replaying where message.from == nil: return .gone
            case .replaying:
                let bytes = state.heldBytes + text.utf8.count
                guard state.held.count < Self.maximumHeld, bytes <= WebSocketConnection.maximumPosted else { return .gone }
                state.held.append(text)
                state.heldBytes = bytes
                return .written
            case .live:
                guard acknowledges, let seq = message.seq else { return post(text) ? .written : .gone }
                // The store had it before this call: the replay may have read it there.
                if seq <= state.writtenSeq { return .replayed }
                guard post(text) else { return .gone }
                state.writtenSeq = seq
                return .written
            }
        }
    }

    /// Writes a message of the relay itself.
    func announce(_ text: String) {
        state.withLock { state in
            switch state.phase {
            case .ended: break
            // A ping or the notice that a device left: of no use before `connected`.
            case .replaying: break
            case .live: _ = post(text)
            }
        }
    }

    /// Answers a message of the device.
    func answer(_ text: String) { _ = post(text) }

    private func post(_ text: String) -> Bool {
        if connection.post(text) { return true }
        // A client that does not read must not cost others memory. After a reconnect it gets what is stored for it.
        connection.close(.policyViolation, reason: "Too slow")
        return false
    }

    // MARK: Replay

    /// Writes one message of the replay, and waits while the client does not read.
    func replay(_ message: StoredMessage) async throws {
        // Before the device can acknowledge it.
        if acknowledges, let seq = message.seq { state.withLock { $0.writtenSeq = max($0.writtenSeq, seq) } }
        let hasRelayKeys = ForwardedText.mayHaveRelayKeys(message.payload)
        try await connection.send(ForwardedText.make(message, isNumbered: acknowledges, hasRelayKeys: hasRelayKeys))
    }

    func replay(_ message: RelayMessage) async throws { try await connection.send(message.text) }

    /// Ends the replay, unless a message was stored since it last read the store.
    func goLive(at now: Timestamp) -> Bool {
        state.withLock { state in
            if state.phase == .ended { return true }
            if state.isBehind {
                state.isBehind = false
                return false
            }
            state.phase = .live
            _ = post(RelayMessage(.connected(device.id), time: acknowledges ? RelayTime(now) : nil).text)
            for text in state.held { _ = post(text) }
            (state.held, state.heldBytes) = ([], 0)
            return true
        }
    }

    /// True if the message with this number was written on this connection, or acknowledged before it.
    func hasWritten(_ seq: Int64) -> Bool { state.withLock { seq <= $0.writtenSeq } }

    /// The number up to which an acknowledgement of `seq` counts: at most the highest one written.
    func acknowledged(_ seq: Int64) -> Int64 { state.withLock { min(seq, $0.writtenSeq) } }

    // MARK: Ending

    /// Closes the line because another socket of the same device was opened.
    func replace() { connection.close(.policyViolation, reason: SimBridgeLine.replacedReason) }

    func refuse(_ code: WebSocketCloseCode, reason: String) { connection.close(code, reason: reason) }

    func end() {
        let onEnded = state.withLock { state in
            state.phase = .ended
            defer { state.onEnded = nil }
            return state.onEnded
        }
        onEnded?.resume()
    }

    /// Waits until this line writes nothing any more. Called once, by the line that replaces it.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if state.phase != .ended { state.onEnded = continuation }
                return state.phase == .ended
            }
            if isEnded { continuation.resume() }
        }
    }
}
