public import CompactEncoding
public import NIOCore
public import UDX

/// A node of the DHT on one event loop: ``RPCEngine`` with sockets and timers.
///
/// The actor runs on its event loop: channel handlers and other actors of the loop call it synchronously with
/// `onEventLoop`, without a task for each datagram.
public actor RPCNode: EventLoopConfined {
    public nonisolated let eventLoop: any EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    public typealias RequestCompletion = @Sendable (Result<RPCReply, RPCError>) -> Void
    /// Receives each answer of a walk; returns false to end the walk early.
    public typealias ReplyHandler = @Sendable (RPCReply) -> Bool

    private struct QueryWaiter {
        var onReply: ReplyHandler?
        var onEnd: @Sendable (Result<RPCQueryResult, RPCError>) -> Void
        var replies: [RPCReply] = []
    }

    private var engine: RPCEngine
    private let origin: NIODeadline
    private var transports: [SocketID: any DatagramTransport]
    private var lastSocketNumber = 0
    private var requestHandler: (@Sendable (IncomingRequest) -> Void)?
    private var requests: [RPCRequestID: RequestCompletion] = [:]
    private var queries: [RPCQueryID: QueryWaiter] = [:]
    private var bootstrapWaiters: [CheckedContinuation<Int, Never>] = []
    private var bootstrapAnswerCount: Int?
    private var timer: Scheduled<Void>?
    private var timerDeadline: NIODeadline?
    private var isProcessing = false

    /// - Parameter transport: Socket of the node, bound and on `eventLoop`.
    public init(configuration: RPCConfiguration, transport: any DatagramTransport, eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        origin = eventLoop.now
        engine = RPCEngine(configuration: configuration)
        transports = [.main: transport]
    }

    // MARK: State

    /// Address of the main socket.
    public var localAddress: PeerAddress { transports[.main]?.localAddress ?? PeerAddress(octets: 0, port: 0) }
    /// This node's address on which the samples of other nodes agree. Port 0 if they agree on the host only; nil if on neither.
    public var publicAddress: PeerAddress? { engine.sampler.address }
    /// The id of this node; nil for an ephemeral node, and for a persistent one until its address is known.
    public var id: DHTKey? { engine.id }
    public var isPersistent: Bool { engine.isPersistent }
    /// Nodes in the routing table.
    public var knownNodes: [PeerAddress] { engine.table.nodes.map(\.address) }

    public var bootstrapNodes: [PeerAddress] { engine.configuration.bootstrap }

    // MARK: Lifecycle

    /// Joins the network. Does not wait; see ``bootstrapped()``.
    public func start() {
        engine.start(now: now)
        process()
    }

    /// Waits for the end of the first walk.
    ///
    /// - Returns: Count of the nodes that answered; zero if no bootstrap node answered.
    public func bootstrapped() async -> Int {
        if let bootstrapAnswerCount { return bootstrapAnswerCount }
        return await withCheckedContinuation { bootstrapWaiters.append($0) }
    }

    /// Sets the handler of requests that the DHT itself does not answer. Without a handler, the error is "unknown command".
    public func setRequestHandler(_ handler: (@Sendable (IncomingRequest) -> Void)?) {
        requestHandler = handler
    }

    /// Stops all traffic; waiting requests fail with the code `closed`. The sockets stay open.
    public func suspend() {
        engine.suspend()
        process()
    }

    /// Resumes after ``suspend()``.
    ///
    /// - Parameter transport: A new main socket, if the old one was closed meanwhile.
    public func resume(transport: (any DatagramTransport)? = nil) {
        if let transport { transports[.main] = transport }
        engine.resume(now: now)
        process()
    }

    /// Closes the node. The owner closes the sockets.
    public func close() {
        suspend()
        timer?.cancel()
        timer = nil
        requestHandler = nil
        let waiters = bootstrapWaiters
        bootstrapWaiters = []
        for waiter in waiters { waiter.resume(returning: 0) }
    }

    /// Adds a socket, such as one for hole punching, and returns its id, which outgoing and incoming requests carry.
    public func attach(_ transport: any DatagramTransport) -> SocketID {
        lastSocketNumber += 1
        let socket = SocketID(number: lastSocketNumber)
        transports[socket] = transport
        return socket
    }

    public func detach(_ socket: SocketID) {
        if socket != .main { transports[socket] = nil }
    }

    // MARK: Datagrams

    /// Processes a datagram that a socket received.
    public func receive(_ datagram: ByteBuffer, from source: PeerAddress, on socket: SocketID = .main) {
        engine.receive(Array(datagram.readableBytesView), from: source, on: socket, now: now)
        process()
    }

    // MARK: Requests

    /// Sends a request and waits for the answer.
    ///
    /// - Parameter maximumSends: Maximum datagrams, sent one per second; at least 1.
    /// - Throws: ``RPCError`` with `timedOut`, `overloaded` or `closed`. An answer with an error number is a reply.
    public func request(
        _ command: RPCCommand, to address: PeerAddress, target: DHTKey? = nil, value: [UInt8]? = nil, token: [UInt8]? = nil,
        socket: SocketID = .main, maximumSends: Int = 4
    ) async throws(RPCError) -> RPCReply {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<RPCReply, RPCError>, Never>) in
            startRequest(
                command, to: address, target: target, value: value, token: token, socket: socket, maximumSends: maximumSends
            ) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Sends a request and calls `completion` on the event loop.
    @discardableResult
    public func startRequest(
        _ command: RPCCommand, to address: PeerAddress, target: DHTKey? = nil, value: [UInt8]? = nil, token: [UInt8]? = nil,
        socket: SocketID = .main, maximumSends: Int = 4, completion: @escaping RequestCompletion
    ) -> RPCRequestID {
        let request = engine.request(
            command, to: address, target: target, value: value, token: token, socket: socket, maximumSends: maximumSends, now: now)
        requests[request] = completion
        process()
        return request
    }

    /// Cancels a request; its completion is called with the code `closed`.
    public func cancel(_ request: RPCRequestID) {
        engine.cancel(request, now: now)
        requests.removeValue(forKey: request)?(.failure(RPCError(.closed, "cancelled")))
        process()
    }

    /// Sends a ping and waits for the answer.
    public func ping(_ address: PeerAddress, socket: SocketID = .main, maximumSends: Int = 4) async throws(RPCError) -> RPCReply {
        try await request(.ping, to: address, socket: socket, maximumSends: maximumSends)
    }

    /// Walks towards a target and waits for the end.
    ///
    /// - Parameters:
    ///   - firstNodes: Nodes to begin with; if empty, the nearest known nodes.
    ///   - onReply: Called on the event loop with every answer.
    /// - Throws: ``RPCError`` with `noBootstrapNode` if no node answered at all, or `closed`.
    @discardableResult
    public func query(
        _ command: RPCCommand, target: DHTKey, value: [UInt8]? = nil, firstNodes: [PeerAddress] = [], maximumSends: Int = 6,
        onReply: ReplyHandler? = nil
    ) async throws(RPCError) -> RPCQueryResult {
        let cancellation = QueryCancellation()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<RPCQueryResult, RPCError>, Never>) in
                let query = engine.query(
                    command, target: target, value: value, firstNodes: firstNodes, maximumSends: maximumSends, now: now)
                queries[query] = QueryWaiter(onReply: onReply, onEnd: { continuation.resume(returning: $0) })
                cancellation.query = query
                process()
                if Task.isCancelled { cancel(query) }
            }
        } onCancel: {
            // The event loop orders this after the body above, which runs on it.
            eventLoop.execute { self.onEventLoop { if let query = cancellation.query { $0.cancel(query) } } }
        }
        return try result.get()
    }

    /// Id of a running walk. Safe to send because only code on the event loop accesses it.
    private final class QueryCancellation: @unchecked Sendable {
        var query: RPCQueryID?
    }

    private func cancel(_ query: RPCQueryID) {
        engine.cancel(query, now: now)
        queries.removeValue(forKey: query)?.onEnd(.failure(RPCError(.closed, "cancelled")))
        process()
    }

    /// Answers a request of another node.
    public func reply(
        to request: IncomingRequest, value: [UInt8]? = nil, error: UInt64 = 0, includesToken: Bool = false,
        includesCloserNodes: Bool = false
    ) {
        engine.reply(
            to: request, value: value, error: error, includesToken: includesToken, includesCloserNodes: includesCloserNodes)
        process()
    }

    /// Sends a response that was composed elsewhere: the form of relayed answers.
    public func send(_ response: RPCResponse, from socket: SocketID = .main) {
        engine.send(response, from: socket)
        process()
    }

    /// Sends a request once, with its own transaction id, and expects no answer.
    public func send(_ request: RPCRequest, from socket: SocketID = .main) {
        engine.send(request, from: socket)
        process()
    }

    // MARK: Engine

    private var now: Duration { .nanoseconds((eventLoop.now - origin).nanoseconds) }

    /// Carries out the actions of the engine and sets the timer. A call from within an action returns at once.
    private func process() {
        guard !isProcessing else { return }
        isProcessing = true
        while case let actions = engine.takeActions(), !actions.isEmpty {
            for action in actions { perform(action) }
        }
        isProcessing = false
        schedule()
    }

    private func perform(_ action: RPCEngine.Action) {
        switch action {
        case .send(let bytes, let address, let socket):
            transports[socket]?.send(ByteBuffer(bytes: bytes), to: address)
        case .requestFinished(let request, let result):
            requests.removeValue(forKey: request)?(result)
        case .incoming(let request):
            if let requestHandler {
                requestHandler(request)
            } else {
                engine.reply(to: request, error: RPCErrorNumber.unknownCommand, includesCloserNodes: true)
            }
        case .queryReply(let query, let reply):
            guard let onReply = queries[query]?.onReply, !onReply(reply) else { return }
            engine.cancel(query, now: now)
            queries.removeValue(forKey: query)?.onEnd(.success(RPCQueryResult(closest: [reply], answerCount: 1, failureCount: 0)))
        case .queryFinished(let query, let result):
            guard let waiter = queries.removeValue(forKey: query) else { return }
            if result.answerCount > 0 {
                waiter.onEnd(.success(result))
            } else if engine.isRunning {
                waiter.onEnd(.failure(RPCError(.noBootstrapNode, "no node answered, \(result.failureCount) failed")))
            } else {
                waiter.onEnd(.failure(RPCError(.closed)))
            }
        case .bootstrapped(let answerCount):
            bootstrapAnswerCount = max(bootstrapAnswerCount ?? 0, answerCount)
            let waiters = bootstrapWaiters
            bootstrapWaiters = []
            for waiter in waiters { waiter.resume(returning: answerCount) }
        }
    }

    private func schedule() {
        guard let deadline = engine.deadline else {
            timer?.cancel()
            timer = nil
            timerDeadline = nil
            return
        }
        let time = origin + .nanoseconds(Int64(clamping: deadline.nanoseconds))
        // An earlier timer that is still set fires and sets the next one; most datagrams need no new timer.
        if let timerDeadline, timerDeadline <= time, timer != nil { return }
        timer?.cancel()
        timerDeadline = time
        timer = eventLoop.scheduleTask(deadline: time) { [weak self] in
            self?.onEventLoop { $0.timerFired() }
        }
    }

    private func timerFired() {
        timer = nil
        timerDeadline = nil
        engine.advance(to: now)
        process()
    }
}

extension Duration {
    /// Whole nanoseconds, at most 292 years.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product &+ attoseconds / 1_000_000_000
    }
}
