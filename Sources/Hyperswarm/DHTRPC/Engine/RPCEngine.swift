public import CompactEncoding

/// All rules of one DHT node without sockets, clocks or tasks: datagrams, calls and the time go in, actions come out.
///
///     receive(datagram) ─┐                    ┌─► send a datagram
///     request, query ────┼──►  RPCEngine  ────┼─► a request or a walk ended
///     advance(to: now) ──┘                    └─► a request of another node waits for an answer
///
/// The owner runs ``takeActions()`` after every call, and ``advance(to:)`` at ``deadline``. Times are durations since an
/// origin that the owner chooses. Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.
public struct RPCEngine: Sendable {
    /// Work for the owner.
    public enum Action: Sendable {
        case send([UInt8], to: PeerAddress, from: SocketID)
        case requestFinished(RPCRequestID, Result<RPCReply, RPCError>)
        /// A request of the protocol above the DHT, for the owner to answer.
        case incoming(IncomingRequest)
        case queryReply(RPCQueryID, RPCReply)
        case queryFinished(RPCQueryID, RPCQueryResult)
        /// The first walk after the start ended. Zero answers: no bootstrap node answered.
        case bootstrapped(answerCount: Int)
    }

    enum Purpose {
        case caller
        case query(RPCQueryID)
        /// A ping that decides whether a node enters the table or stays in it.
        case check
        /// A ping of the oldest node of a full row. The newcomer replaces the node if it does not answer.
        case eviction(newcomer: PeerAddress)
    }

    struct RunningQuery {
        var walk: IterativeQuery
        var command: RPCCommand
        var value: [UInt8]?
        var maximumSends: Int
        var requests: Set<RPCRequestID> = []
        var isBootstrap = false
    }

    struct DelayedReply {
        var due: Duration
        var request: IncomingRequest
    }

    static let tickLength = Duration.seconds(5)
    /// Maximum pings in flight; beyond it, no further node is checked.
    static let maximumCheckCount = 32
    /// The lower maximum for pings because of hints that a node is down.
    static let maximumHintCheckCount = 10
    static let maximumDelayedReplyCount = 128
    static let maximumDelay: UInt32 = 10_000
    /// Maximum hints that this node sends per tick.
    static let hintsPerTick = 50

    public let configuration: RPCConfiguration
    /// The id of this node; nil for an ephemeral node, and for a persistent one until its address is known.
    public internal(set) var id: DHTKey?
    public internal(set) var table: RoutingTable
    public internal(set) var sampler = NATSampler()
    /// False while suspended.
    public internal(set) var isRunning = true

    var random: any RandomNumberGenerator & Sendable
    var tokens: TokenIssuer
    var requests: RequestTable
    var purposes: [RPCRequestID: (purpose: Purpose, to: PeerAddress)] = [:]
    var checking: Set<PeerAddress> = []
    var queries: [RPCQueryID: RunningQuery] = [:]
    var delayed: [DelayedReply] = []
    var actions: [Action] = []
    var lastNumber: UInt64 = 0
    var tick = 0
    var nextTick: Duration
    var lastRefreshTick = 0
    var hintsLeft = hintsPerTick
    var hasBootstrapped = false

    public init(
        configuration: RPCConfiguration, now: Duration = .zero,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        var random = random
        self.configuration = configuration
        if case .persistent(let address?) = configuration.role { id = DHTKey(nodeAt: address) }
        table = RoutingTable(id: id ?? DHTKey.random(using: &random))
        tokens = TokenIssuer(now: now, random: &random)
        requests = RequestTable(firstNumber: UInt16.random(in: 0...UInt16.max, using: &random), now: now)
        nextTick = now + Self.tickLength
        self.random = random
    }

    /// True for a node with an id, on which others store records.
    public var isPersistent: Bool { id != nil }

    /// The next time at which ``advance(to:)`` has work; nil while suspended.
    public var deadline: Duration? {
        guard isRunning else { return nil }
        var deadline = nextTick
        if let due = requests.deadline { deadline = min(deadline, due) }
        for reply in delayed { deadline = min(deadline, reply.due) }
        return deadline
    }

    /// Removes and returns the actions since the last call, in order.
    public mutating func takeActions() -> [Action] {
        defer { actions.removeAll(keepingCapacity: true) }
        return actions
    }

    // MARK: Lifecycle

    /// Joins the network: walks towards the own id, beginning with the bootstrap nodes.
    public mutating func start(now: Duration) {
        bootstrap(now: now)
    }

