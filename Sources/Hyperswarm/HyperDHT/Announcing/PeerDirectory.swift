public import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
import NIOCore
import UDX

/// A client of the network's records: looks up, announces and removes peers.
///
/// A topic is 32 bytes that serve as the target themselves; a peer's own target is the hash of its key.
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, sections 4.2 to 4.4.
public struct PeerDirectory: Sendable {
    let rpc: RPCNode

    public init(rpc: RPCNode) {
        self.rpc = rpc
    }

    /// Records that one node returned.
    public struct Hit: Hashable, Sendable {
        public var peers: [PeerRecord]
        /// Node that stores the records.
        public var node: PeerAddress

        public init(peers: [PeerRecord], node: PeerAddress) {
            self.peers = peers
            self.node = node
        }
    }

    /// Result of a lookup or an announcement.
    public struct Result: Hashable, Sendable {
        /// Nodes nearest to the topic, to begin the next walk with.
        public var closest: [PeerAddress]
        /// Each peer once, with the relay addresses of all its records, at most 3.
        public var peers: [PeerRecord]
        /// Count of the nodes that stored the record; zero after a lookup.
        public var storedCount: Int

        public init(closest: [PeerAddress], peers: [PeerRecord], storedCount: Int = 0) {
            self.closest = closest
            self.peers = peers
            self.storedCount = storedCount
        }
    }

    // MARK: Reads

    /// Finds the peers that announced themselves under a topic.
    ///
    /// - Parameters:
    ///   - firstNodes: Nodes to begin with, such as those of the last lookup.
    ///   - onHit: Called on the event loop as soon as a node returned records.
    /// - Throws: ``RPCError``, with `noBootstrapNode` if no node answered at all.
    public func lookup(
        _ topic: DHTKey, firstNodes: [PeerAddress] = [], onHit: (@Sendable (Hit) -> Void)? = nil
    ) async throws(RPCError) -> Result {
        let (result, collector) = try await walk(topic, firstNodes: firstNodes, onHit: onHit)
        return Result(closest: result.closest.map(\.from), peers: collector.peers)
    }

    /// Finds nodes that relay to a peer.
    ///
    /// - Parameter onRelay: Called on the event loop with each such node; returns false to end the walk.
    /// - Returns: The relays in the order in which they answered.
    public func findPeer(
        _ key: PublicKey, firstNodes: [PeerAddress] = [], onRelay: (@Sendable (RPCReply) -> Bool)? = nil
    ) async throws(RPCError) -> [RPCReply] {
        let target = DHTKey(hashing: key.bytes)
        let collector = RelayCollector()
        try await rpc.query(Command.findPeer.rpc, target: target, firstNodes: firstNodes, maximumSends: 4) { reply in
            guard reply.error == 0, let value = reply.value, let record = try? PeerRecord(decoding: value), record.publicKey == key
            else {
                return true
            }
            collector.relays.append(reply)
            return onRelay?(reply) ?? true
        }
        return collector.relays
    }

    // MARK: Writes

