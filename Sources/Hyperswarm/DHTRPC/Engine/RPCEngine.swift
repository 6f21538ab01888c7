public import CompactEncoding

/// All rules of one DHT node without sockets, clocks or tasks: datagrams, calls and the time go in, actions come out.
///
///     receive(datagram) ─┐                    ┌─► send a datagram
///     request, query ────┼──►  RPCEngine  ────┼─► a request or a query ended
///     advance(to: now) ──┘                    └─► a request of another node waits for an answer
///
/// The owner runs ``takeActions()`` after every call, and ``advance(to:)`` at ``deadline``. Times are durations since an
/// origin that the owner chooses. Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.
public struct RPCEngine: Sendable {
    /// Work for the owner.
    public enum Action: Sendable {
        case send([UInt8], to: PeerAddress, from: SocketID)
        case requestFinished(RPCRequestID, Result<RPCReply, RPCError>)
        /// A request that the DHT itself does not answer.
        case incoming(IncomingRequest)
        case queryReply(RPCQueryID, RPCReply)
        case queryFinished(RPCQueryID, RPCQueryResult)
        /// The first walk after the start ended. Zero answers: no bootstrap node answered.
        case bootstrapped(answerCount: Int)
    }

    private enum Purpose {
        case caller
        case query(RPCQueryID)
        /// A ping that decides whether a node belongs into the table.
        case check
        /// A ping that decides whether the newcomer takes a node's place.
        case eviction(newcomer: PeerAddress)
    }

    private struct RunningQuery {
        var walk: IterativeQuery
        var command: RPCCommand
        var value: [UInt8]?
        var maximumSends: Int
        var requests: Set<RPCRequestID> = []
        var isBootstrap = false
    }

    private struct DelayedReply {
        var due: Duration
        var request: IncomingRequest
    }

    static let tickLength = Duration.seconds(5)
    /// Pings in flight for nodes that want to enter the table.
    static let maximumCheckCount = 32
    /// Pings in flight because of hints that a node is down.
    static let maximumHintCheckCount = 10
    static let maximumDelayedReplyCount = 128
    static let maximumDelay: UInt32 = 10_000
    /// Hints that this node sends in one tick.
    static let hintsPerTick = 50

    public let configuration: RPCConfiguration
    /// Id of a persistent node whose address is known.
    public private(set) var id: DHTKey?
    public private(set) var table: RoutingTable
    public private(set) var sampler = NATSampler()
    /// False while suspended.
    public private(set) var isRunning = true

    private var random: any RandomNumberGenerator & Sendable
    private var tokens: TokenIssuer
    private var requests: RequestTable
    private var purposes: [RPCRequestID: (purpose: Purpose, to: PeerAddress)] = [:]
    private var checking: Set<PeerAddress> = []
    private var queries: [RPCQueryID: RunningQuery] = [:]
    private var delayed: [DelayedReply] = []
    private var actions: [Action] = []
    private var lastNumber: UInt64 = 0
    private var tick = 0
    private var nextTick: Duration
    private var lastRefreshTick = 0
    private var hintsLeft = hintsPerTick
    private var hasBootstrapped = false

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

    /// True for a node that others store records on.
    public var isPersistent: Bool { id != nil }

    /// The time at which ``advance(to:)`` has something to do. Nil while suspended.
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

    // MARK: - Life

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

    /// Goes on after ``suspend()``, perhaps in another network.
    public mutating func resume(now: Duration) {
        guard !isRunning else { return }
        isRunning = true
        sampler = NATSampler()
        nextTick = now + Self.tickLength
        tokens.advance(to: now, random: &random)
        bootstrap(now: now)
    }

    /// Does all work whose time has come.
    public mutating func advance(to now: Duration) {
        guard isRunning else { return }
        for reply in delayed where reply.due <= now { answer(reply.request) }
        delayed.removeAll { $0.due <= now }
        if now >= nextTick {
            // A process that slept does the work of one tick, not of all that it missed.
            nextTick = now - nextTick > Self.tickLength ? now + Self.tickLength : nextTick + Self.tickLength
            runTick(now: now)
        }
        drive(now: now)
    }

    // MARK: - Calls

    /// Sends a request and repeats it until an answer comes.
    ///
    /// - Parameter maximumSends: Datagrams in all, one a second. 1 or more.
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

    /// Forgets a request; no action reports its end.
    public mutating func cancel(_ request: RPCRequestID, now: Duration) {
        requests.cancel(request)
        purposes[request] = nil
        drive(now: now)
    }

