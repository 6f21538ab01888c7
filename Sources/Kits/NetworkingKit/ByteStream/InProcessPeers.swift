import Foundation
import WireKit

/// Peers within one process, without a network: streams in memory, with back-pressure.
///
///     let peers = InProcessPeers()
///     let host = peers.peer(hostKey), phone = peers.peer(phoneKey)
///
/// Keys are not verified here: the caller names them.
package final class InProcessPeers: Sendable {
    fileprivate typealias Arrival = @Sendable (InProcessStream) -> Void

    fileprivate struct State {
        var acceptors: [PeerKey: Arrival] = [:]
        var topics: [PeerTopic: [PeerKey]] = [:]
    }

    fileprivate let state = Locked(State())
    fileprivate let capacity: Int

    /// - Parameter capacity: Maximum unread bytes before a write waits.
    package init(capacity: Int = 262_144) { self.capacity = capacity }

    /// Returns the dialler and acceptor with a key.
    package func peer(_ key: PeerKey) -> InProcessPeer { InProcessPeer(ownKey: key, peers: self) }
}

/// A peer of ``InProcessPeers``.
package struct InProcessPeer: ByteStreamDialler, ByteStreamAcceptor {
    package let ownKey: PeerKey
    fileprivate let peers: InProcessPeers

    package func dial(_ destination: DialDestination, onHop: @escaping @Sendable (DialHop) -> Void) async throws -> any ByteStream {
        try Task.checkCancellation()
        onHop(.lookup)
        let found = peers.state.withLock { state -> (PeerKey, InProcessPeers.Arrival)? in
            let candidates =
                switch destination {
                case .key(let key): [key]
                case .topic(let topic): state.topics[topic] ?? []
                }
            for key in candidates where key != ownKey {
                if let arrival = state.acceptors[key] { return (key, arrival) }
            }
            return nil
        }
        guard let (remoteKey, arrival) = found else { throw DialError(.notFound, at: .lookup) }
        onHop(.handshake)
        onHop(.stream)
        let (up, down) = (InProcessPipe(capacity: peers.capacity), InProcessPipe(capacity: peers.capacity))
        arrival(InProcessStream(remoteKey: ownKey, incoming: up, outgoing: down))
        return InProcessStream(remoteKey: remoteKey, incoming: down, outgoing: up)
    }

    package func accept(
        topics: [PeerTopic], onState: @escaping @Sendable (AnnouncementState) -> Void,
        _ handle: @escaping @Sendable (any ByteStream) async -> Void
    ) async throws {
        onState(.announcing)
        // Holds the streams whose task has not begun yet.
        let (arrivals, continuation) = AsyncStream.makeStream(of: InProcessStream.self)
        let isNew = peers.state.withLock { state in
            guard state.acceptors[ownKey] == nil else { return false }
            state.acceptors[ownKey] = { continuation.yield($0) }
            for topic in topics { state.topics[topic, default: []].append(ownKey) }
            return true
        }
        guard isNew else { throw DialError(.closed, at: .lookup, "this key accepts already") }
        onState(.announced)
        await withDiscardingTaskGroup { group in
            for await stream in arrivals {
                group.addTask { await handle(stream) }
            }
            peers.state.withLock { state in
                state.acceptors[ownKey] = nil
                for topic in topics { state.topics[topic]?.removeAll { $0 == ownKey } }
            }
            group.cancelAll()
        }
    }
}

private final class InProcessStream: ByteStream {
    let remoteKey: PeerKey
    private let incoming: InProcessPipe
    private let outgoing: InProcessPipe

    init(remoteKey: PeerKey, incoming: InProcessPipe, outgoing: InProcessPipe) {
        self.remoteKey = remoteKey
        self.incoming = incoming
        self.outgoing = outgoing
    }

    deinit { close() }

    func read() async throws -> Data? { try await incoming.read() }
    func write(_ bytes: Data) async throws { try await outgoing.write(bytes) }
    func finish() { outgoing.finish() }

    func close() {
        incoming.close()
        outgoing.close()
    }
}

/// One direction of an in-process stream.
private final class InProcessPipe: Sendable {
    private struct State {
        var unread = Data()
        var isFinished = false
        var isClosed = false
        var reader: CheckedContinuation<Void, Never>?
        var writers: [CheckedContinuation<Void, Never>] = []

        /// Removes and returns the waiting reader and writers, which check the state again once they are resumed.
        mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
            defer { (reader, writers) = (nil, []) }
            return writers + [reader].compactMap { $0 }
        }
    }

    private let state = Locked(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    func read() async throws -> Data? {
        while true {
            try Task.checkCancellation()
            enum Outcome { case bytes(Data), end, closed, wait }
            let (outcome, waiters) = state.withLock { state -> (Outcome, [CheckedContinuation<Void, Never>]) in
                if !state.unread.isEmpty, !state.isClosed || state.isFinished {
                    defer { state.unread = Data() }
                    return (.bytes(state.unread), state.takeWaiters())
                }
                if state.isFinished { return (.end, []) }
                return (state.isClosed ? .closed : .wait, [])
            }
            for waiter in waiters { waiter.resume() }
            switch outcome {
            case .bytes(let bytes): return bytes
            case .end: return nil
            case .closed: throw TransportError(.ended, "the stream is closed")
            case .wait:
                await wait {
                    $0.unread.isEmpty && !$0.isFinished && !$0.isClosed
                } enqueue: {
                    $0.reader = $1
                }
            }
        }
    }

    func write(_ bytes: Data) async throws {
        try Task.checkCancellation()
        let (isOpen, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            guard !state.isFinished, !state.isClosed else { return (false, []) }
            state.unread += bytes
            defer { state.reader = nil }
            return (true, [state.reader].compactMap { $0 })
        }
        for waiter in waiters { waiter.resume() }
        guard isOpen else { throw TransportError(.ended, "the stream is closed") }
        while state.withLock({ $0.unread.count > capacity && !$0.isClosed }) {
            try Task.checkCancellation()
            await wait { [capacity] in
                $0.unread.count > capacity && !$0.isClosed
            } enqueue: {
                $0.writers.append($1)
            }
        }
    }

    func finish() {
        let waiters = state.withLock { state in
            if !state.isClosed { state.isFinished = true }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    private func wait(
        while isBlocked: @escaping @Sendable (State) -> Bool,
        enqueue: @escaping @Sendable (inout State, CheckedContinuation<Void, Never>) -> Void
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    guard isBlocked(state), !Task.isCancelled else { return false }
                    enqueue(&state, continuation)
                    return true
                }
                if !isWaiting { continuation.resume() }
            }
        } onCancel: {
            // All waiters check the state again; the cancelled one throws.
            for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
        }
    }
}
