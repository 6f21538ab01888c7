import NIOConcurrencyHelpers
import ServerKit
import SimBridgeWire
import WireKit

/// One device's open line: what is written to it, and in which order.
///
/// ```
///   replaying ──▶ live ──▶ ended
///       │   everything stored before the line was opened is written by its own task, what comes meanwhile waits
///       └─▶ ended
/// ```
final class DeviceSocket: Sendable {
    /// What became of a message for this device.
    enum Delivery: Equatable, Sendable {
        /// Handed to the connection.
        case written
        /// The replay reads it from the store, or has.
        case replayed
        /// The line has ended, or is another than the one that it was stored for.
        case gone
    }

    private enum Phase { case replaying, live, ended }

    private struct State {
        var phase = Phase.replaying
        /// Whether something was stored since the replay last looked.
        var isBehind = false
        /// Not in the store for the replay to find: written right after it.
        var held: [String] = []
        var heldBytes = 0
        var peers: [Peer] = []
        /// The highest number written.
        var writtenSeq: Int64 = 0
        var onEnded: CheckedContinuation<Void, Never>?
    }

    /// Messages that may wait for the end of a replay, of ``WebSocketConnection/maximumPosted`` bytes: they are posted then.
    private static let maximumHeld = 1000

    let device: DeviceRecord
    /// Whether the line has version 2.
    let isKeeper: Bool
    /// When its token ends, and the line with it.
    let expiry: Timestamp
    /// That of the token (``RelayClaims/generation``).
    let generation: Int
    private let connection: WebSocketConnection
    private let state = NIOLockedValueBox(State())

    init(_ device: DeviceRecord, isKeeper: Bool, until expiry: Timestamp, generation: Int, connection: WebSocketConnection) {
        self.device = device
        self.generation = generation
        self.expiry = expiry
        self.isKeeper = isKeeper
        self.connection = connection
    }

    // MARK: Who it is paired with

    /// The first one paired first.
    var peers: [Peer] { state.withLockedValue { $0.peers } }

    func add(_ peers: [Peer]) {
        state.withLockedValue { state in
            let known = Set(state.peers)
            state.peers = (state.peers + peers.filter { !known.contains($0) }).sorted { $0.pairing < $1.pairing }
        }
    }

    func remove(_ peer: Device.ID) { state.withLockedValue { $0.peers.removeAll { $0.device == peer } } }

    func isPaired(with device: Device.ID) -> Bool { state.withLockedValue { $0.peers.contains { $0.device == device } } }

    // MARK: Writing

    /// Whether a message for it is written at once.
    var isLive: Bool { state.withLockedValue { $0.phase == .live } }

    /// Hands over one stored message, in the order of the calls.
    func deliver(_ message: StoredMessage, hasRelayKeys: Bool) -> Delivery {
        let text = text(of: message, hasRelayKeys: hasRelayKeys)
        return state.withLockedValue { state in
            switch state.phase {
            case .ended: return .gone
            // Stored before the opening of this line, which numbers what waits.
            case .replaying where message.state == .accepted, .replaying where isKeeper && message.seq != nil:
                state.isBehind = true
                return .replayed
            // A command by REST counts on the queue, and takes its place there.
            case .replaying where message.from == nil: return .gone
            case .replaying:
                let bytes = state.heldBytes + text.utf8.count
                guard state.held.count < Self.maximumHeld, bytes <= WebSocketConnection.maximumPosted else { return .gone }
                state.held.append(text)
                state.heldBytes = bytes
                return .written
            case .live:
                guard isKeeper, let seq = message.seq else { return post(text) ? .written : .gone }
                // The store had it before this call: the replay may have read it there.
                if seq <= state.writtenSeq { return .replayed }
                guard post(text) else { return .gone }
                state.writtenSeq = seq
                return .written
            }
        }
    }

    /// Writes what the relay itself has to say.
    func tell(_ text: String) {
        state.withLockedValue { state in
            switch state.phase {
            case .ended: break
            // A ping or the news that somebody left: before `connected` nobody waits for it.
            case .replaying: break
            case .live: _ = post(text)
            }
        }
    }

    /// Answers what the device itself has written.
    func answer(_ text: String) { _ = post(text) }

    private func post(_ text: String) -> Bool {
        if connection.post(text) { return true }
        // Whoever does not read costs nobody but himself: he may come back, and is told what he missed where that is kept.
        connection.close(.policyViolation, reason: "Too slow")
        return false
    }

    // MARK: Replay

    /// Writes one message of the replay, and waits while the peer is not reading.
    func replay(_ message: StoredMessage) async throws {
        // Before the device can acknowledge it.
        if isKeeper, let seq = message.seq { state.withLockedValue { $0.writtenSeq = max($0.writtenSeq, seq) } }
        try await connection.send(text(of: message, hasRelayKeys: ForwardedText.mayHaveRelayKeys(message.payload)))
    }

    func replay(_ message: RelayMessage) async throws { try await connection.send(message.text) }

    /// Ends the replay, unless something was stored since it last looked.
    func goLive(at now: Timestamp) -> Bool {
        state.withLockedValue { state in
            if state.phase == .ended { return true }
            if state.isBehind {
                state.isBehind = false
                return false
            }
            state.phase = .live
            _ = post(RelayMessage(.connected(device.id), time: isKeeper ? RelayTime(now) : nil).text)
            for text in state.held { _ = post(text) }
            (state.held, state.heldBytes) = ([], 0)
            return true
        }
    }

    /// Whether the message with this number has been written on this line, or had been acknowledged before.
    func hasWritten(_ seq: Int64) -> Bool { state.withLockedValue { seq <= $0.writtenSeq } }

    /// What an acknowledgement of `seq` can mean: no more than what was written.
    func acknowledged(_ seq: Int64) -> Int64 { state.withLockedValue { min(seq, $0.writtenSeq) } }

    private func text(of message: StoredMessage, hasRelayKeys: Bool) -> String {
        ForwardedText.make(message.payload, from: message.from, seq: isKeeper ? message.seq : nil, hasRelayKeys: hasRelayKeys)
    }

    // MARK: Ending

    /// Another socket of the same device has come.
    func replace() { connection.close(.policyViolation, reason: SimBridgeLine.replacedReason) }

    func refuse(_ code: WebSocketCloseCode, reason: String) { connection.close(code, reason: reason) }

    func end() {
        let onEnded = state.withLockedValue { state in
            state.phase = .ended
            defer { state.onEnded = nil }
            return state.onEnded
        }
        onEnded?.resume()
    }

    /// Waits until nothing is written by this line any more. To be called once, by the one that replaces it.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLockedValue { state in
                if state.phase != .ended { state.onEnded = continuation }
                return state.phase == .ended
            }
            if isEnded { continuation.resume() }
        }
    }
}
