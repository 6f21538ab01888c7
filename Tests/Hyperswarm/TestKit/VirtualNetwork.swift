package import CompactEncoding
package import DHTRPC

/// A network in memory with virtual time: engines, datagrams with loss and delay, no sockets and no waiting.
package final class VirtualNetwork {
    package struct Node {
        package var engine: RPCEngine
        package var requests: [RPCRequestID: Result<RPCReply, RPCError>] = [:]
        package var queries: [RPCQueryID: RPCQueryResult] = [:]
        package var replies: [RPCQueryID: [RPCReply]] = [:]
        package var bootstraps: [Int] = []
        package var isDown = false
    }

    package struct Datagram {
        package var time: Duration
        package var bytes: [UInt8]
        package var from: PeerAddress
        package var to: PeerAddress
    }

    package var now = Duration.zero
    package var nodes: [PeerAddress: Node] = [:]
    private var inFlight = EventQueue<Duration, Datagram>()
    private var deadlines: [PeerAddress: Duration] = [:]
    package var sent: [Datagram] = []
    package var recordsTraffic = false
    package var lossPercentage = 0
    package var delay: ClosedRange<Int> = 1...5
    package var random = SplitMix64(7)
    /// Answers requests that the DHT itself does not.
    package var onIncoming: ((inout RPCEngine, IncomingRequest) -> Void)?

    package init() {}

    package func add(_ address: PeerAddress, role: RPCConfiguration.Role = .ephemeral, bootstrap: [PeerAddress]) {
        let configuration = RPCConfiguration(bootstrap: bootstrap, role: role)
        nodes[address] = Node(engine: RPCEngine(configuration: configuration, now: now, random: SplitMix64(random.next())))
        call(address) { $0.start(now: $1) }
    }

    /// Adds `count` persistent nodes that know the first one.
    package func addPersistentNodes(_ count: Int, host: UInt32 = 0x7f00_0001) -> [PeerAddress] {
        let addresses = (0..<count).map { PeerAddress(octets: host, port: UInt16(40_000 + $0)) }
        for address in addresses {
            add(address, role: .persistent(address), bootstrap: address == addresses[0] ? [] : [addresses[0]])
            run(for: .milliseconds(50))
        }
        return addresses
    }

    /// Takes a node off the network, as a crash does.
    package func shutDown(_ address: PeerAddress) {
        nodes[address]?.isDown = true
        deadlines[address] = nil
    }

    /// Calls an engine and carries out its actions.
    @discardableResult
    package func call<Value>(_ address: PeerAddress, _ body: (inout RPCEngine, Duration) -> Value) -> Value? {
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

    package func send(_ bytes: [UInt8], from: PeerAddress, to: PeerAddress) {
        let datagram = Datagram(
            time: now + .milliseconds(Int.random(in: delay, using: &random)), bytes: bytes, from: from, to: to)
        if recordsTraffic { sent.append(datagram) }
        guard Int.random(in: 0..<100, using: &random) >= lossPercentage else { return }
        inFlight.insert(datagram, at: datagram.time)
    }

    /// Lets time pass.
    package func run(for duration: Duration, until isDone: () -> Bool = { false }) {
        let end = now + duration
        while !isDone() {
            let timer = deadlines.min { $0.value < $1.value }
            let next = min(inFlight.nextTime ?? end, timer?.value ?? end)
            guard next < end else { break }
            now = max(now, next)
            if let time = inFlight.nextTime, time <= now, let datagram = inFlight.removeFirst()?.event {
                guard nodes[datagram.to]?.isDown == false else { continue }
                call(datagram.to) { $0.receive(datagram.bytes, from: datagram.from, now: $1) }
            } else if let timer {
                call(timer.key) { $0.advance(to: $1) }
            }
        }
        if !isDone() { now = end }
    }
}