    /// Walks towards a target and asks each node on the way with a command.
    ///
    /// - Parameter firstNodes: Nodes to begin with. Where empty, the nearest known ones.
    public mutating func query(
        _ command: RPCCommand, target: DHTKey, value: [UInt8]? = nil, firstNodes: [PeerAddress] = [], maximumSends: Int = 6,
        now: Duration
    ) -> RPCQueryID {
        let query = begin(command, target: target, value: value, firstNodes: firstNodes, maximumSends: maximumSends)
        drive(now: now)
        return query
    }

    /// Ends a walk early; no action reports its end.
    public mutating func cancel(_ query: RPCQueryID, now: Duration) {
        guard let running = queries.removeValue(forKey: query) else { return }
        drop(running)
        drive(now: now)
    }

    /// Answers a request of another node.
    ///
    /// - Parameters:
    ///   - includesToken: A token for a write that may follow.
    ///   - includesCloserNodes: Up to 20 nodes near the target, where the request has one.
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

    /// Sends a request once, with the number that it has, and expects no answer: the form of relayed messages.
    public mutating func send(_ request: RPCRequest, from socket: SocketID = .main) {
        guard isRunning, request.to.isSendable else { return }
        var request = request
        request.id = socket == .main ? id : nil
        actions.append(.send(request.encode(), to: request.to, from: socket))
    }

    // MARK: - Datagrams

    /// Takes a datagram. Malformed and unexpected ones are dropped without a reply.
    public mutating func receive(_ datagram: [UInt8], from source: PeerAddress, on socket: SocketID = .main, now: Duration) {
        guard isRunning, source.isSendable, let message = RPCMessage(datagram) else { return }
        switch message {
        case .request(let request):
            receive(request, from: source, on: socket, now: now)
        case .response(let response):
            receive(response, from: source, on: socket, now: now)
        }
        drive(now: now)
    }

    private mutating func receive(_ message: RPCRequest, from source: PeerAddress, on socket: SocketID, now: Duration) {
        tokens.advance(to: now, random: &random)
        var request = IncomingRequest(from: source, socket: socket, message: message)
        // A request proves nothing about its source: the node has to answer a ping before it enters the table.
        if message.id == DHTKey(nodeAt: source) { check(source, limit: Self.maximumCheckCount) }
        if let token = message.token {
            guard tokens.isValid(token, for: source) else {
                reply(to: request, error: RPCErrorNumber.invalidToken, includesToken: true, includesCloserNodes: true)
                return
            }
            request.hasValidToken = true
        }
        if message.command.isInternal {
            receiveInternal(request, now: now)
        } else {
            actions.append(.incoming(request))
        }
    }

    private mutating func receiveInternal(_ request: IncomingRequest, now: Duration) {
        switch request.message.command {
        case .ping:
            answer(request)
        case .pingNAT:
            var decoder = Decoder(request.message.value ?? [])
            guard let port = try? decoder.readUInt16(), port != 0 else { return }
            var redirected = request
            redirected.from.port = port
            answer(redirected)
        case .findNode:
            guard request.message.target != nil else { return }
            reply(to: request, includesCloserNodes: true)
        case .downHint:
            var decoder = Decoder(request.message.value ?? [])
            guard let address = try? decoder.readAddress() else { return }
            if table.contains(address) { ping(address, purpose: .check, limit: Self.maximumHintCheckCount) }
            answer(request)
        case .delayedPing:
            var decoder = Decoder(request.message.value ?? [])
            guard let delay = try? decoder.readUInt32(), delay <= Self.maximumDelay, delayed.count < Self.maximumDelayedReplyCount
            else {
                return
            }
            delayed.append(DelayedReply(due: now + .milliseconds(Int64(delay)), request: request))
        default:
            reply(to: request, error: RPCErrorNumber.unknownCommand, includesCloserNodes: true)
        }
    }

    private mutating func answer(_ request: IncomingRequest) {
        reply(to: request)
    }

    private mutating func receive(_ response: RPCResponse, from source: PeerAddress, on socket: SocketID, now: Duration) {
        guard let entry = requests.answer(response, from: source), let known = purposes.removeValue(forKey: entry.id) else {
            return
        }
        let reply = RPCReply(
            from: source, to: response.to, id: response.id == DHTKey(nodeAt: source) ? response.id : nil, token: response.token,
            closerNodes: response.closerNodes.prefix(RPCResponse.maximumCloserNodeCount).filter { !DroppedNodes.contains($0) },
            error: response.error, value: response.value, roundTrip: now - entry.firstSent, socket: socket)
        if socket == .main, entry.socket == .main, response.to.isSendable {
            sampler.add(response.to, from: source)
            adoptSampledAddress()
        }
        checking.remove(source)
        if reply.id != nil { enter(source, now: now) }
        switch known.purpose {
        case .caller:
            actions.append(.requestFinished(entry.id, .success(reply)))
        case .query(let query):
            queries[query]?.requests.remove(entry.id)
            guard queries[query] != nil else { return }
            queries[query]?.walk.receive(reply)
            actions.append(.queryReply(query, reply))
        case .check, .eviction:
            break
        }
    }

