package import LocalLLMWire
package import NetworkingKit
import WireKit

/// One attempt to open a stream to a host: to its key, and to the peers announced under its topic.
///
/// ```
///    0 s   key ────────▶ peer ─▶ stream: the handshake proved the Server ID
///    3 s      topic ───▶ peer ─▶ stream: the peer's key may be the Server ID, or any other
///   10 s   no peer: HOST_OFFLINE
/// ```
///
/// The lookup of the topic begins when no peer is found under the key, or when the lookup of the key is slow. Until the lookup of
/// the key has ended, a stream to any other key waits, so that a faster peer is not preferred to the proven host.
package struct HostDial: Sendable {
    /// The time after which the topic is looked up beside the key.
    private static let slowLookup = Duration.seconds(3)
    /// Maximum time for the network to name a peer.
    private static let lookupTimeout = Duration.seconds(10)

    private enum Way: Sendable { case key, topic }

    private enum Event: Sendable {
        case connected(any ByteStream, by: Way)
        case failed(any Error, by: Way)
        case lookupIsSlow
        case lookupTimedOut
    }

    let id: ServerID
    let dialler: any ByteStreamDialler
    let clock: any Clock<Duration>
    let onHop: @Sendable (DialHop) -> Void

    package init(
        id: ServerID, dialler: any ByteStreamDialler, clock: any Clock<Duration>, onHop: @escaping @Sendable (DialHop) -> Void
    ) {
        (self.id, self.dialler, self.clock, self.onHop) = (id, dialler, clock, onHop)
    }

    /// - Throws: ``ChatProblem``; `CancellationError`.
    package func run(within timeout: Duration) async throws -> any ByteStream {
        do {
            return try await withTimeout(timeout, clock: clock) { try await connect() }
        } catch let error as DialError {
            throw ChatProblem(error)
        } catch let error as TransportError {
            throw ChatProblem(.connectFailed, .unreachable, message: error.detail)
        }
    }

    private func connect() async throws -> any ByteStream {
        guard let key = PeerKey(id.bytes) else { throw ChatProblem(.invalidServerID) }
        let hops = Locked<[Way: DialHop]>([:])
        return try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await clock.sleep(for: Self.slowLookup)
                return .lookupIsSlow
            }
            group.addTask {
                try await clock.sleep(for: Self.lookupTimeout)
                return .lookupTimedOut
            }
            func isLookingUp(_ way: Way) -> Bool { hops.withLock { $0[way] } == .lookup }
            func begin(_ way: Way, _ group: inout ThrowingTaskGroup<Event, any Error>) {
                guard hops.withLock({ $0.updateValue(.lookup, forKey: way) }) == nil else { return }
                group.addTask { await dial(way == .key ? .key(key) : .topic(PeerTopic(key)), by: way, hops) }
            }
            begin(.key, &group)
            // True while the host may still be found under its key.
            var isKeyOpen = true
            var topicError: (any Error)?
            // A stream to a peer whose key is not the Server ID.
            var unproven: (any ByteStream)?
            while let event = try await group.next() {
                switch event {
                case .connected(let stream, by: .key):
                    unproven?.close()
                    return stream
                case .connected(let stream, by: .topic):
                    guard isKeyOpen, stream.remoteKey != key else { return stream }
                    unproven = stream
                case .failed(let error as DialError, by: .key) where [.notFound, .key, .superseded].contains(error.code):
                    // The topic of an older host is not a key, no peer announces it as a key, or the dial by the topic came first.
                    isKeyOpen = false
                    begin(.topic, &group)
                case .failed(let error, by: .key):
                    guard isKeyOpen else { continue }
                    unproven?.close()
                    throw error
                case .failed(let error, by: .topic):
                    topicError = error
                case .lookupIsSlow:
                    if isLookingUp(.key) { begin(.topic, &group) }
                case .lookupTimedOut:
                    if isLookingUp(.key) { isKeyOpen = false }
                    guard isKeyOpen || unproven != nil || topicError != nil || !isLookingUp(.topic) else {
                        throw DialError(.notFound, at: .lookup, "no peer within \(Self.lookupTimeout)")
                    }
                }
                guard !isKeyOpen else { continue }
                if let unproven { return unproven }
                if let topicError { throw topicError }
            }
            throw CancellationError()
        }
    }

    private func dial(_ destination: DialDestination, by way: Way, _ hops: Locked<[Way: DialHop]>) async -> Event {
        do {
            let stream = try await dialler.dial(destination) { hop in
                hops.withLock { $0[way] = hop }
                onHop(hop)
            }
            return .connected(stream, by: way)
        } catch {
            return .failed(error, by: way)
        }
    }
}

extension ChatProblem {
    package init(_ error: DialError) {
        switch error.code {
        case .notFound: self.init(.hostOffline)
        case .noIPv4: self.init(.connectFailed, .noIPv4, message: error.description)
        case .network, .closed: self.init(.connectFailed, .network, message: error.description)
        default: self.init(.connectFailed, .unreachable, message: error.description)
        }
    }
}
