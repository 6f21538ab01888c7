import CompactEncoding
import CryptoPrimitives
import DHTRPC

/// Peer records and routes that a storing node keeps, bounded in number and in time.
///
/// A *record* belongs to a topic and names a peer with its relays. A *route* belongs to a peer's own target and holds the
/// address from which the peer announced itself: this node relays handshakes to that address.
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, sections 4.3 and 4.4.
struct PeerRecordStore: Sendable {
    struct Limits: Sendable {
        /// Lifetime of a record after its last announcement.
        var lifetime = Duration.seconds(20 * 60)
        var maximumRecordCount = 100_000
        /// Maximum records under one topic; a new record replaces the oldest.
        var maximumRecordsPerTopic = 128
        var maximumRouteCount = 50_000
    }

    struct Route: Sendable {
        var publicKey: PublicKey
        var address: PeerAddress
        var socket: SocketID
        fileprivate var expires: Duration
    }

    private struct Record {
        var peer: PeerRecord
        var expires: Duration
    }

    private let limits: Limits
    private var topics: [DHTKey: [Record]] = [:]
    private(set) var recordCount = 0
    private var routes: [DHTKey: Route] = [:]
    private var nextSweep: Duration

    init(limits: Limits = Limits(), now: Duration = .zero) {
        self.limits = limits
        nextSweep = now + .seconds(60)
    }

    var routeCount: Int { routes.count }

    /// Stores or renews a record. False if the store is full.
    mutating func insert(_ peer: PeerRecord, under topic: DHTKey, now: Duration) -> Bool {
        sweep(now: now)
        var peer = peer
        peer.relayAddresses = Array(peer.relayAddresses.prefix(PeerRecord.maximumRelayAddressCount))
        var records = topics[topic] ?? []
        if let index = records.firstIndex(where: { $0.peer.publicKey == peer.publicKey }) {
            records.remove(at: index)
            recordCount -= 1
        } else if records.count >= limits.maximumRecordsPerTopic {
            records.removeFirst()
            recordCount -= 1
        }
        let hasRoom = recordCount < limits.maximumRecordCount
        if hasRoom {
            records.append(Record(peer: peer, expires: now + limits.lifetime))
            recordCount += 1
        }
        topics[topic] = records.isEmpty ? nil : records
        return hasRoom
    }

    mutating func remove(_ key: PublicKey, under topic: DHTKey) {
        guard var records = topics[topic], let index = records.firstIndex(where: { $0.peer.publicKey == key }) else { return }
        records.remove(at: index)
        recordCount -= 1
        topics[topic] = records.isEmpty ? nil : records
    }

    /// Returns the live records under a topic, at most `limit` random ones.
    func records(under topic: DHTKey, limit: Int, now: Duration, random: inout some RandomNumberGenerator) -> [PeerRecord] {
        let live = (topics[topic] ?? []).filter { $0.expires > now }.map(\.peer)
        return live.count <= limit ? live : Array(live.shuffled(using: &random).prefix(limit))
    }

    /// Stores or renews the route to a peer. False if the store is full.
    mutating func setRoute(to key: PublicKey, target: DHTKey, address: PeerAddress, socket: SocketID, now: Duration) -> Bool {
        sweep(now: now)
        guard routes[target] != nil || routes.count < limits.maximumRouteCount else { return false }
        routes[target] = Route(publicKey: key, address: address, socket: socket, expires: now + limits.lifetime)
        return true
    }

    mutating func removeRoute(to target: DHTKey) {
        routes[target] = nil
    }

    func route(to target: DHTKey, now: Duration) -> Route? {
        routes[target].flatMap { $0.expires > now ? $0 : nil }
    }

    /// Removes expired entries, once a minute at most.
    private mutating func sweep(now: Duration) {
        guard now >= nextSweep else { return }
        nextSweep = now + .seconds(60)
        routes = routes.filter { $0.value.expires > now }
        recordCount = 0
        topics = topics.compactMapValues { records in
            let live = records.filter { $0.expires > now }
            recordCount += live.count
            return live.isEmpty ? nil : live
        }
    }
}
