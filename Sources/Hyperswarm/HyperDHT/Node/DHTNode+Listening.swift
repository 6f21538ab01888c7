import CompactEncoding
public import CryptoPrimitives
import DHTRPC
import NIOCore
import Noise
import UDX

extension DHTNode {
    /// Announces a key pair and accepts connections to it.
    ///
    /// - Parameters:
    ///   - keyPair: The server's identity; that of the configuration by default. One server per key pair.
    ///   - relayThrough: The public key of a blind relay, offered to clients according to ``NodeConfiguration/relayUse``; that of
    ///     the configuration by default.
    ///   - admits: Returns true for the key of a client to admit, before the client learns anything. Called on the event loop.
    ///   - onConnection: Receives each connection once the client's encrypted stream has begun. Called on the event loop.
    /// - Throws: ``ConnectError`` with code `closed` when the node is closed or listens with this key pair already.
    public func listen(
        keyPair: KeyPair? = nil, relayThrough: PublicKey? = nil, admits: @escaping @Sendable (PublicKey) -> Bool = { _ in true },
        onConnection: @escaping @Sendable (PeerConnection) -> Void
    ) throws(ConnectError) -> PeerServer {
        let keyPair = keyPair ?? configuration.keyPair
        let target = DHTKey(hashing: keyPair.publicKey.bytes)
        guard !isClosed, servers[target] == nil else { throw ConnectError(.closed, "closed, or this key pair listens already") }
        let announcer = Announcer(rpc: rpc, keyPair: keyPair)
        let server = ServerTask(
            publicKey: keyPair.publicKey, target: target, announcer: announcer,
            listener: makeListener(keyPair, target: target, admits: admits),
            relayThrough: relayThrough ?? configuration.relayThrough, onConnection: onConnection)
        servers[target] = server
        updateEnvironment(server)
        announcer.onEventLoop { announcer in
            announcer.setChangeHandler { [weak self] relays in
                self?.onEventLoop { node in
                    guard let server = node.servers[target] else { return }
                    server.listener.environment.relays = relays.map {
                        NoisePayload.Holepunch.Relay(relayAddress: $0.relayAddress, peerAddress: $0.peerAddress)
                    }
                    node.sampleForServers()
                }
            }
            announcer.start()
        }
        sampleForServers()
        return PeerServer(node: self, keyPair: keyPair, announcer: announcer)
    }

    private func makeListener(
        _ keyPair: KeyPair, target: DHTKey, admits: @escaping @Sendable (PublicKey) -> Bool
    ) -> HandshakeListener {
        var limits = HandshakeListener.Limits()
        limits.relayTimeout = configuration.relayTimeout
        return HandshakeListener(
            keyPair: keyPair, limits: limits,
            admitsRandomPunch: { [weak self] streamID in
                self?.onEventLoop { node in
                    guard let server = node.servers[target], node.randomPunches.begin(now: node.now) else { return false }
                    server.randomPunches.insert(streamID)
                    return true
                } ?? false
            }, admits: admits)
    }

    func stopListening(_ publicKey: PublicKey) async {
        if let server = servers[DHTKey(hashing: publicKey.bytes)] { await stop(server) }
    }

    func stop(_ server: ServerTask) async {
        servers[server.target] = nil
        server.timer?.cancel()
        for task in server.openings.values { task.cancel() }
        for task in server.socketTasks.values { task.cancel() }
        for id in server.streams.keys { server.relayTasks[id]?.task.cancel() }
        server.relayTasks = [:]
        endRandomPunches(server)
        for (id, entry) in server.streams {
            if server.accepted[id] != nil {
                settle(id, server, acceptsMove: true)
            } else {
                entry.stream.onEventLoop { $0.destroy() }
                closeSockets(server.sockets[id] ?? [], except: nil)
            }
        }
        server.streams = [:]
        await server.announcer.stop()
    }

    func updateEnvironment(_ server: ServerTask) {
        server.listener.environment.firewall = isOpen ? .open : .unknown
        server.listener.environment.sampledFirewall = firewall
        server.listener.environment.sampledAddresses = nat.addresses
        if let openAddress { server.listener.environment.sampledAddresses = [openAddress] }
        server.listener.environment.localAddresses = localAddresses
        let usesRelay = configuration.relayUse != .whenNeeded || firewall == .random
        server.listener.environment.relayThrough = usesRelay ? server.relayThrough : nil
        server.listener.environment.punchesHoles = configuration.relayUse != .only
    }

