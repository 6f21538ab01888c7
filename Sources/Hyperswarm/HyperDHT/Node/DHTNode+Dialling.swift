public import CompactEncoding
public import CryptoPrimitives
import DHTRPC
import NIOCore
import Noise
import UDX

extension DHTNode {
    /// Connects to the peer with a public key.
    ///
    /// One dial between two keys runs at a time, since a peer keeps only one of two simultaneous connections. A further dial begins
    /// when the earlier one has failed, and fails with `superseded` when the earlier one has connected.
    ///
    /// - Parameters:
    ///   - relayAddresses: Nodes that may relay to the peer, from a record under a topic. A search for other relays runs meanwhile.
    ///   - keyPair: The identity to use; that of the configuration by default.
    ///   - relayThrough: The key of a blind relay, used according to ``NodeConfiguration/relayUse``; the configured one by default.
    ///   - onHop: Called on the event loop with each step when it begins. A later relay can lead back to an earlier step.
    /// - Returns: A connection on which the peer's encrypted stream has begun.
    /// - Throws: ``ConnectError``, whose code names the hop that failed. A cancelled task gets `closed`.
    public func connect(
        to publicKey: PublicKey, relayAddresses: [PeerAddress] = [], keyPair: KeyPair? = nil, relayThrough: PublicKey? = nil,
        onHop: (@Sendable (ConnectHop) -> Void)? = nil
    ) async throws(ConnectError) -> PeerConnection {
        let gate = DialGate(own: (keyPair ?? configuration.keyPair).publicKey, peer: publicKey)
        try await enter(gate)
        do throws(ConnectError) {
            let connection = try await connectOnce(
                to: publicKey, relayAddresses: relayAddresses, keyPair: keyPair, relayThrough: relayThrough, onHop: onHop)
            leave(gate, isConnected: true)
            return connection
        } catch {
            leave(gate, isConnected: false)
            throw error
        }
    }

    /// Waits until no other dial between the two keys is in progress.
    private func enter(_ gate: DialGate) async throws(ConnectError) {
        guard let waiting = dialGates[gate] else {
            dialGates[gate] = []
            return
        }
        guard waiting.count < DHTNode.maximumWaitingDialCount else { throw ConnectError(.closed, "too many dials at once") }
        let isConnected: Bool
        do {
            isConnected = try await EventLoopWaiter<Bool>.wait(on: eventLoop) { waiter in
                self.onEventLoop { $0.dialGates[gate, default: []].append(waiter) }
                waiter.setCancelHandler { self.onEventLoop { $0.dialGates[gate]?.removeAll { $0 === waiter } } }
            }
        } catch {
            throw ConnectError(.closed, "cancelled")
        }
        guard !isConnected else { throw ConnectError(.superseded) }
    }

    private func leave(_ gate: DialGate, isConnected: Bool) {
        var waiting = dialGates.removeValue(forKey: gate) ?? []
        if isConnected || waiting.isEmpty {
            for waiter in waiting { waiter.complete(.success(true)) }
        } else {
            // The next waiting dial takes the gate.
            let next = waiting.removeFirst()
            dialGates[gate] = waiting
            next.complete(.success(false))
        }
    }

    private func connectOnce(
        to publicKey: PublicKey, relayAddresses: [PeerAddress], keyPair: KeyPair?, relayThrough: PublicKey?,
        onHop: (@Sendable (ConnectHop) -> Void)?
    ) async throws(ConnectError) -> PeerConnection {
        let relay = relayThrough ?? configuration.relayThrough
        let punchesHoles = configuration.relayUse != .only
        guard let relay, relay != publicKey else {
            return try await dial(
                publicKey, relayAddresses: relayAddresses, keyPair: keyPair, punchesHoles: punchesHoles, onHop: onHop)
        }
        if configuration.relayUse == .whenNeeded, await sampleAddress() != .random {
            do throws(ConnectError) {
                return try await dial(publicKey, relayAddresses: relayAddresses, keyPair: keyPair, onHop: onHop)
            } catch {
                guard error.code == .holePunchFailed else { throw error }
            }
        }
        return try await dial(
            publicKey, relayAddresses: relayAddresses, keyPair: keyPair, relayThrough: relay, punchesHoles: punchesHoles,
            onHop: onHop)
    }