    // MARK: - Table

    private mutating func enter(_ address: PeerAddress, now: Duration) {
        guard !DroppedNodes.contains(address), DHTKey(nodeAt: address) != id else { return }
        if case .full(let oldest) = table.insert(address, now: now), now - max(oldest.lastSeen, oldest.lastPinged) > Self.tickLength
        {
            table.notePing(of: oldest.address, now: now)
            ping(oldest.address, purpose: .eviction(newcomer: address), limit: Self.maximumCheckCount)
        }
    }

    private mutating func check(_ address: PeerAddress, limit: Int) {
        guard DHTKey(nodeAt: address) != id, !DroppedNodes.contains(address), !table.contains(address) else { return }
        // Few repetitions: the source may be forged, and its owner did not ask for these.
        ping(address, purpose: .check, limit: limit, maximumSends: 2)
    }

    private mutating func ping(_ address: PeerAddress, purpose: Purpose, limit: Int, maximumSends: Int = 4) {
        guard checking.count < limit, !checking.contains(address) else { return }
        checking.insert(address)
        _ = submit(
            .ping, to: address, target: nil, value: nil, token: nil, socket: .main, maximumSends: maximumSends, purpose: purpose)
    }

    /// Takes the address that others agree on as the own one, where a persistent node was not told.
    private mutating func adoptSampledAddress() {
        guard configuration.role == .persistent(nil), id == nil, sampler.sampleCount >= 3, let address = sampler.address,
            address.port != 0
        else { return }
        adopt(address)
    }

    /// Makes a node persistent at an address that others reach, and sorts the table around its id.
    private mutating func adopt(_ address: PeerAddress) {
        let own = DHTKey(nodeAt: address)
        id = own
        var sorted = RoutingTable(id: own)
        for node in table.nodes where node.id != own { _ = sorted.insert(node.address, now: node.lastSeen) }
        table = sorted
    }

    private mutating func bootstrap(now: Duration) {
        lastRefreshTick = tick
        let query = begin(.findNode, target: table.id, value: nil, firstNodes: [], maximumSends: 4)
        queries[query]?.isBootstrap = true
        drive(now: now)
    }

    private mutating func runTick(now: Duration) {
        tick += 1
        hintsLeft = Self.hintsPerTick
        tokens.advance(to: now, random: &random)
        if tick % 8 == 0 {
            for node in table.oldest(5) where now - max(node.lastSeen, node.lastPinged) > Self.tickLength * 8 {
                table.notePing(of: node.address, now: now)
                ping(node.address, purpose: .check, limit: Self.maximumCheckCount)
            }
        }
        let idle = tick - lastRefreshTick
        let isSmall = table.count < RoutingTable.rowCapacity
        // A node that lost everybody asks its bootstrap nodes again soon.
        if idle >= 60 || (isSmall && tick % 64 == 0) || (table.count == 0 && idle >= 4) {
            if !queries.values.contains(where: \.isBootstrap) { bootstrap(now: now) }
        }
    }

    // MARK: - Requests and walks

    private mutating func number() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private mutating func submit(
        _ command: RPCCommand, to address: PeerAddress, target: DHTKey?, value: [UInt8]?, token: [UInt8]?, socket: SocketID,
        maximumSends: Int, purpose: Purpose
    ) -> RPCRequestID {
        let request = RPCRequestID(number: number())
        purposes[request] = (purpose, address)
        var message = RPCRequest(transactionID: 0, to: address, token: token, command: command, target: target, value: value)
        message.id = socket == .main ? id : nil
        let entry = RequestTable.Entry(id: request, socket: socket, message: message, bytes: [], maximumSends: max(1, maximumSends))
        if !isRunning || !address.isSendable {
            fail(request, entry: entry, RPCError(isRunning ? .timedOut : .closed, "\(address)"))
        } else if !requests.submit(entry) {
            fail(request, entry: entry, RPCError(.overloaded))
        }
        return request
    }

