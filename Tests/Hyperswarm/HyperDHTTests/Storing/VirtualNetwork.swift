import CompactEncoding

@testable import DHTRPC

/// A network in memory with virtual time: engines, datagrams with loss and delay, no sockets and no waiting.
final class VirtualNetwork {
    struct Node {
        var engine: RPCEngine
        var requests: [RPCRequestID: Result<RPCReply, RPCError>] = [:]
        var queries: [RPCQueryID: RPCQueryResult] = [:]
        var replies: [RPCQueryID: [RPCReply]] = [:]
        var bootstraps: [Int] = []
        var isDown = false
    }

    struct Datagram {
        var time: Duration
        var bytes: [UInt8]
        var from: PeerAddress
        var to: PeerAddress
    }

    var now = Duration.zero
    var nodes: [PeerAddress: Node] = [:]
    /// Ordered by time, the next one last.
    private var inFlight: [Datagram] = []
    private var deadlines: [PeerAddress: Duration] = [:]
    var sent: [Datagram] = []
    var recordsTraffic = false
    var lossPercentage = 0
    var delay: ClosedRange<Int> = 1...5
    var random = SplitMix64(state: 7)
    /// Answers requests that the DHT itself does not.
    var onIncoming: ((inout RPCEngine, IncomingRequest) -> Void)?

    func add(_ address: PeerAddress, role: RPCConfiguration.Role = .ephemeral, bootstrap: [PeerAddress]) {
        let configuration = RPCConfiguration(bootstrap: bootstrap, role: role)
        nodes[address] = Node(engine: RPCEngine(configuration: configuration, now: now, random: SplitMix64(state: random.next())))
        call(address) { $0.start(now: $1) }
    }

    /// Adds `count` persistent nodes that know the first one.
    func addPersistentNodes(_ count: Int, host: UInt32 = 0x7f00_0001) -> [PeerAddress] {
        let addresses = (0..<count).map { PeerAddress(octets: host, port: UInt16(40_000 + $0)) }
        for address in addresses {
            add(address, role: .persistent(address), bootstrap: address == addresses[0] ? [] : [addresses[0]])
            run(for: .milliseconds(50))
        }
        return addresses
    }

    /// Takes a node off the network, as a crash does.
    func shutDown(_ address: PeerAddress) {
        nodes[address]?.isDown = true
        deadlines[address] = nil
    }

    /// Calls an engine and carries out its actions.
    @discardableResult
    func call<Value>(_ address: PeerAddress, _ body: (inout RPCEngine, Duration) -> Value) -> Value? {
        guard var node = nodes[address] else { return nil }
        let value = body(&node.engine, now)
        while case let actions = node.engine.takeActions(), !actions.isEmpty {
            for action in actions {
                switch action {
                case .send(let bytes, let target, _): send(bytes, from: address, to: target)
                case .requestFinished(let request, let result): node.requests[request] = result
                case .incoming(let request):
                    if let onIncoming {
                        onIncoming(&node.engine, request)
                    } else {
                        node.engine.reply(to: request, error: RPCErrorNumber.unknownCommand, includesCloserNodes: true)
                    }
                case .queryReply(let query, let reply): node.replies[query, default: []].append(reply)
                case .queryFinished(let query, let result): node.queries[query] = result
                case .bootstrapped(let count): node.bootstraps.append(count)
                }
            }
        }
        nodes[address] = node
        deadlines[address] = node.engine.deadline
        return value
    }

    func send(_ bytes: [UInt8], from: PeerAddress, to: PeerAddress) {
        let datagram = Datagram(
            time: now + .milliseconds(Int.random(in: delay, using: &random)), bytes: bytes, from: from, to: to)
        if recordsTraffic { sent.append(datagram) }
        guard Int.random(in: 0..<100, using: &random) >= lossPercentage else { return }
        let position = inFlight.lastIndex { $0.time > datagram.time }.map { $0 + 1 } ?? 0
        inFlight.insert(datagram, at: position)
    }

    /// Lets time pass.
    func run(for duration: Duration, until isDone: () -> Bool = { false }) {
        let end = now + duration
        while !isDone() {
            let timer = deadlines.min { $0.value < $1.value }
            let next = min(inFlight.last?.time ?? end, timer?.value ?? end)
            guard next < end else { break }
            now = max(now, next)
            if let datagram = inFlight.last, datagram.time <= now {
                inFlight.removeLast()
                guard nodes[datagram.to]?.isDown == false else { continue }
                call(datagram.to) { $0.receive(datagram.bytes, from: datagram.from, now: $1) }
            } else if let timer {
                call(timer.key) { $0.advance(to: $1) }
            }
        }
        if !isDone() { now = end }
    }
}
