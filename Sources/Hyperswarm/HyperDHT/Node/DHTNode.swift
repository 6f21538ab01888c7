public import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
public import NIOCore
import NIOPosix
import Noise
public import UDX

/// A node of the network that finds peers by key, connects to them and accepts connections.
///
/// One UDP socket carries everything: questions to the distributed hash table, hole punch probes and the streams. The node runs on one
/// event loop, together with its connections.
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.
public actor DHTNode: EventLoopConfined {
    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    public nonisolated let configuration: NodeConfiguration
    /// The questions to other nodes.
    public nonisolated let rpc: RPCNode
    /// Look-ups and announcements.
    public nonisolated let directory: PeerDirectory
    nonisolated let streams: StreamTable

    private let origin: NIODeadline
    private var sockets: [SocketID: DatagramSocket]
    private var lastSocketNumber = 1_000_000
    private var storing: StoringNode?
    private var attempts: [UInt32: DialTask] = [:]
    private var servers: [DHTKey: ServerTask] = [:]
    private var isClosed = false
    private var nat = NATClassifier()
    private var natSampledAt: NIODeadline?
    private var natWaiters: [@Sendable () -> Void] = []
    private var isSampling = false
    private var outstandingSamples = 0
    private var randomPunches = RandomPunchGate()
    /// The address at which ``checkReachability()`` found this node reachable.
    private var reachableAddress: PeerAddress?

    /// The time for which samples of this side's address are used.
    private static let sampleLifetime = TimeAmount.seconds(60)
    /// The number of dials that may run at once.
    private static let maximumDialCount = 256

    /// Binds a socket and joins the network, on an event loop of NIO's shared group unless one is given. Does not wait for the network: see ``RPCNode/bootstrapped()``.
    ///
    /// - Throws: The system's error when the socket cannot be bound.
    public static func start(
        _ configuration: NodeConfiguration, on eventLoop: (any EventLoop)? = nil
    ) async throws -> DHTNode {
        let eventLoop = eventLoop ?? MultiThreadedEventLoopGroup.singleton.next()
        let streams = StreamTable(eventLoop: eventLoop)
        let socket = try await DatagramSocket.bind(to: configuration.bindAddress, streams: streams)
        let node = DHTNode(configuration: configuration, socket: socket, streams: streams, eventLoop: eventLoop)
        await node.begin(socket)
        return node
    }

    private init(configuration: NodeConfiguration, socket: DatagramSocket, streams: StreamTable, eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        self.configuration = configuration
        self.streams = streams
        origin = eventLoop.now
        rpc = RPCNode(
            configuration: RPCConfiguration(bootstrap: configuration.bootstrap, role: configuration.role),
            transport: SocketTransport(socket: socket), eventLoop: eventLoop)
        directory = PeerDirectory(rpc: rpc)
        sockets = [.main: socket]
        if case .persistent = configuration.role { storing = StoringNode() }
    }

    private func begin(_ socket: DatagramSocket) {
        attachHandlers(socket)
        rpc.onEventLoop { rpc in
            rpc.setRequestHandler { [weak self] request in self?.onEventLoop { $0.handle(request) } }
            rpc.start()
        }
    }

    private func attachHandlers(_ socket: DatagramSocket) {
        let rpc = rpc
        socket.onEventLoop { socket in
            socket.setHandlers(
                onMessage: { bytes, source in rpc.onEventLoop { $0.receive(bytes, from: source) } },
                onProbe: { [weak self] source in self?.onEventLoop { $0.receiveProbe(from: source, socket: .main) } })
        }
    }

    private var now: Duration { .nanoseconds((eventLoop.now - origin).nanoseconds) }

    // MARK: - Facts

    /// The address that the node's socket is bound to.
    public var localAddress: PeerAddress { rpc.onEventLoop { $0.localAddress } }
    /// The node's address as other nodes agree to see it; port 0 where they agree on the host only.
    public var publicAddress: PeerAddress? { rpc.onEventLoop { $0.publicAddress } }
    /// The number of dials that run.
    public var dialCount: Int { attempts.count }
    /// The number of streams, with those that have ended a moment ago.
    public var streamCount: Int { streams.onEventLoop { $0.count } }

    /// The kind of network in front of this node, as far as it is known; see ``sampleAddress()``.
    public var firewall: Firewall { isOpen ? .open : nat.firewall }

    /// True for a node that knows that it is reachable.
    private var isOpen: Bool {
        configuration.firewall == .open || configuration.role != .ephemeral || reachableAddress != nil
    }

    /// The address at which everybody reaches this node; `nil` for a node that is not open.
    private var openAddress: PeerAddress? {
        guard isOpen else { return nil }
        if case .persistent(let address?) = configuration.role { return address }
        if let reachableAddress { return reachableAddress }
        if let publicAddress, publicAddress.port != 0 { return publicAddress }
        return localAddress.octets == 0 ? nil : localAddress
    }

    /// The relay addresses to announce for a server: its own address first if everybody reaches it, at most 3 in all.
    func announcedAddresses(_ relays: [PeerAddress]) -> [PeerAddress] {
        let own = openAddress.map { [$0] } ?? []
        return Array((own + relays.filter { !own.contains($0) }).prefix(PeerRecord.maximumRelayAddressCount))
    }

    private var localAddresses: [PeerAddress] {
        configuration.localAddresses ?? LocalAddresses.all(for: localAddress)
    }

    // MARK: - Life

    /// Ends all dials, servers and connections, and closes the socket.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        for attempt in Array(attempts.values) { fail(attempt, ConnectError(.closed)) }
        for server in Array(servers.values) { await stop(server) }
        streams.onEventLoop { $0.destroyAll() }
        await rpc.close()
        let sockets = Array(self.sockets.values)
        self.sockets = [:]
        for socket in sockets { await socket.close() }
    }

    /// Stops all traffic of the hash table, as before the system suspends the process. Dials fail; connections stay until they time out.
    public func suspend() {
        for attempt in Array(attempts.values) { fail(attempt, ConnectError(.closed, "suspended")) }
        rpc.onEventLoop { $0.suspend() }
    }

    /// Goes on after ``suspend()``: binds a new socket if the system closed the old one, joins again and announces again.
    public func resume() async throws {
        guard !isClosed else { return }
        var transport: SocketTransport?
        if let socket = sockets[.main], await !socket.isOpen {
            let renewed = try await DatagramSocket.bind(to: configuration.bindAddress, streams: streams)
            sockets[.main] = renewed
            attachHandlers(renewed)
            transport = SocketTransport(socket: renewed)
        }
        nat = NATClassifier()
        natSampledAt = nil
        reachableAddress = nil
        await rpc.resume(transport: transport)
        for server in servers.values { await server.announcer.refresh() }
    }

    // MARK: - Address

    /// Asks nodes how they see this node, unless that is known, and returns the kind of network.
    @discardableResult
    public func sampleAddress() async -> Firewall {
        await withCheckedContinuation { continuation in sample { continuation.resume() } }
        return firewall
    }

    /// Finds out whether everybody reaches this host, and tells peers so from now on if it is true.
    ///
    /// Nodes are asked to answer to a socket that has never sent anything, which no address translation and no filter lets through.
    public func checkReachability() async -> Bool {
        guard !isOpen else { return true }
        let address = PeerAddress(octets: configuration.bindAddress.octets, port: 0)
        // A system without another socket cannot find out: the node stays on the safe side.
        guard let socket = try? await DatagramSocket.bind(to: address, streams: streams, profile: .small) else { return false }
        let id = await rpc.attach(SocketTransport(socket: socket))
        let rpc = rpc
        await socket.setHandlers(onMessage: { bytes, source in rpc.onEventLoop { $0.receive(bytes, from: source, on: id) } })
        let reachable = await rpc.reachableAddress(through: id, port: socket.local.port)
        await rpc.detach(id)
        await socket.close()
        guard let reachable, !isClosed else { return false }
        reachableAddress = PeerAddress(octets: reachable.octets, port: localAddress.port)
        for server in servers.values { updateEnvironment(server) }
        return true
    }

    /// Calls `completion` on the event loop once enough nodes answered, or all that are known.
    private func sample(_ completion: @escaping @Sendable () -> Void) {
        if let natSampledAt, natSampledAt + DHTNode.sampleLifetime > .now(), nat.sampleCount >= NATClassifier.minimumSampleCount {
            return completion()
        }
        natWaiters.append(completion)
        guard !isSampling else { return }
        isSampling = true
        nat = NATClassifier(isOpen: isOpen)
        let nodes = rpc.onEventLoop { rpc in Array(rpc.knownNodes.shuffled().prefix(2 * NATClassifier.wantedSampleCount)) }
        outstandingSamples = nodes.count
        guard !nodes.isEmpty else { return finishSampling() }
        for node in nodes {
            rpc.onEventLoop { rpc in
                _ = rpc.startRequest(.ping, to: node, maximumSends: 2) { [weak self] result in
                    self?.onEventLoop { node in
                        if case .success(let reply) = result { node.nat.add(reply.to, from: reply.from) }
                        node.outstandingSamples -= 1
                        if node.outstandingSamples == 0 || node.nat.sampleCount >= NATClassifier.wantedSampleCount {
                            node.finishSampling()
                        }
                    }
                }
            }
        }
    }

    private func finishSampling() {
        guard isSampling else { return }
        isSampling = false
        natSampledAt = .now()
        let waiters = natWaiters
        natWaiters = []
        for waiter in waiters { waiter() }
    }

    // MARK: - Datagrams

    private func handle(_ request: IncomingRequest) {
        let command = Command(rawValue: request.message.command.number)
        if let target = request.message.target, let server = servers[target], command == .peerHandshake || command == .peerHolepunch
        {
            if command == .peerHandshake {
                receiveHandshake(request, server: server)
            } else {
                receiveHolepunch(request, server: server)
            }
        } else if storing != nil {
            let actions = storing?.handle(request, id: rpc.onEventLoop { $0.id }, now: now) ?? []
            rpc.onEventLoop { $0.perform(actions, for: request) }
        } else if command != .peerHolepunch, command != .peerHandshake || isFromClient(request) {
            // A client that took this node for another one learns it at once.
            rpc.onEventLoop { $0.reply(to: request, error: RPCErrorNumber.unknownCommand, includesCloserNodes: true) }
        }
    }

    private func isFromClient(_ request: IncomingRequest) -> Bool {
        // A malformed message gets no reply.
        request.message.value.flatMap { try? HandshakeMessage(decoding: $0) }?.mode == .fromClient
    }

    private func receiveProbe(from source: PeerAddress, socket: SocketID) {
        for attempt in Array(attempts.values) {
            perform(attempt.attempt.probeReceived(from: source, socket: socket, now: now), attempt)
        }
        for server in Array(servers.values) { perform(server.listener.receiveProbe(from: source, socket: socket), server) }
    }

    private func sendProbe(to address: PeerAddress, socket: SocketID, timeToLive: Int? = nil) {
        sockets[socket]?.onEventLoop { $0.send(ByteBuffer(bytes: [0]), to: address, timeToLive: timeToLive) }
    }

    private func socketID(of socket: DatagramSocket) -> SocketID? {
        sockets.first { $0.value === socket }?.key
    }

    /// Opens sockets for a hole punch through a network with random ports.
    private func openSockets(_ count: Int, _ completion: @escaping @Sendable ([SocketID]) -> Void) -> Task<Void, Never> {
        Task {
            var opened: [SocketID] = []
            let address = PeerAddress(octets: configuration.bindAddress.octets, port: 0)
            for _ in 0..<count {
                guard !isClosed, !Task.isCancelled else { break }
                // A system that has no more sockets gives what it has: fewer chances, not none.
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

    private func closeSockets(_ ids: [SocketID], except used: DatagramSocket?) {
        if !ids.isEmpty { randomPunches.end() }
        let closing = ids.compactMap { id -> DatagramSocket? in
            guard let socket = sockets[id], socket !== used else { return nil }
            sockets[id] = nil
            return socket
        }
        guard !closing.isEmpty else { return }
        // Closing only releases descriptors: nothing waits for it, and nothing has to cancel it.
        Task { for socket in closing { await socket.close() } }
    }

    private func makeStream() throws -> UDXStream {
        try streams.onEventLoop { try $0.makeStream(configuration: configuration.stream) }
    }

    private func makeConnection(_ stream: UDXStream, _ result: NoiseHandshake.Result) -> PeerConnection {
        PeerConnection(
            stream: stream, handshake: result, maximumFrameSize: configuration.maximumFrameSize,
            keepAliveInterval: configuration.keepAliveInterval)
    }

    // MARK: - Dialling

    /// One dial. Touched on the node's event loop only.
    private final class DialTask {
        let stream: UDXStream
        let target: DHTKey
        var attempt: ConnectAttempt
        var continuation: CheckedContinuation<Result<PeerConnection, ConnectError>, Never>?
        var search: Task<Void, Never>?
        var opening: Task<Void, Never>?
        var socketTask: Task<Void, Never>?
        var sockets: [SocketID] = []
        var timer: Scheduled<Void>?

        init(stream: UDXStream, target: DHTKey, attempt: ConnectAttempt) {
            self.stream = stream
            self.target = target
            self.attempt = attempt
        }
    }

    /// Connects to the peer with a public key.
    ///
    /// - Parameters:
    ///   - relayAddresses: Nodes that may relay to the peer, from a record under a topic. Others are looked for at the same time.
    ///   - keyPair: The identity to use; that of the configuration by default.
    /// - Returns: A connection on which the peer's encrypted stream has begun.
    /// - Throws: ``ConnectError``, whose code names the hop that failed. A cancelled task gets `closed`.
    public func connect(
        to publicKey: PublicKey, relayAddresses: [PeerAddress] = [], keyPair: KeyPair? = nil
    ) async throws(ConnectError) -> PeerConnection {
        guard !isClosed else { throw ConnectError(.closed) }
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
            settings.admitsRandomPunch = { [weak self] in
                self?.onEventLoop { node in node.randomPunches.begin(now: node.now) } ?? false
            }
            attempt = try ConnectAttempt(settings)
        } catch {
            stream.onEventLoop { $0.destroy() }
            throw error
        }
        let dial = DialTask(stream: stream, target: DHTKey(hashing: publicKey.bytes), attempt: attempt)
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
                // Known before it is needed: the hole punch does not wait for it then.
                if !isOpen { perform(.sampleAddress, dial) }
                search(for: publicKey, relayAddresses: relayAddresses, dial)
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
    private func listenForFirstPacket(
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

    private func search(for publicKey: PublicKey, relayAddresses: [PeerAddress], _ dial: DialTask) {
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

    private func searchEnded(_ id: UInt32, _ error: ConnectError?) {
        guard let dial = attempts[id] else { return }
        perform(dial.attempt.relaySearchEnded(error: error), dial)
    }

    private func perform(_ actions: [ConnectAttempt.Action], _ dial: DialTask) {
        for action in actions where attempts[dial.stream.localID] === dial { perform(action, dial) }
        schedule(dial)
    }

    private func perform(_ action: ConnectAttempt.Action, _ dial: DialTask) {
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
        case .connectStream(let remoteID, let address, let socket, let result):
            connectStream(dial, remoteID: remoteID, to: address, socket: socket, result)
        case .fail(let error):
            fail(dial, error)
        }
    }

    private func request(
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

    private func connectStream(
        _ dial: DialTask, remoteID: UInt32, to address: PeerAddress, socket: SocketID, _ result: NoiseHandshake.Result
    ) {
        guard let socket = sockets[socket] else { return fail(dial, ConnectError(.streamFailed, "the socket is closed")) }
        let id = dial.stream.localID
        dial.search?.cancel()
        dial.stream.onEventLoop { $0.connect(remoteID: remoteID, to: address, on: socket) }
        let connection = makeConnection(dial.stream, result)
        dial.opening = Task { [weak self] in
            do {
                try await connection.open()
                await self?.opened(id, connection)
            } catch {
                await self?.openingFailed(id, error as? ConnectError ?? ConnectError(.closed, "\(error)"))
            }
        }
    }

    private func opened(_ id: UInt32, _ connection: PeerConnection) {
        guard let dial = attempts[id] else { return connection.onEventLoop { $0.destroy() } }
        dial.attempt.headerReceived()
        finish(dial, .success(connection))
    }

    private func openingFailed(_ id: UInt32, _ error: ConnectError) {
        guard let dial = attempts[id] else { return }
        perform(dial.attempt.streamClosed(error), dial)
    }

    private func fail(_ dial: DialTask, _ error: ConnectError) {
        guard attempts[dial.stream.localID] === dial else { return }
        dial.stream.onEventLoop { $0.destroy() }
        finish(dial, .failure(error))
    }

    private func finish(_ dial: DialTask, _ result: Result<PeerConnection, ConnectError>) {
        attempts[dial.stream.localID] = nil
        dial.timer?.cancel()
        dial.search?.cancel()
        dial.socketTask?.cancel()
        if case .failure = result { dial.opening?.cancel() }
        // Packets from elsewhere than the chosen path are dropped from now on.
        dial.stream.onEventLoop { $0.setForeignPacketHandler { _, _ in false } }
        closeSockets(dial.sockets, except: dial.stream.onEventLoop { $0.socket })
        dial.continuation?.resume(returning: result)
        dial.continuation = nil
    }

    private func schedule(_ dial: DialTask) {
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

    // MARK: - Listening

    /// One server. Touched on the node's event loop only.
    final class ServerTask {
        let target: DHTKey
        let announcer: Announcer
        var listener: HandshakeListener
        let onConnection: @Sendable (PeerConnection) -> Void
        var streams: [UInt32: (stream: UDXStream, result: NoiseHandshake.Result?)] = [:]
        var openings: [UInt32: Task<Void, Never>] = [:]
        var socketTasks: [UInt32: Task<Void, Never>] = [:]
        var sockets: [UInt32: [SocketID]] = [:]
        var timer: Scheduled<Void>?

        init(
            target: DHTKey, announcer: Announcer, listener: HandshakeListener,
            onConnection: @escaping @Sendable (PeerConnection) -> Void
        ) {
            self.target = target
            self.announcer = announcer
            self.listener = listener
            self.onConnection = onConnection
        }
    }

    /// Announces a key pair and accepts connections to it.
    ///
    /// - Parameters:
    ///   - keyPair: The server's identity; that of the configuration by default. One server per key pair.
    ///   - admits: Decides about a client by its key, before it learns anything. Called on the event loop.
    ///   - onConnection: Takes each connection once the client's encrypted stream has begun. Called on the event loop.
    /// - Throws: ``ConnectError`` with code `closed` when the node is closed or listens with this key pair already.
    public func listen(
        keyPair: KeyPair? = nil, admits: @escaping @Sendable (PublicKey) -> Bool = { _ in true },
        onConnection: @escaping @Sendable (PeerConnection) -> Void
    ) throws(ConnectError) -> PeerServer {
        let keyPair = keyPair ?? configuration.keyPair
        let target = DHTKey(hashing: keyPair.publicKey.bytes)
        guard !isClosed, servers[target] == nil else { throw ConnectError(.closed, "closed, or this key pair listens already") }
        let announcer = Announcer(rpc: rpc, keyPair: keyPair)
        let server = ServerTask(
            target: target, announcer: announcer, listener: HandshakeListener(keyPair: keyPair, admits: admits),
            onConnection: onConnection)
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

    func stopListening(_ publicKey: PublicKey) async {
        if let server = servers[DHTKey(hashing: publicKey.bytes)] { await stop(server) }
    }

    private func stop(_ server: ServerTask) async {
        servers[server.target] = nil
        server.timer?.cancel()
        for task in server.openings.values { task.cancel() }
        for task in server.socketTasks.values { task.cancel() }
        for (id, entry) in server.streams {
            entry.stream.onEventLoop { $0.destroy() }
            closeSockets(server.sockets[id] ?? [], except: nil)
        }
        server.streams = [:]
        await server.announcer.stop()
    }

    private func updateEnvironment(_ server: ServerTask) {
        server.listener.environment.firewall = isOpen ? .open : .unknown
        server.listener.environment.sampledFirewall = firewall
        server.listener.environment.sampledAddresses = nat.addresses
        if let openAddress { server.listener.environment.sampledAddresses = [openAddress] }
        server.listener.environment.localAddresses = localAddresses
    }

    private func sampleForServers() {
        sample { [weak self] in
            self?.onEventLoop { node in
                for server in node.servers.values { node.updateEnvironment(server) }
            }
        }
    }

    private func receiveHandshake(_ request: IncomingRequest, server: ServerTask) {
        var stream: UDXStream?
        let actions = server.listener.receiveHandshake(request, now: now) {
            // Without an id of its own a stream cannot be: ids are random and this never fails.
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

    private func receiveHolepunch(_ request: IncomingRequest, server: ServerTask) {
        perform(server.listener.receiveHolepunch(request, now: now), server)
    }

    private func perform(_ actions: [HandshakeListener.Action], _ server: ServerTask) {
        for action in actions { perform(action, server) }
        schedule(server)
    }

    private func perform(_ action: HandshakeListener.Action, _ server: ServerTask) {
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
                node.perform(server.listener.packetReceived(streamID: id, from: source, socket: socket), server)
                return true
            }
        case .connectStream(let id, let remoteID, let address, let socket):
            guard let entry = server.streams[id], let result = entry.result, let socket = sockets[socket] else { return }
            entry.stream.onEventLoop { $0.connect(remoteID: remoteID, to: address, on: socket) }
            let connection = makeConnection(entry.stream, result)
            // A client that acknowledges packets and never sends its header must not hold a stream.
            let timeout = eventLoop.scheduleTask(in: .nanoseconds(ConnectAttempt.streamTimeout.wholeNanoseconds)) { [weak self] in
                self?.onEventLoop { $0.dropped(id, target) }
            }
            server.openings[id] = Task { [weak self] in
                defer { timeout.cancel() }
                do {
                    try await connection.open()
                    await self?.accepted(id, connection, target)
                } catch {
                    // The client did not come, or is another one: nobody waits for this connection.
                    await self?.dropped(id, target)
                }
            }
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

    private func accepted(_ id: UInt32, _ connection: PeerConnection, _ target: DHTKey) {
        guard let server = servers[target], let entry = server.streams[id] else {
            return connection.onEventLoop { $0.destroy() }
        }
        server.listener.remove(streamID: id)
        release(id, server, keeping: entry.stream.onEventLoop { $0.socket })
        entry.stream.onEventLoop { $0.setForeignPacketHandler { _, _ in false } }
        server.onConnection(connection)
    }

    private func dropped(_ id: UInt32, _ target: DHTKey) {
        guard let server = servers[target], let entry = server.streams[id] else { return }
        release(id, server, keeping: nil)
        entry.stream.onEventLoop { $0.destroy() }
    }

    private func release(_ id: UInt32, _ server: ServerTask, keeping socket: DatagramSocket?) {
        server.streams[id] = nil
        server.openings[id] = nil
        server.socketTasks.removeValue(forKey: id)?.cancel()
        closeSockets(server.sockets.removeValue(forKey: id) ?? [], except: socket)
    }

    private func schedule(_ server: ServerTask) {
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