    private mutating func fail(_ request: RPCRequestID, entry: RequestTable.Entry, _ error: RPCError) {
        guard let known = purposes.removeValue(forKey: request) else { return }
        let address = known.to
        switch known.purpose {
        case .caller:
            actions.append(.requestFinished(request, .failure(error)))
        case .query(let query):
            queries[query]?.requests.remove(request)
            if let referrer = queries[query]?.walk.fail(address), error.code == .timedOut { hint(to: referrer, about: address) }
        case .check:
            checking.remove(address)
        case .eviction(let newcomer):
            checking.remove(address)
            if entry.sends >= 4 {
                table.remove(address)
                _ = table.insert(newcomer, now: entry.due)
            }
        }
        if error.code == .timedOut, entry.sends >= 4 { table.remove(address) }
    }

    /// Tells a node that an address which it named does not answer.
    private mutating func hint(to referrer: PeerAddress, about address: PeerAddress) {
        guard hintsLeft > 0 else { return }
        hintsLeft -= 1
        let transactionID = UInt16.random(in: 0...UInt16.max, using: &random)
        send(RPCRequest(transactionID: transactionID, to: referrer, command: .downHint, value: address.encoded))
    }

    private mutating func begin(
        _ command: RPCCommand, target: DHTKey, value: [UInt8]?, firstNodes: [PeerAddress], maximumSends: Int
    ) -> RPCQueryID {
        let query = RPCQueryID(number: number())
        var firstNodes = firstNodes.isEmpty ? table.closest(to: target) : firstNodes
        if firstNodes.count < RoutingTable.rowCapacity { firstNodes += configuration.bootstrap }
        if case .persistent(let own?) = configuration.role { firstNodes.removeAll { $0 == own } }
        queries[query] = RunningQuery(
            walk: IterativeQuery(target: target, ownID: id, firstNodes: firstNodes), command: command, value: value,
            maximumSends: maximumSends)
        return query
    }

    /// Sends what may be sent and ends what is over, until nothing changes.
    private mutating func drive(now: Duration) {
        guard isRunning else {
            for (query, running) in queries { finish(query, running) }
            queries = [:]
            return
        }
        var changed = true
        while changed {
            changed = false
            for query in queries.keys.sorted(by: { $0.number < $1.number }) {
                while let address = queries[query]?.walk.next() {
                    guard let running = queries[query] else { break }
                    let request = submit(
                        running.command, to: address, target: running.walk.target, value: running.value, token: nil, socket: .main,
                        maximumSends: running.maximumSends, purpose: .query(query))
                    if purposes[request] != nil { queries[query]?.requests.insert(request) }
                    changed = true
                }
                if let running = queries[query], running.walk.isFinished {
                    queries[query] = nil
                    drop(running)
                    finish(query, running)
                    changed = true
                }
            }
            for outcome in requests.advance(to: now) {
                switch outcome {
                case .send(let entry):
                    actions.append(.send(entry.bytes, to: entry.message.to, from: entry.socket))
                case .slow(let request):
                    guard let known = purposes[request], case .query(let query) = known.purpose else { continue }
                    queries[query]?.walk.noteSlow(known.to)
                    changed = true
                case .failed(let entry):
                    fail(entry.id, entry: entry, RPCError(.timedOut, "\(entry.message.to)"))
                    changed = true
                }
            }
        }
    }

    private mutating func drop(_ running: RunningQuery) {
        for request in running.requests {
            requests.cancel(request)
            purposes[request] = nil
        }
    }

    private mutating func finish(_ query: RPCQueryID, _ running: RunningQuery) {
        let walk = running.walk
        if running.isBootstrap {
            if !hasBootstrapped || walk.answerCount > 0 { actions.append(.bootstrapped(answerCount: walk.answerCount)) }
            hasBootstrapped = true
        } else {
            actions.append(
                .queryFinished(
                    query, RPCQueryResult(closest: walk.closest, answerCount: walk.answerCount, failureCount: walk.failureCount)))
        }
    }
}

/// Identifies one walk of a node, never reused.
public struct RPCQueryID: Hashable, Sendable {
    let number: UInt64
}

/// Result of a walk towards a target.
public struct RPCQueryResult: Hashable, Sendable {
    /// The closest nodes that answered with a valid id, the nearest first; 20 at most.
    public var closest: [RPCReply]
    /// Nodes that answered without an error.
    public var answerCount: Int
    /// Nodes that did not answer or answered with an error.
    public var failureCount: Int

    public init(closest: [RPCReply], answerCount: Int, failureCount: Int) {
        self.closest = closest
        self.answerCount = answerCount
        self.failureCount = failureCount
    }
}