    /// Makes one attempt to connect.
    func dial(
        _ publicKey: PublicKey, relayAddresses: [PeerAddress] = [], keyPair: KeyPair? = nil, relayThrough: PublicKey? = nil,
        punchesHoles: Bool = true, onHop: (@Sendable (ConnectHop) -> Void)? = nil
    ) async throws(ConnectError) -> PeerConnection {
        guard !isClosed else { throw ConnectError(.closed) }
        // The relays of an earlier connection may no longer answer, so only one of them is tried.
        let knownRelays = relayAddresses.isEmpty ? Array((relayCache[publicKey] ?? []).prefix(1)) : relayAddresses
        guard attempts.count < DHTNode.maximumDialCount else { throw ConnectError(.closed, "too many dials at once") }
        let stream: UDXStream
        do { stream = try makeStream() } catch { throw ConnectError(.closed, "\(error)") }
        let attempt: ConnectAttempt
        do {
            var settings = ConnectAttempt.Configuration(
                keyPair: keyPair ?? configuration.keyPair, remotePublicKey: publicKey, streamID: stream.localID)
            settings.firewall = isOpen ? .open : .unknown
            settings.localAddresses = localAddresses
            settings.publicAddress = openAddress ?? publicAddress.flatMap { $0.port == 0 ? nil : $0 }
            settings.punchesHoles = punchesHoles
            settings.hasKnownRelays = !knownRelays.isEmpty
            settings.relayThrough = relayThrough.map { NoisePayload.RelayThrough(publicKey: $0, token: RandomBytes.make(32)) }
            let id = stream.localID
            settings.admitsRandomPunch = { [weak self] in
                self?.onEventLoop { node in
                    guard let dial = node.attempts[id], node.randomPunches.begin(now: node.now) else { return false }
                    dial.holdsRandomPunch = true
                    return true
                } ?? false
            }
            attempt = try ConnectAttempt(settings)
        } catch {
            stream.onEventLoop { $0.destroy() }
            throw error
        }
        let dial = DialTask(stream: stream, target: DHTKey(hashing: publicKey.bytes), attempt: attempt)
        dial.onHop = onHop
        reportHop(dial)
        let id = stream.localID
        attempts[id] = dial
        listenForFirstPacket(of: stream) { node, source, socket in
            guard let dial = node.attempts[id] else { return false }
            node.perform(dial.attempt.packetReceived(from: source, socket: socket, now: node.now), dial)
            return true
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                dial.continuation = continuation
                // Sampled early, so that the hole punch does not wait for the result.
                if !isOpen { perform(.sampleAddress, dial) }
                search(for: publicKey, relayAddresses: knownRelays, dial)
                if Task.isCancelled { fail(dial, ConnectError(.closed, "cancelled")) }
            }
        } onCancel: {
            eventLoop.execute {
                self.onEventLoop { node in
                    if let dial = node.attempts[id] { node.fail(dial, ConnectError(.closed, "cancelled")) }
                }
            }
        }
        return try result.get()
    }

    /// Calls `accept` with the source of packets for a stream until the stream has a connection of its own.
    func listenForFirstPacket(
        of stream: UDXStream, _ accept: @escaping @Sendable (isolated DHTNode, PeerAddress, SocketID) -> Bool
    ) {
        stream.onEventLoop { stream in
            stream.setForeignPacketHandler { [weak self] source, socket in
                guard let self else { return false }
                return self.onEventLoop { node in
                    guard let id = node.socketID(of: socket) else { return false }
                    return accept(node, source, id)
                }
            }
        }
    }

    func search(for publicKey: PublicKey, relayAddresses: [PeerAddress], _ dial: DialTask) {
        let id = dial.stream.localID
        perform(dial.attempt.addRelays(relayAddresses), dial)
        let directory = directory
        dial.search = Task { [weak self] in
            var failure: ConnectError?
            do throws(RPCError) {
                _ = try await directory.findPeer(publicKey) { [weak self] reply in
                    self?.onEventLoop { node in
                        guard let dial = node.attempts[id] else { return false }
                        node.perform(dial.attempt.addRelays([reply.from]), dial)
                        return dial.attempt.isSearching
                    } ?? false
                }
            } catch {
                failure = ConnectError(error.code == .noBootstrapNode ? .noBootstrapNode : .closed, error.detail)
            }
            await self?.searchEnded(id, failure)
        }
    }

    func searchEnded(_ id: UInt32, _ error: ConnectError?) {
        guard let dial = attempts[id] else { return }
        perform(dial.attempt.relaySearchEnded(error: error), dial)
    }

    /// Reports the step in progress to the caller of a dial, if the step changed.
    private func reportHop(_ dial: DialTask) {
        guard let hop = dial.attempt.hop, hop != dial.lastHop else { return }
        dial.lastHop = hop
        dial.onHop?(hop)
    }

    func perform(_ actions: [ConnectAttempt.Action], _ dial: DialTask) {
        reportHop(dial)
        for action in actions where attempts[dial.stream.localID] === dial { perform(action, dial) }
        if dial.isDelivered, !dial.attempt.mayMove { return conclude(dial) }
        endRandomPunch(dial)
        schedule(dial)
    }

    func perform(_ action: ConnectAttempt.Action, _ dial: DialTask) {
        let id = dial.stream.localID
        switch action {
        case .requestHandshake(let relay, let value):
            request(.peerHandshake, to: relay, value: value, dial) { node, dial, reply in
                let actions =
                    if let reply {
                        dial.attempt.handshakeAnswered(by: relay, value: reply.value, ownAddress: reply.to, now: node.now)
                    } else { dial.attempt.handshakeTimedOut(at: relay) }
                node.perform(actions, dial)
            }
        case .requestHolepunch(let relay, let value, let round):
            request(.peerHolepunch, to: relay, value: value, dial) { node, dial, reply in
                let actions =
                    if let reply { dial.attempt.holepunchAnswered(value: reply.value, round: round, now: node.now) } else {
                        dial.attempt.holepunchTimedOut(round: round)
                    }
                node.perform(actions, dial)
            }
        case .ping(let address):
            rpc.onEventLoop { rpc in
                _ = rpc.startRequest(.ping, to: address, maximumSends: 2) { [weak self] result in
                    self?.onEventLoop { node in
                        guard let dial = node.attempts[id] else { return }
                        if case .success = result {
                            node.perform(dial.attempt.pingAnswered(by: address, now: node.now), dial)
                        } else {
                            node.perform(dial.attempt.pingTimedOut(address), dial)
                        }
                    }
                }
            }
        case .probe(let address, let socket, let timeToLive):
            sendProbe(to: address, socket: socket, timeToLive: timeToLive)
        case .openSockets(let count):
            dial.socketTask = openSockets(count) { [weak self] sockets in
                self?.onEventLoop { node in
                    guard let dial = node.attempts[id] else { return node.closeSockets(sockets, except: nil) }
                    dial.sockets += sockets
                    dial.attempt.add(sockets)
                }
            }
        case .sampleAddress:
            sample { [weak self] in
                self?.onEventLoop { node in
                    guard let dial = node.attempts[id] else { return }
                    node.perform(dial.attempt.sampled(node.firewall, addresses: node.nat.addresses, now: node.now), dial)
                }
            }
        case .pair(let through, let isInitiator):
            dial.relay = through.publicKey
            dial.relayTask = pair(through, isInitiator: isInitiator, streamID: id) { node, path in
                guard let dial = node.attempts[id] else { return }
                node.perform(dial.attempt.relayPaired(path, now: node.now), dial)
            } onEnd: { node, error in
                guard let dial = node.attempts[id] else { return }
                node.perform(dial.attempt.relayFailed(error), dial)
            }
        case .connectStream(let remoteID, let address, let socket, let result):
            connectStream(dial, remoteID: remoteID, to: address, socket: socket, result)
        case .changeRemote(let remoteID, let address, let socket):
            guard let socket = sockets[socket] else { return }
            leaveRelay(dial.stream, remoteID: remoteID, to: address, on: socket)
            relayedConnections.removeValue(forKey: id)?.onEventLoop { $0.leaveRelay() }
        case .fail(let error):
            fail(dial, error)
        }
    }

    func request(
        _ command: Command, to relay: PeerAddress, value: [UInt8], _ dial: DialTask,
        _ completion: @escaping @Sendable (isolated DHTNode, DialTask, RPCReply?) -> Void
    ) {
        let id = dial.stream.localID
        rpc.onEventLoop { rpc in
            _ = rpc.startRequest(command.rpc, to: relay, target: dial.target, value: value) { [weak self] result in
                self?.onEventLoop { node in
                    guard let dial = node.attempts[id] else { return }
                    completion(node, dial, try? result.get())
                }
            }
        }
    }

    func connectStream(
        _ dial: DialTask, remoteID: UInt32, to address: PeerAddress, socket: SocketID, _ result: NoiseHandshake.Result
    ) {
        guard let socket = sockets[socket] else { return fail(dial, ConnectError(.streamFailed, "the socket is closed")) }
        let id = dial.stream.localID
        dial.search?.cancel()
        dial.stream.onEventLoop { $0.connect(remoteID: remoteID, to: address, on: socket) }
        var relay: (task: Task<Void, Never>, key: PublicKey)?
        if dial.attempt.isRelayed, let task = dial.relayTask, let key = dial.relay { relay = (task, key) }
        let connection = makeConnection(dial.stream, result, relay: relay)
        dial.opening = Task { [weak self] in
            do {
                try await connection.open()
                await self?.opened(id, connection)
            } catch {
                await self?.openingFailed(id, error as? ConnectError ?? ConnectError(.closed, "\(error)"))
            }
        }
    }

    func opened(_ id: UInt32, _ connection: PeerConnection) {
        guard let dial = attempts[id] else { return connection.onEventLoop { $0.destroy() } }
        dial.attempt.headerReceived()
        remember(dial.attempt.peerRelayAddresses, of: connection.remotePublicKey)
        guard dial.attempt.mayMove else { return finish(dial, .success(connection)) }
        dial.isDelivered = true
        dial.continuation?.resume(returning: .success(connection))
        dial.continuation = nil
        schedule(dial)
        connection.onEventLoop { connection in
            connection.onClose { [weak self] _ in
                self?.onEventLoop { node in
                    if let dial = node.attempts[id], dial.isDelivered { node.conclude(dial) }
                }
            }
        }
    }

    /// Ends the hole punch for a connection on a blind relay: the stream has moved or is over, or no path was found.
    private func conclude(_ dial: DialTask) {
        guard attempts[dial.stream.localID] === dial else { return }
        // The delivered connection ends the connection to its relay.
        dial.relayTask = nil
        finish(dial, nil)
    }

    private func remember(_ relays: [PeerAddress], of peer: PublicKey) {
        guard !relays.isEmpty else { return }
        // Any entry may be evicted: a search finds the relays again.
        if relayCache.count >= DHTNode.maximumRelayCacheCount, let oldest = relayCache.keys.first { relayCache[oldest] = nil }
        relayCache[peer] = relays
    }

    func openingFailed(_ id: UInt32, _ error: ConnectError) {
        guard let dial = attempts[id] else { return }
        perform(dial.attempt.streamClosed(error), dial)
    }

    func fail(_ dial: DialTask, _ error: ConnectError) {
        guard attempts[dial.stream.localID] === dial else { return }
        guard !dial.isDelivered else { return conclude(dial) }
        dial.stream.onEventLoop { $0.destroy() }
        finish(dial, .failure(error))
    }

    /// - Parameter result: `nil` for a dial whose caller already has the connection.
    func finish(_ dial: DialTask, _ result: Result<PeerConnection, ConnectError>?) {
        attempts[dial.stream.localID] = nil
        dial.timer?.cancel()
        dial.search?.cancel()
        dial.socketTask?.cancel()
        if case .failure = result { dial.opening?.cancel() }
        if case .success = result, dial.attempt.isRelayed {} else { dial.relayTask?.cancel() }
        endRandomPunch(dial)
        // Packets from elsewhere than the chosen path are dropped from now on.
        dial.stream.onEventLoop { $0.setForeignPacketHandler { _, _ in false } }
        closeSockets(dial.sockets, except: dial.stream.onEventLoop { $0.socket })
        if let result { dial.continuation?.resume(returning: result) }
        dial.continuation = nil
    }

    /// Releases the permission to guess ports once this dial no longer guesses.
    private func endRandomPunch(_ dial: DialTask) {
        let isOver = attempts[dial.stream.localID] !== dial || !dial.attempt.isGuessingPorts
        guard dial.holdsRandomPunch, isOver else { return }
        dial.holdsRandomPunch = false
        randomPunches.end()
    }

    func schedule(_ dial: DialTask) {
        let id = dial.stream.localID
        dial.timer?.cancel()
        dial.timer = nil
        guard attempts[id] === dial, let deadline = dial.attempt.deadline else { return }
        dial.timer = eventLoop.scheduleTask(in: .nanoseconds(max(.zero, deadline - now).wholeNanoseconds)) { [weak self] in
            self?.onEventLoop { node in
                guard let dial = node.attempts[id] else { return }
                node.perform(dial.attempt.advance(to: node.now), dial)
            }
        }
    }
}

/// The two keys of a dial.
struct DialGate: Hashable, Sendable {
    var own: PublicKey
    var peer: PublicKey
}