    func sampleForServers() {
        sample { [weak self] in
            self?.onEventLoop { node in
                for server in node.servers.values { node.updateEnvironment(server) }
            }
        }
    }

    func receiveHandshake(_ request: IncomingRequest, server: ServerTask) {
        var stream: UDXStream?
        let actions = server.listener.receiveHandshake(request, now: now) {
            // `makeStream` throws only for a requested id that is in use, and none is requested here.
            stream = try? makeStream()
            return stream?.localID ?? 0
        }
        if let stream { server.streams[stream.localID] = (stream, nil) }
        perform(actions, server)
        if let stream, server.streams[stream.localID]?.result == nil, !server.listener.hasSession(stream.localID) {
            server.streams[stream.localID] = nil
            stream.onEventLoop { $0.destroy() }
        }
    }

    func receiveHolepunch(_ request: IncomingRequest, server: ServerTask) {
        perform(server.listener.receiveHolepunch(request, now: now), server)
    }

    func perform(_ actions: [HandshakeListener.Action], _ server: ServerTask) {
        for action in actions { perform(action, server) }
        endRandomPunches(server)
        schedule(server)
    }

    func perform(_ action: HandshakeListener.Action, _ server: ServerTask) {
        let target = server.target
        switch action {
        case .reply(let request, let value):
            rpc.onEventLoop { $0.reply(to: request, value: value) }
        case .send(let request, let socket):
            rpc.onEventLoop { $0.send(request, from: socket) }
        case .openStream(let id, let result):
            guard let stream = server.streams[id]?.stream else { return }
            server.streams[id] = (stream, result)
            listenForFirstPacket(of: stream) { node, source, socket in
                guard let server = node.servers[target], server.streams[id] != nil else { return false }
                node.perform(server.listener.packetReceived(streamID: id, from: source, socket: socket, now: node.now), server)
                return true
            }
        case .connectStream(let id, let remoteID, let address, let socket):
            guard let entry = server.streams[id], let result = entry.result, let socket = sockets[socket] else { return }
            entry.stream.onEventLoop { $0.connect(remoteID: remoteID, to: address, on: socket) }
            var relay: (task: Task<Void, Never>, key: PublicKey)?
            if server.listener.relayedStreamID(id) != nil, let link = server.relayTasks[id] { relay = (link.task, link.relay) }
            let connection = makeConnection(entry.stream, result, relay: relay)
            server.openings[id] = Task { [weak self] in
                do {
                    try await connection.open()
                    await self?.accepted(id, connection, target)
                } catch {
                    // The client did not arrive, or its header does not fit the handshake. No caller waits for this connection.
                    await self?.dropped(id, target)
                }
            }
        case .pair(let id, let through, let isInitiator):
            let task = pair(through, isInitiator: isInitiator, streamID: id) { node, path in
                guard let server = node.servers[target] else { return }
                node.perform(server.listener.relayPaired(streamID: id, path, now: node.now), server)
            } onEnd: { node, _ in
                node.servers[target]?.listener.relayFailed(streamID: id)
            }
            server.relayTasks[id] = (task, through.publicKey)
        case .changeRemote(let id, let remoteID, let address, let socket):
            guard let stream = server.streams[id]?.stream, let socket = sockets[socket] else { return }
            leaveRelay(stream, remoteID: remoteID, to: address, on: socket)
            relayedConnections.removeValue(forKey: id)?.onEventLoop { $0.leaveRelay() }
            if server.accepted[id] != nil { settle(id, server, acceptsMove: false) }
        case .stayOnRelay(let id):
            settle(id, server, acceptsMove: true)
        case .dropStream(let id):
            dropped(id, target)
        case .probe(let address, let socket):
            sendProbe(to: address, socket: socket)
        case .openSockets(let id, let count):
            server.socketTasks[id] = openSockets(count) { [weak self] sockets in
                self?.onEventLoop { node in
                    guard let server = node.servers[target], server.streams[id] != nil else {
                        return node.closeSockets(sockets, except: nil)
                    }
                    server.sockets[id] = sockets
                    server.listener.add(sockets, streamID: id)
                }
            }
        case .sampleAddress:
            sampleForServers()
        }
    }