    /// Announces a peer under a topic at the up to 20 nearest nodes.
    ///
    /// - Parameters:
    ///   - relayAddresses: Nodes that relay to the peer; at most 3 are stored.
    ///   - clearsOldRecords: Removes an older record first: for the first announcement after a start.
    /// - Throws: ``RPCError``, with `noBootstrapNode` if no node answered, and `notStored` if none stored the record.
    public func announce(
        _ topic: DHTKey, keyPair: KeyPair, relayAddresses: [PeerAddress], firstNodes: [PeerAddress] = [],
        clearsOldRecords: Bool = false,
        onHit: (@Sendable (Hit) -> Void)? = nil
    ) async throws(RPCError) -> Result {
        let (result, collector) = try await walk(topic, firstNodes: firstNodes, onHit: onHit)
        let relays = Array(relayAddresses.prefix(PeerRecord.maximumRelayAddressCount))
        let own = keyPair.publicKey
        let stored = await withTaskGroup(of: Bool.self) { group in
            for reply in result.closest {
                let hit = collector.hits[reply.from] ?? []
                let clears = clearsOldRecords && (hit.count >= LookupReply.maximumPeerCount || hit.contains { $0.publicKey == own })
                group.addTask {
                    if clears { _ = await write(.unannounce, topic, keyPair: keyPair, to: reply) }
                    return await write(.announce, topic, keyPair: keyPair, relayAddresses: relays, to: reply)
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        guard stored > 0 else { throw RPCError(.notStored, "\(result.closest.count) nodes asked") }
        return Result(closest: result.closest.map(\.from), peers: collector.peers, storedCount: stored)
    }

    /// Removes a peer's record from nodes: asks each for a token, then sends UNANNOUNCE.
    ///
    /// - Returns: Count of the nodes that confirmed the removal.
    @discardableResult
    public func unannounce(_ topic: DHTKey, keyPair: KeyPair, at nodes: [PeerAddress]) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for node in nodes {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        rpc.eventLoop.execute {
                            rpc.onEventLoop { rpc in
                                rpc.startRemoval(of: topic, keyPair: keyPair, at: node) { continuation.resume(returning: $0) }
                            }
                        }
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }

    private func write(
        _ kind: AnnounceRequest.Kind, _ target: DHTKey, keyPair: KeyPair, relayAddresses: [PeerAddress] = [], to reply: RPCReply
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            rpc.eventLoop.execute {
                rpc.onEventLoop { rpc in
                    rpc.startWrite(kind, target: target, keyPair: keyPair, relayAddresses: relayAddresses, to: reply) {
                        continuation.resume(returning: $0 != nil)
                    }
                }
            }
        }
    }

    private func walk(
        _ topic: DHTKey, firstNodes: [PeerAddress], onHit: (@Sendable (Hit) -> Void)?
    ) async throws(RPCError) -> (RPCQueryResult, HitCollector) {
        let collector = HitCollector()
        let result = try await rpc.query(Command.lookup.rpc, target: topic, firstNodes: firstNodes) { reply in
            guard reply.error == 0, let value = reply.value, let lookup = try? LookupReply(decoding: value) else { return true }
            let peers = Array(lookup.peers.prefix(LookupReply.maximumPeerCount))
            collector.hits[reply.from] = peers
            if peers.count == LookupReply.maximumUnprovedPeerCount { collector.shortened.append(reply) }
            if !peers.isEmpty { onHit?(Hit(peers: peers, node: reply.from)) }
            return true
        }
        await complete(collector, topic, onHit: onHit)
        return (result, collector)
    }

    /// Repeats the request at nodes that may have more records, with the token of their reply, which proves this node's address.
    ///
    /// Without a task group: with one, Swift 6.3 makes a release build end with *freed pointer was not the last allocation*.
    private func complete(_ collector: HitCollector, _ topic: DHTKey, onHit: (@Sendable (Hit) -> Void)?) async {
        let asked = collector.shortened.filter { $0.token != nil }
        if asked.isEmpty { return }
        collector.openCount = asked.count
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            rpc.eventLoop.execute {
                rpc.onEventLoop { rpc in
                    for reply in asked {
                        _ = rpc.startRequest(
                            Command.lookup.rpc, to: reply.from, target: topic, token: reply.token, maximumSends: 2
                        ) { result in
                            collector.take(result, onHit)
                            if collector.openCount == 0 { continuation.resume() }
                        }
                    }
                }
            }
        }
    }

    /// Records of a walk. Written on the event loop while requests run and read after they ended, never at the same time.
    private final class HitCollector: @unchecked Sendable {
        var hits: [PeerAddress: [PeerRecord]] = [:]
        /// Replies with the maximum of records for a requester without a token.
        var shortened: [RPCReply] = []
        /// Count of the second requests without an answer.
        var openCount = 0

        /// Stores the answer to a second request; if it failed, the records of the first answer stay.
        func take(_ result: Swift.Result<RPCReply, RPCError>, _ onHit: (@Sendable (Hit) -> Void)?) {
            openCount -= 1
            guard case .success(let reply) = result, reply.error == 0, let value = reply.value,
                let lookup = try? LookupReply(decoding: value)
            else { return }
            let peers = Array(lookup.peers.prefix(LookupReply.maximumPeerCount))
            hits[reply.from] = peers
            if !peers.isEmpty { onHit?(Hit(peers: peers, node: reply.from)) }
        }

        var peers: [PeerRecord] {
            var order: [PublicKey] = []
            var relays: [PublicKey: [PeerAddress]] = [:]
            for (_, records) in hits.sorted(by: { $0.key < $1.key }) {
                for record in records {
                    if relays[record.publicKey] == nil { order.append(record.publicKey) }
                    for relay in record.relayAddresses where relays[record.publicKey]?.contains(relay) != true {
                        relays[record.publicKey, default: []].append(relay)
                    }
                    relays[record.publicKey, default: []] += []
                }
            }
            return order.map {
                PeerRecord(publicKey: $0, relayAddresses: Array((relays[$0] ?? []).prefix(PeerRecord.maximumRelayAddressCount)))
            }
        }
    }

    /// Relays of a walk, accessed in the same way as ``HitCollector``.
    private final class RelayCollector: @unchecked Sendable {
        var relays: [RPCReply] = []
    }
}

extension Command {
    /// The command as a request of the DHT carries it.
    public var rpc: RPCCommand { RPCCommand(number: rawValue) }
}
