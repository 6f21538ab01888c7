import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
import HyperDHT
public import NIOCore
public import UDX

/// A node's membership in topics: finds the peers of each topic and keeps one connection to each peer.
///
///     let node = try await DHTNode.start(NodeConfiguration(bootstrap: bootstrap, keyPair: keyPair))
///     let swarm = PeerSwarm(node: node)
///     await withDiscardingTaskGroup { group in
///         group.addTask { await swarm.run() }
///         await swarm.join(topic)
///         for await connection in swarm.connections {
///             group.addTask { await talk(over: connection) }
///         }
///     }
///     await node.close()
///
/// `bootstrap` are the addresses of some nodes of the network, and `topic` is a ``DHTTopic`` that all peers know. A connection is a
/// ``PeerConnection``: `for try await bytes in connection` reads, `write` sends, `finish` ends this side's direction.
///
/// All work belongs to ``run()``: cancelling its task ends the connections and removes the announcements, and ``connections`` ends.
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 7.
public actor Swarm<Node: SwarmNode>: EventLoopConfined {
    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// New connections, dialled by either side, for one consumer. The stream buffers the connections that were not taken yet,
    /// of which at most 64 are open. It ends with ``run()``.
    public nonisolated let connections: AsyncStream<Node.Connection>

    private enum Work: Sendable {
        case dial(ConnectionID, PeerRecord)
        case topic(DHTTopic, TopicRules.Action)
        case listen
        case watch(ConnectionID, Node.Connection)
    }

    private struct Topic {
        var rules: TopicRules
        var found: Set<PublicKey> = []
        /// Result of the first walk: the number of peers, or the error.
        var firstResult: Result<Int, any Error>?
        var waiters: [CheckedContinuation<Int, any Error>] = []
    }

    private let node: Node
    private let origin: NIODeadline
    private let connectionContinuation: AsyncStream<Node.Connection>.Continuation
    private let work: AsyncStream<Work>
    private let workContinuation: AsyncStream<Work>.Continuation
    private var rules: ConnectionRules
    private var topics: [DHTTopic: Topic] = [:]
    private var open: [ConnectionID: Node.Connection] = [:]
    /// Connections about which the rules have not decided yet.
    private var arrived: [ConnectionID: Node.Connection] = [:]
    /// Callbacks that cancel running dials.
    private var cancellers: [ConnectionID: @Sendable () -> Void] = [:]
    private var connectWaiters: [PublicKey: [CheckedContinuation<Node.Connection, any Error>]] = [:]
    private var isListening = false
    /// True once a node relays to this one. Before that, a record under a topic would name no relay.
    private var isReachable = false
    private var listenWaiters: [CheckedContinuation<Void, any Error>] = []
    private var isSuspended = false
    private var isEnded = false
    private var timer: Scheduled<Void>?

    public init(node: Node) {
        self.init(node: node, rules: ConnectionRules(ownKey: node.publicKey))
    }

    init(node: Node, rules: ConnectionRules) {
        self.node = node
        self.rules = rules
        eventLoop = node.eventLoop
        origin = node.eventLoop.now
        (connections, connectionContinuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        // Work is bounded by the dialling limits, the connections and the topics that the user joined.
        (work, workContinuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    // MARK: Interface

    /// Runs until the task is cancelled, then ends all connections and unannounces. Call it once per swarm.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await item in work {
                group.addTask { await self.perform(item) }
            }
            isEnded = true
            finishListening(.failure(CancellationError()))
            group.cancelAll()
        }
        await shutDown()
    }

    /// Announces the own key and accepts connections to it. ``join(_:server:client:)`` as a server does so as well.
    public func listen() {
        guard !isEnded, !isListening else { return }
        isListening = true
        workContinuation.yield(.listen)
    }

    /// Waits until peers can find this swarm by its key. Throws if the attempt in progress fails; the swarm itself retries.
    ///
    /// - Throws: ``RPCError``, with `noBootstrapNode` if no node answered; `CancellationError` before ``listen()`` and at the end.
    public func listening() async throws {
        guard isListening else { throw CancellationError() }
        try await waitUntilReachable()
    }

    /// Joins a topic, or changes the role in a joined topic. Returns at once; see ``joined(_:)``.
    ///
    /// - Parameters:
    ///   - server: True to announce this swarm, so that peers connect to it.
    ///   - client: True to look up the peers and connect to them.
    public func join(_ topic: DHTTopic, server: Bool = true, client: Bool = true) {
        guard !isEnded, server || client else { return }
        if server { listen() }
        if topics[topic] == nil {
            topics[topic] = Topic(rules: TopicRules(isServer: server, isClient: client))
            perform(topics[topic]?.rules.refresh() ?? [], of: topic)
        } else {
            perform(topics[topic]?.rules.change(isServer: server, isClient: client) ?? [], of: topic)
        }
    }

    /// Waits for the end of the first walk after ``join(_:server:client:)``.
    ///
    /// - Returns: Count of the other peers that were found.
    /// - Throws: ``RPCError``, with `noBootstrapNode` if no node answered and `notStored` if none stored the announcement.
    public func joined(_ topic: DHTTopic) async throws -> Int {
        guard let known = topics[topic], !isEnded else { throw CancellationError() }
        if let result = known.firstResult { return try result.get() }
        return try await withCheckedThrowingContinuation { topics[topic]?.waiters.append($0) }
    }

    /// Leaves a topic and removes the announcement. Connections stay.
    public func leave(_ topic: DHTTopic) {
        guard var known = topics.removeValue(forKey: topic) else { return }
        let actions = known.rules.leave()
        for waiter in known.waiters { waiter.resume(throwing: CancellationError()) }
        perform(actions, of: topic)
        perform(rules.leave(topic))
    }

    /// Looks all topics up again, after the network changed.
    public func refresh() {
        for topic in topics.keys { perform(topics[topic]?.rules.refresh() ?? [], of: topic) }
    }

    /// Connects to a peer by its key, or returns the open connection. The connection appears in ``connections`` as well.
    ///
    /// The swarm connects again when the connection ends, until ``disconnect(from:)``.
    /// - Throws: The error of the first attempt, after which the swarm does not retry: with ``DHTSwarmNode`` a ``ConnectError``,
    ///   whose code names the hop that failed; ``RPCError`` with code `overloaded` if the swarm knows too many peers;
    ///   `CancellationError` for the own key, and once the swarm has ended.
    public func connect(to key: PublicKey) async throws -> Node.Connection {
        guard !isEnded, key != rules.ownKey else { throw CancellationError() }
        if let existing = open.values.first(where: { $0.remotePublicKey == key }) { return existing }
        return try await withCheckedThrowingContinuation { continuation in
            guard let actions = rules.want(key, now: now) else {
                continuation.resume(throwing: RPCError(.overloaded, "too many peers"))
                return
            }
            connectWaiters[key, default: []].append(continuation)
            perform(actions)
        }
    }

    /// Closes the connection with a peer and no longer connects to it by its key.
    public func disconnect(from key: PublicKey) {
        perform(rules.unwant(key))
        for connection in open.values where connection.remotePublicKey == key { connection.drop() }
    }

    /// Connections that are open now.
    public var openConnections: [Node.Connection] { Array(open.values) }

    /// Closes all connections and stops all traffic, before the system suspends the process.
    public func suspend() async {
        guard !isSuspended, !isEnded else { return }
        isSuspended = true
        perform(rules.suspend())
        for connection in open.values { connection.drop() }
        await node.suspend()
    }

    /// Resumes: looks every topic up again and connects to the known peers.
    public func resume() async {
        guard isSuspended, !isEnded else { return }
        await node.resume()
        isSuspended = false
        perform(rules.resume(now: now))
        refresh()
    }

    // MARK: Work

    private var now: Duration { .nanoseconds((eventLoop.now - origin).nanoseconds) }

    // Each case is a function that is not inlined: otherwise the optimizer of Swift 6.3 loses track of the task's memory, and a release
    // build ends with "freed pointer was not the last allocation".
    private func perform(_ item: Work) async {
        switch item {
        case .dial(let id, let peer):
            await dial(id, peer)
        case .topic(let topic, let action):
            await perform(action, of: topic)
        case .listen:
            await keepListening()
        case .watch(let id, let connection):
            await watch(id, connection)
        }
    }

    @inline(never)
    private func watch(_ id: ConnectionID, _ connection: Node.Connection) async {
        await withTaskCancellationHandler {
            await connection.untilClosed()
        } onCancel: {
            // Half a second lets the peer read the written bytes and an orderly end; after that the connection is reset.
            eventLoop.execute { connection.end() }
            eventLoop.scheduleTask(in: .milliseconds(500)) { connection.drop() }
        }
        open[id] = nil
        perform(rules.close(id, now: now))
    }

    @inline(never)
    private func dial(_ id: ConnectionID, _ peer: PeerRecord) async {
        guard rules.key(of: id) != nil else { return }
        let attempt = Task { try await node.connect(to: peer) }
        cancellers[id] = { attempt.cancel() }
        let result = await withTaskCancellationHandler {
            await attempt.result
        } onCancel: {
            attempt.cancel()
        }
        cancellers[id] = nil
        switch result {
        case .success(let connection):
            arrived[id] = connection
            perform(rules.dialSucceeded(id, isExistingActive: isActive(peer.publicKey), now: now))
        case .failure(let error):
            perform(rules.dialFailed(id, now: now))
            guard let waiters = connectWaiters.removeValue(forKey: peer.publicKey) else { return }
            perform(rules.unwant(peer.publicKey))
            for waiter in waiters { waiter.resume(throwing: error) }
        }
    }

    private func accept(_ connection: Node.Connection) {
        let id = rules.makeID()
        arrived[id] = connection
        let key = connection.remotePublicKey
        perform(isEnded ? [.destroy(id)] : rules.accept(id, from: key, isExistingActive: isActive(key), now: now))
    }

    private func isActive(_ key: PublicKey) -> Bool {
        open.values.first { $0.remotePublicKey == key }?.carriesData ?? false
    }

    private func perform(_ actions: [ConnectionRules.Action]) {
        for action in actions {
            switch action {
            case .dial(let id, let peer):
                workContinuation.yield(.dial(id, peer))
            case .cancelDial(let id):
                cancellers.removeValue(forKey: id)?()
            case .open(let id, let key):
                guard let connection = arrived.removeValue(forKey: id) else { continue }
                open[id] = connection
                workContinuation.yield(.watch(id, connection))
                connectionContinuation.yield(connection)
                for waiter in connectWaiters.removeValue(forKey: key) ?? [] { waiter.resume(returning: connection) }
            case .destroy(let id):
                (arrived.removeValue(forKey: id) ?? open.removeValue(forKey: id))?.drop()
            case .sendKeepAlive(let id):
                open[id]?.probe()
            }
        }
        schedule()
    }

    @inline(never)
    private func keepListening() async {
        while !Task.isCancelled, !isEnded {
            do {
                try await node.listen { [weak self] connection in
                    guard let self else { return connection.drop() }
                    self.onEventLoop { $0.accept(connection) }
                }
                isReachable = true
                finishListening(.success(()))
                return
            } catch {
                // No node stored the announcement; the network may come back.
                finishListening(.failure(error))
                try? await Task.sleep(for: .seconds(5))
            }
        }
    }

    /// Waits for the end of the running attempt to listen.
    private func waitUntilReachable() async throws {
        if isReachable { return }
        if isEnded { throw CancellationError() }
        try await withCheckedThrowingContinuation { listenWaiters.append($0) }
    }

    private func finishListening(_ result: Result<Void, any Error>) {
        let waiters = listenWaiters
        listenWaiters = []
        for waiter in waiters { waiter.resume(with: result) }
    }

    private func perform(_ actions: [TopicRules.Action], of topic: DHTTopic) {
        for action in actions { workContinuation.yield(.topic(topic, action)) }
        schedule()
    }

    @inline(never)
    private func perform(_ action: TopicRules.Action, of topic: DHTTopic) async {
        let onHit: @Sendable (PeerDirectory.Hit) -> Void = { [weak self] hit in
            self?.onEventLoop { $0.receive(hit, of: topic) }
        }
        do {
            let result: PeerDirectory.Result
            switch action {
            case .lookup(let firstNodes):
                result = try await node.lookup(topic, firstNodes: firstNodes, onHit: onHit)
            case .announce(let firstNodes, let clearsOldRecords):
                try await waitUntilReachable()
                result = try await node.announce(topic, firstNodes: firstNodes, clearsOldRecords: clearsOldRecords, onHit: onHit)
            case .unannounce(let nodes):
                await node.unannounce(topic, at: nodes)
                return
            }
            perform(topics[topic]?.rules.finish(closest: result.closest, now: now) ?? [], of: topic)
            finishFirstWalk(of: topic, .success(topics[topic]?.found.count ?? 0))
        } catch {
            perform(topics[topic]?.rules.fail(now: now) ?? [], of: topic)
            finishFirstWalk(of: topic, .failure(error))
        }
    }

    private func finishFirstWalk(of topic: DHTTopic, _ result: Result<Int, any Error>) {
        guard let known = topics[topic] else { return }
        // A later success replaces an error of the first walk.
        if case .success? = known.firstResult { return }
        topics[topic]?.firstResult = result
        topics[topic]?.waiters = []
        for waiter in known.waiters { waiter.resume(with: result) }
    }

    private func receive(_ hit: PeerDirectory.Hit, of topic: DHTTopic) {
        guard let known = topics[topic], !isSuspended else { return }
        for peer in hit.peers where peer.publicKey != rules.ownKey {
            if known.found.count < 4096 { topics[topic]?.found.insert(peer.publicKey) }
            if known.rules.isClient { perform(rules.find(peer, topic: topic, now: now)) }
        }
    }

    private func schedule() {
        timer?.cancel()
        timer = nil
        guard !isSuspended, !isEnded else { return }
        let deadlines = topics.values.compactMap { $0.rules.deadline } + [rules.deadline].compactMap { $0 }
        guard let deadline = deadlines.min() else { return }
        let time = origin + .nanoseconds(max(now, deadline).swarmNanoseconds)
        timer = eventLoop.scheduleTask(deadline: time) { [weak self] in
            self?.onEventLoop { $0.timerFired() }
        }
    }

    private func timerFired() {
        for topic in topics.keys { perform(topics[topic]?.rules.advance(to: now) ?? [], of: topic) }
        perform(rules.advance(to: now))
    }

    /// Removes the announcements and closes the connections.
    private func shutDown() async {
        isEnded = true
        timer?.cancel()
        timer = nil
        workContinuation.finish()
        for connection in open.values { connection.drop() }
        for connection in arrived.values { connection.drop() }
        open = [:]
        arrived = [:]
        for waiter in connectWaiters.values.flatMap({ $0 }) { waiter.resume(throwing: CancellationError()) }
        connectWaiters = [:]
        let left = topics
        topics = [:]
        await withTaskGroup(of: Void.self) { group in
            for (topic, var known) in left {
                for waiter in known.waiters { waiter.resume(throwing: CancellationError()) }
                for case .unannounce(let nodes) in known.rules.leave() {
                    group.addTask { await self.node.unannounce(topic, at: nodes) }
                }
            }
            if isListening { group.addTask { await self.node.stopListening() } }
            await group.waitForAll()
        }
        connectionContinuation.finish()
    }
}

extension Duration {
    /// Whole nanoseconds, at most 292 years.
    fileprivate var swarmNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product &+ attoseconds / 1_000_000_000
    }
}
