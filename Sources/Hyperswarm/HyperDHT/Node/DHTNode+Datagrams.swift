import CompactEncoding
import CryptoPrimitives
import DHTRPC
import NIOCore
import Noise
import UDX

extension DHTNode {
    func handle(_ request: IncomingRequest) {
        let command = Command(rawValue: request.message.command.number)
        if let target = request.message.target, let server = servers[target], command == .peerHandshake || command == .peerHolepunch
        {
            if command == .peerHandshake {
                receiveHandshake(request, server: server)
            } else {
                receiveHolepunch(request, server: server)
            }
        } else if storing != nil, command == .findPeer, let target = request.message.target, let server = servers[target] {
            // The node is the server itself: it needs no relay to be found.
            let value = PeerRecord(publicKey: server.publicKey).encoded
            rpc.onEventLoop {
                $0.perform([.reply(value: value, includesToken: true, includesCloserNodes: true)], for: request)
            }
        } else if storing != nil {
            let actions = storing?.handle(request, id: rpc.onEventLoop { $0.id }, now: now) ?? []
            rpc.onEventLoop { $0.perform(actions, for: request) }
        } else if command != .peerHolepunch, command != .peerHandshake || isFromClient(request) {
            // The error tells a client at once that this node does not serve the target.
            rpc.onEventLoop { $0.reply(to: request, error: RPCErrorNumber.unknownCommand, includesCloserNodes: true) }
        }
    }

    func isFromClient(_ request: IncomingRequest) -> Bool {
        // A malformed message gets no reply.
        request.message.value.flatMap { try? HandshakeMessage(decoding: $0) }?.mode == .fromClient
    }

    func receiveProbe(from source: PeerAddress, socket: SocketID) {
        // Peers may share a host, such as a peer and its blind relay: a probe belongs to the peer that named its address.
        let dials = Array(attempts.values)
        let named = dials.filter { $0.attempt.isNamed(source) }
        let candidates = dials.count == 1 ? dials : named.isEmpty ? dials.filter { $0.attempt.expectsAnyPort } : named
        for attempt in candidates {
            perform(attempt.attempt.probeReceived(from: source, socket: socket, now: now), attempt)
        }
        for server in Array(servers.values) { perform(server.listener.receiveProbe(from: source, socket: socket), server) }
    }

    func sendProbe(to address: PeerAddress, socket: SocketID, timeToLive: Int? = nil) {
        sockets[socket]?.onEventLoop { $0.send(ByteBuffer(bytes: [0]), to: address, timeToLive: timeToLive) }
    }

    func socketID(of socket: DatagramSocket) -> SocketID? {
        sockets.first { $0.value === socket }?.key
    }

    /// Opens sockets for a hole punch through a network with random ports.
    func openSockets(_ count: Int, _ completion: @escaping @Sendable ([SocketID]) -> Void) -> Task<Void, Never> {
        return Task {
            var opened: [SocketID] = []
            let address = PeerAddress(octets: configuration.bindAddress.octets, port: 0)
            for _ in 0..<count {
                guard !isClosed, !Task.isCancelled else { break }
                // If the system has no more sockets, the hole punch uses those that were opened.
                guard let socket = try? await DatagramSocket.bind(to: address, streams: streams, profile: .small) else { break }
                lastSocketNumber += 1
                let id = SocketID(number: lastSocketNumber)
                sockets[id] = socket
                socket.onEventLoop { socket in
                    socket.setHandlers(onProbe: { [weak self] source in
                        self?.onEventLoop { $0.receiveProbe(from: source, socket: id) }
                    })
                }
                opened.append(id)
            }
            completion(opened)
        }
    }

    func closeSockets(_ ids: [SocketID], except used: DatagramSocket?) {
        let closing = ids.compactMap { id -> DatagramSocket? in
            guard let socket = sockets[id], socket !== used else { return nil }
            sockets[id] = nil
            return socket
        }
        guard !closing.isEmpty else { return }
        // Closing only releases descriptors: nothing waits for it, and nothing has to cancel it.
        Task { for socket in closing { await socket.close() } }
    }

    func makeStream() throws -> UDXStream {
        try streams.onEventLoop { try $0.makeStream(configuration: configuration.stream) }
    }

    /// - Parameter relay: The blind relay in use, and the connection to it, which ends with the new connection.
    func makeConnection(
        _ stream: UDXStream, _ result: NoiseHandshake.Result, relay: (task: Task<Void, Never>, key: PublicKey)? = nil
    ) -> PeerConnection {
        let connection = PeerConnection(
            stream: stream, handshake: result, maximumFrameSize: configuration.maximumFrameSize,
            keepAliveInterval: configuration.keepAliveInterval, writeHighWaterMark: configuration.stream.writeHighWaterMark,
            relay: relay?.key)
        if let relay {
            let id = stream.localID
            relayedConnections[id] = connection
            connection.onEventLoop { connection in
                connection.onClose { [weak self] _ in
                    relay.task.cancel()
                    self?.onEventLoop { $0.relayedConnections[id] = nil }
                }
            }
        }
        return connection
    }
}