    /// Stops all traffic. Every waiting request ends with the code `closed`.
    public mutating func suspend() {
        isRunning = false
        for entry in requests.removeAll() {
            guard let known = purposes.removeValue(forKey: entry.id) else { continue }
            if case .caller = known.purpose { actions.append(.requestFinished(entry.id, .failure(RPCError(.closed)))) }
        }
        purposes = [:]
        checking = []
        delayed = []
        for (query, running) in queries.sorted(by: { $0.key.number < $1.key.number }) { finish(query, running) }
        queries = [:]
    }

    /// Resumes after ``suspend()``, perhaps in another network.
    public mutating func resume(now: Duration) {
        guard !isRunning else { return }
        isRunning = true
        sampler = NATSampler()
        nextTick = now + Self.tickLength
        tokens.advance(to: now, random: &random)
        bootstrap(now: now)
    }

    /// Performs all due work.
    public mutating func advance(to now: Duration) {
        guard isRunning else { return }
        for reply in delayed where reply.due <= now { self.reply(to: reply.request) }
        delayed.removeAll { $0.due <= now }
        if now >= nextTick {
            // A process that slept does the work of one tick, not of all that it missed.
            nextTick = now - nextTick > Self.tickLength ? now + Self.tickLength : nextTick + Self.tickLength
            runTick(now: now)
        }
        drive(now: now)
    }

    // MARK: Calls

    /// Sends a request and repeats it until an answer comes.
    ///
    /// - Parameter maximumSends: Maximum datagrams, sent one per second; at least 1.
    public mutating func request(
        _ command: RPCCommand, to address: PeerAddress, target: DHTKey? = nil, value: [UInt8]? = nil, token: [UInt8]? = nil,
        socket: SocketID = .main, maximumSends: Int = 4, now: Duration
    ) -> RPCRequestID {
        let request = submit(
            command, to: address, target: target, value: value, token: token, socket: socket, maximumSends: maximumSends,
            purpose: .caller)
        drive(now: now)
        return request
    }

    /// Cancels a request; no action reports its end.
    public mutating func cancel(_ request: RPCRequestID, now: Duration) {
        requests.cancel(request)
        purposes[request] = nil
        drive(now: now)
    }

    /// Begins a walk towards a target that sends a command to each node on the way.
    ///
    /// - Parameter firstNodes: Nodes to begin with; if empty, the nearest known nodes.
    public mutating func query(
        _ command: RPCCommand, target: DHTKey, value: [UInt8]? = nil, firstNodes: [PeerAddress] = [], maximumSends: Int = 6,
        now: Duration
    ) -> RPCQueryID {
        let query = begin(command, target: target, value: value, firstNodes: firstNodes, maximumSends: maximumSends)
        drive(now: now)
        return query
    }

    /// Cancels a walk; no action reports its end.
    public mutating func cancel(_ query: RPCQueryID, now: Duration) {
        guard let running = queries.removeValue(forKey: query) else { return }
        drop(running)
        drive(now: now)
    }

    /// Answers a request of another node.
    ///
    /// - Parameters:
    ///   - includesToken: True to include a token for a later write.
    ///   - includesCloserNodes: True to include up to 20 nodes near the target, if the request has a target.
    public mutating func reply(
        to request: IncomingRequest, value: [UInt8]? = nil, error: UInt64 = 0, includesToken: Bool = false,
        includesCloserNodes: Bool = false
    ) {
        var response = RPCResponse(transactionID: request.message.transactionID, to: request.from, error: error, value: value)
        if includesToken { response.token = tokens.token(for: request.from) }
        if includesCloserNodes, let target = request.message.target { response.closerNodes = table.closest(to: target) }
        send(response, from: request.socket)
    }

    /// Sends a response that this node composed itself, such as one that it relays.
    public mutating func send(_ response: RPCResponse, from socket: SocketID = .main) {
        guard isRunning, response.to.isSendable else { return }
        var response = response
        response.id = socket == .main ? id : nil
        actions.append(.send(response.encode(), to: response.to, from: socket))
    }

    /// Sends a request once, with its own transaction id, and expects no answer: the form of relayed messages.
    public mutating func send(_ request: RPCRequest, from socket: SocketID = .main) {
        guard isRunning, request.to.isSendable else { return }
        var request = request
        request.id = socket == .main ? id : nil
        actions.append(.send(request.encode(), to: request.to, from: socket))
    }
}
