public import CompactEncoding
import CryptoPrimitives
public import DHTRPC
public import NIOCore
import NIOPosix
import Noise
public import UDX

/// A node of the network that finds peers by key, connects to them and accepts connections.
///
/// One UDP socket carries everything: requests of the distributed hash table, hole punch probes and the streams. The node runs on
/// one event loop, together with its connections.
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.
public actor DHTNode: EventLoopConfined {
    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    public nonisolated let configuration: NodeConfiguration
    /// The node's part in the distributed hash table: requests to other nodes and their answers.
    public nonisolated let rpc: RPCNode
    /// Look-ups and announcements.
    public nonisolated let directory: PeerDirectory
    nonisolated let streams: StreamTable

    /// Mutable and immutable values.
    public nonisolated var values: ValueDirectory { ValueDirectory(rpc: rpc) }

    let origin: NIODeadline
    var sockets: [SocketID: DatagramSocket]
    var lastSocketNumber = 1_000_000
    var storing: StoringNode?
    var attempts: [UInt32: DialTask] = [:]
    /// The dials in progress, each with the waiters of further dials between the same keys.
    var dialGates: [DialGate: [EventLoopWaiter<Bool>]] = [:]
    var servers: [DHTKey: ServerTask] = [:]
    var isClosed = false
    var nat = NATClassifier()
    var natSampledAt: NIODeadline?
    var natWaiters: [@Sendable () -> Void] = []
    /// The relays that peers named in their handshakes, to try first the next time.
    var relayCache: [PublicKey: [PeerAddress]] = [:]
    var isSampling = false
    /// The task that waits for the first nodes before it asks them for samples; nil if none runs.
    var joining: Task<Void, Never>?
    var outstandingSamples = 0
    var randomPunches = RandomPunchGate()
    /// The streams that wait for their pairing at a blind relay.
    var pairingStreams: Set<UInt32> = []
    /// The connections through blind relays, by stream id.
    var relayedConnections: [UInt32: PeerConnection] = [:]
    /// The address at which ``checkReachability()`` found this node reachable; nil if it did not.
    var reachableAddress: PeerAddress?

    /// Lifetime of the samples of this side's address.
    static let sampleLifetime = TimeAmount.seconds(60)
    /// Maximum concurrent dials.
    static let maximumDialCount = 256
    /// Maximum further dials between the same two keys that wait for the first one.
    static let maximumWaitingDialCount = 16
    /// Maximum peers whose relays are remembered.
    static let maximumRelayCacheCount = 1024

    /// Binds a socket and joins the network, on an event loop of NIO's shared group unless one is given. Does not wait for the
    /// network: see ``RPCNode/bootstrapped()``.
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

    init(configuration: NodeConfiguration, socket: DatagramSocket, streams: StreamTable, eventLoop: any EventLoop) {
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

    func begin(_ socket: DatagramSocket) {
        attachHandlers(socket)
        rpc.onEventLoop { rpc in
            rpc.setRequestHandler { [weak self] request in self?.onEventLoop { $0.handle(request) } }
            rpc.start()
        }
    }

    func attachHandlers(_ socket: DatagramSocket) {
        let rpc = rpc
        socket.onEventLoop { socket in
            socket.setHandlers(
                onMessage: { bytes, source in rpc.onEventLoop { $0.receive(bytes, from: source) } },
                onProbe: { [weak self] source in self?.onEventLoop { $0.receiveProbe(from: source, socket: .main) } })
        }
    }

    var now: Duration { .nanoseconds((eventLoop.now - origin).nanoseconds) }

    // MARK: State

    /// The address that the node's socket is bound to.
    public var localAddress: PeerAddress { rpc.onEventLoop { $0.localAddress } }
    /// The address of this node on which other nodes agree. Port 0 if they agree on the host only; nil if on neither.
    public var publicAddress: PeerAddress? { rpc.onEventLoop { $0.publicAddress } }
    /// Count of the dials in progress.
    public var dialCount: Int { attempts.values.count { !$0.isDelivered } }

    /// Count of the records under topics that this node stores for others.
    public var recordCount: Int { storing?.recordCount ?? 0 }
    /// Count of the values that this node stores for others.
    public var valueCount: Int { storing?.valueCount ?? 0 }
    /// Count of the peers that this node relays handshakes to.
    public var routeCount: Int { storing?.routeCount ?? 0 }

    /// The kind of network in front of this node, as far as it is known; see ``sampleAddress()``.
    public var firewall: Firewall { isOpen ? .open : nat.firewall }

    /// True if this node is known to be reachable from anywhere.
    var isOpen: Bool {
        configuration.firewall == .open || configuration.role != .ephemeral || reachableAddress != nil
    }

    /// The address at which any host reaches this node; `nil` while the node is not open, or its address is unknown.
    var openAddress: PeerAddress? {
        guard isOpen else { return nil }
        if case .persistent(let address?) = configuration.role { return address }
        if let reachableAddress { return reachableAddress }
        if let publicAddress, publicAddress.port != 0 { return publicAddress }
        return localAddress.octets == 0 ? nil : localAddress
    }

    /// Returns the relay addresses to announce for a server: its own address first if this node is open, at most 3 in all.
    func announcedAddresses(_ relays: [PeerAddress]) -> [PeerAddress] {
        let own = openAddress.map { [$0] } ?? []
        return Array((own + relays.filter { !own.contains($0) }).prefix(PeerRecord.maximumRelayAddressCount))
    }

    var localAddresses: [PeerAddress] {
        configuration.localAddresses ?? LocalAddresses.all(for: localAddress)
    }

    // MARK: Lifecycle

    /// Ends all dials, servers and connections, and closes the socket.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        for attempt in Array(attempts.values) { fail(attempt, ConnectError(.closed)) }
        for server in Array(servers.values) { await stop(server) }
        joining?.cancel()
        streams.onEventLoop { $0.destroyAll() }
        await rpc.close()
        let sockets = Array(self.sockets.values)
        self.sockets = [:]
        for socket in sockets { await socket.close() }
    }

    /// Stops the hash table's traffic before the system suspends the process. Dials fail; connections stay until they time out.
    public func suspend() {
        for attempt in Array(attempts.values) { fail(attempt, ConnectError(.closed, "suspended")) }
        rpc.onEventLoop { $0.suspend() }
    }

    /// Resumes after ``suspend()``: binds a new socket if the system closed the old one, joins again and announces again.
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
        relayCache = [:]
        await rpc.resume(transport: transport)
        for server in servers.values { await server.announcer.refresh() }
    }
}
