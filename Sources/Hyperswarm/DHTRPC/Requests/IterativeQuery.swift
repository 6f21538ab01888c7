import CompactEncoding

/// A walk towards a target: asks near nodes for nearer ones until no answer names a nearer one.
///
/// Ten requests are in flight at most. The walk ends when nothing is left to ask, with the 20 closest nodes that
/// answered. Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.11; dht-rpc 6.26.3.
struct IterativeQuery: Sendable {
    static let concurrency = 10
    static let closestCapacity = 20
    /// Maximum addresses that one walk remembers. A malicious node can invent closer nodes without end.
    static let maximumSeenCount = 2000

    let target: DHTKey
    private let ownID: DHTKey?
    private var pending: [PeerAddress] = []
    /// The node that named each address; nil for the first nodes.
    private var seen: [PeerAddress: PeerAddress?] = [:]
    private var ranked: [(distance: DHTKey, reply: RPCReply)] = []
    private var inFlight: Set<PeerAddress> = []
    private var slow: Set<PeerAddress> = []
    private(set) var answerCount = 0
    private(set) var failureCount = 0

    /// - Parameter firstNodes: Nodes to ask first.
    init(target: DHTKey, ownID: DHTKey?, firstNodes: [PeerAddress]) {
        self.target = target
        self.ownID = ownID
        // Farthest first: `next()` takes nodes from the end.
        let distances = firstNodes.map { ($0, DHTKey(nodeAt: $0).distance(to: target)) }
        for (node, _) in distances.sorted(by: { $1.1 < $0.1 }) where seen[node] == nil && node.isSendable {
            seen[node] = .some(nil)
            pending.append(node)
        }
    }

    /// Replies with a valid id, the closest first; 20 at most.
    var closest: [RPCReply] { ranked.map(\.reply) }

    var isFinished: Bool {
        guard pending.isEmpty else { return false }
        return inFlight.isEmpty || (inFlight.count == slow.count && ranked.count >= Self.closestCapacity)
    }

    /// Returns the next node to ask; nil while no node may be asked.
    mutating func next() -> PeerAddress? {
        while inFlight.count - slow.count < Self.concurrency, let address = pending.popLast() {
            if let worst, !(DHTKey(nodeAt: address).distance(to: target) < worst) { continue }
            inFlight.insert(address)
            return address
        }
        return nil
    }

    mutating func receive(_ reply: RPCReply) {
        finish(reply.from)
        if reply.error == 0 { answerCount += 1 } else { failureCount += 1 }
        if reply.error == 0, let id = reply.id, id != ownID { rank(reply, distance: id.distance(to: target)) }
        for address in reply.closerNodes.prefix(RPCResponse.maximumCloserNodeCount) {
            guard seen[address] == nil, seen.count < Self.maximumSeenCount, address.isSendable else { continue }
            let id = DHTKey(nodeAt: address)
            if id == ownID { continue }
            if let worst, !(id.distance(to: target) < worst) { continue }
            seen[address] = .some(reply.from)
            pending.append(address)
        }
    }

    /// Notes that a node did not answer. Returns the node that had named it.
    mutating func fail(_ address: PeerAddress) -> PeerAddress? {
        finish(address)
        failureCount += 1
        return seen[address] ?? nil
    }

    /// Notes that a node did not answer within a second: it no longer counts against ``concurrency``.
    mutating func noteSlow(_ address: PeerAddress) {
        if inFlight.contains(address) { slow.insert(address) }
    }

    private var worst: DHTKey? {
        ranked.count >= Self.closestCapacity ? ranked.last?.distance : nil
    }

    private mutating func finish(_ address: PeerAddress) {
        inFlight.remove(address)
        slow.remove(address)
    }

    private mutating func rank(_ reply: RPCReply, distance: DHTKey) {
        let position = ranked.firstIndex { !($0.distance < distance) } ?? ranked.count
        guard position < Self.closestCapacity else { return }
        if position < ranked.count, ranked[position].distance == distance { return }
        ranked.insert((distance, reply), at: position)
        if ranked.count > Self.closestCapacity { ranked.removeLast() }
    }
}