    func accepted(_ id: UInt32, _ connection: PeerConnection, _ target: DHTKey) {
        guard let server = servers[target], let entry = server.streams[id] else {
            return connection.onEventLoop { $0.destroy() }
        }
        let remoteID = server.listener.relayedStreamID(id)
        // The connection and the connection to its relay end each other.
        let relay = server.relayTasks.removeValue(forKey: id)
        if remoteID == nil { relay?.task.cancel() }
        let mayMove = server.listener.established(streamID: id, now: now)
        schedule(server)
        if let remoteID { server.accepted[id] = (connection, remoteID) }
        if mayMove {
            server.openings[id] = nil
            connection.onEventLoop { connection in
                connection.onClose { [weak self] _ in self?.onEventLoop { $0.forget(id, target) } }
            }
        } else if remoteID != nil {
            settle(id, server, acceptsMove: true)
        } else {
            release(id, server, keeping: entry.stream.onEventLoop { $0.socket })
            entry.stream.onEventLoop { $0.setForeignPacketHandler { _, _ in false } }
        }
        server.onConnection(connection)
    }

    /// Ends this server's work for a connection that began on a blind relay.
    ///
    /// - Parameter acceptsMove: True for a stream on the relay: the first packet from another address shows the client's own path.
    private func settle(_ id: UInt32, _ server: ServerTask, acceptsMove: Bool) {
        guard let stream = server.streams[id]?.stream, let (connection, remoteID) = server.accepted.removeValue(forKey: id) else {
            return
        }
        server.listener.remove(streamID: id)
        release(id, server, keeping: stream.onEventLoop { $0.socket })
        stream.onEventLoop { stream in
            guard acceptsMove else { return stream.setForeignPacketHandler { _, _ in false } }
            stream.setForeignPacketHandler { [weak self, weak stream, weak connection] source, socket in
                guard let self, let stream, source.isSendable else { return false }
                stream.onEventLoop { $0.setForeignPacketHandler { _, _ in false } }
                self.onEventLoop { $0.leaveRelay(stream, remoteID: remoteID, to: source, on: socket) }
                connection?.onEventLoop { $0.leaveRelay() }
                return true
            }
        }
    }

    /// Sends a stream's packets straight to the peer, once there is a path without the blind relay.
    func leaveRelay(_ stream: UDXStream, remoteID: UInt32, to address: PeerAddress, on socket: DatagramSocket) {
        stream.onEventLoop { stream in
            stream.changeRemote(to: address, on: socket, remoteID: remoteID)
            // The first packet on the new path: the peer follows, or ends its connection to the relay.
            stream.sendMessage(ByteBuffer())
        }
    }

    /// Releases the resources of an ended connection on a blind relay.
    private func forget(_ id: UInt32, _ target: DHTKey) {
        guard let server = servers[target], server.accepted.removeValue(forKey: id) != nil else { return }
        server.listener.remove(streamID: id)
        release(id, server, keeping: nil)
        schedule(server)
    }

    func dropped(_ id: UInt32, _ target: DHTKey) {
        guard let server = servers[target], let entry = server.streams[id] else { return }
        server.listener.remove(streamID: id)
        release(id, server, keeping: nil)
        entry.stream.onEventLoop { $0.destroy() }
    }

    func release(_ id: UInt32, _ server: ServerTask, keeping socket: DatagramSocket?) {
        server.streams[id] = nil
        server.openings[id] = nil
        server.socketTasks.removeValue(forKey: id)?.cancel()
        server.relayTasks.removeValue(forKey: id)?.task.cancel()
        closeSockets(server.sockets.removeValue(forKey: id) ?? [], except: socket)
        endRandomPunches(server)
    }

    /// Releases the permission to guess ports for streams that no longer guess.
    private func endRandomPunches(_ server: ServerTask) {
        for id in server.randomPunches where servers[server.target] !== server || !server.listener.isGuessingPorts(id) {
            server.randomPunches.remove(id)
            randomPunches.end()
            closeSockets(server.sockets.removeValue(forKey: id) ?? [], except: server.streams[id]?.stream.onEventLoop { $0.socket })
        }
    }

    func schedule(_ server: ServerTask) {
        server.timer?.cancel()
        server.timer = nil
        let target = server.target
        guard servers[target] === server, let deadline = server.listener.deadline else { return }
        server.timer = eventLoop.scheduleTask(in: .nanoseconds(max(.zero, deadline - now).wholeNanoseconds)) { [weak self] in
            self?.onEventLoop { node in
                guard let server = node.servers[target] else { return }
                node.perform(server.listener.advance(to: node.now), server)
            }
        }
    }
}
