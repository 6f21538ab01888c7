public import CompactEncoding

/// Nodes of the network that answered, grouped by the length of the id prefix that they share with this node.
///
///     row 0      first bit differs       (half of the network)
///     row 1      second bit differs      (a quarter)
///     …
///     row 255    all bits up to the last are equal
///
/// A row holds 20 nodes, ordered by id. A full row takes a new node only after the node that was silent for longest failed a
/// ping: nodes that live long tend to stay, and a flood of new ids cannot push them out.
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 3.9; kademlia-routing-table 1.0.6.
public struct RoutingTable: Sendable {
    /// Maximum nodes in one row.
    public static let rowCapacity = 20
    static let rowCount = 256

    public struct Node: Hashable, Sendable {
        public let id: DHTKey
        public let address: PeerAddress
        /// Time of the newest response.
        public internal(set) var lastSeen: Duration
        /// Time of the newest ping that the table's owner sent.
        public internal(set) var lastPinged: Duration
    }

    enum Insertion: Equatable {
        case added
        case updated
        /// The row is full. Ping this node, and remove it if it does not answer.
        case full(oldest: Node)
    }

    /// Id that rows are relative to.
    public let id: DHTKey
    private var rows: [[Node]]
    public private(set) var count = 0

    public init(id: DHTKey) {
        self.id = id
        rows = Array(repeating: [], count: Self.rowCount)
    }

    public var nodes: [Node] { rows.flatMap { $0 } }

    public func contains(_ address: PeerAddress) -> Bool {
        node(at: address) != nil
    }

    func node(at address: PeerAddress) -> Node? {
        let id = DHTKey(nodeAt: address)
        return rows[self.id.bucketIndex(of: id)].first { $0.id == id }
    }

    /// Adds a node that answered, or updates the time of its newest response.
    mutating func insert(_ address: PeerAddress, now: Duration) -> Insertion {
        let node = Node(id: DHTKey(nodeAt: address), address: address, lastSeen: now, lastPinged: now)
        let row = id.bucketIndex(of: node.id)
        if let index = rows[row].firstIndex(where: { $0.id == node.id }) {
            rows[row][index].lastSeen = now
            return .updated
        }
        guard rows[row].count < Self.rowCapacity else {
            return rows[row].min { $0.lastSeen < $1.lastSeen }.map { .full(oldest: $0) } ?? .updated
        }
        let position = rows[row].firstIndex { node.id < $0.id } ?? rows[row].count
        rows[row].insert(node, at: position)
        count += 1
        return .added
    }

    /// Removes a node that did not answer.
    @discardableResult
    mutating func remove(_ address: PeerAddress) -> Bool {
        let id = DHTKey(nodeAt: address)
        let row = self.id.bucketIndex(of: id)
        guard let index = rows[row].firstIndex(where: { $0.id == id }) else { return false }
        rows[row].remove(at: index)
        count -= 1
        return true
    }

    mutating func notePing(of address: PeerAddress, now: Duration) {
        let id = DHTKey(nodeAt: address)
        let row = self.id.bucketIndex(of: id)
        guard let index = rows[row].firstIndex(where: { $0.id == id }) else { return }
        rows[row][index].lastPinged = now
    }

    /// Returns nodes near a target: from its row down to row 0, then from its row up.
    ///
    /// The order is that of the rows, as the reference sends it; the result is not sorted by distance.
    public func closest(to target: DHTKey, count limit: Int = rowCapacity) -> [PeerAddress] {
        let start = id.bucketIndex(of: target)
        var result: [PeerAddress] = []
        for row in Array(stride(from: start, through: 0, by: -1)) + Array(start + 1..<Swift.max(start + 1, Self.rowCount)) {
            for node in rows[row] {
                guard result.count < limit else { return result }
                result.append(node.address)
            }
        }
        return result
    }

    /// Returns the nodes whose newest response or ping is the oldest.
    func oldest(_ limit: Int) -> [Node] {
        Array(nodes.sorted { max($0.lastSeen, $0.lastPinged) < max($1.lastSeen, $1.lastPinged) }.prefix(limit))
    }
}
