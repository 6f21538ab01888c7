import CryptoPrimitives
import HyperDHT

/// Identifier of one connection or one dial of a swarm, never reused.
public struct ConnectionID: Hashable, Sendable {
    var number: UInt64
}

/// Rules by which a swarm dials peers, retries, and keeps one connection for each of them: event in, actions out.
///
///     found ──► waiting ──dial──► dialling ──► connected ──┐
///                  ▲                  │                    │
///                  └── 1, 5, 15 s ────┴────── closed ◄─────┘      after three attempts: until it is found again
///
/// Times are durations since an origin that the owner chooses.
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 7; hyperswarm 4.17.0.
struct ConnectionRules: Sendable {
    struct Limits: Sendable {
        var maximumPeerCount = 64
        var maximumDialCount = 3
        /// Maximum remembered peers, connected or not. Any peer can announce itself under a topic.
        var maximumKnownPeerCount = 1024
    }

    enum Action: Hashable, Sendable {
        /// Connect, and report with ``dialSucceeded(_:isExistingActive:now:)`` or ``dialFailed(_:now:)``.
        case dial(ConnectionID, PeerRecord)
        /// Abandon a dial; nothing has to be reported.
        case cancelDial(ConnectionID)
        /// Hand the connection to the user.
        case open(ConnectionID, PublicKey)
        /// Close a connection in favour of another one with the same peer.
        case destroy(ConnectionID)
        /// Write an empty message, which shows whether the connection still lives.
        case sendKeepAlive(ConnectionID)
    }

    /// Delays before the attempts after a failure, for peers that were connected once and for others.
    static let provenDelays: [Duration] = [.seconds(1), .seconds(5), .seconds(15)]
    static let unprovenDelays: [Duration] = [.seconds(5), .seconds(15), .seconds(15)]
    /// Minimum duration of a connection that resets the count of attempts.
    static let stableTime = Duration.seconds(15)

    private struct Link {
        var id: ConnectionID
        var isInitiator: Bool
        var opened: Duration
    }

    private struct Peer {
        var record: PeerRecord
        /// Topics under which the peer was found.
        var topics: Set<DHTTopic> = []
        /// True for a peer that the user named by its key: it is dialled without a topic.
        var isWanted = false
        /// True once there was a connection with the peer.
        var isProven = false
        var attempts = 0
        /// Time of the next dial; nil while the peer is dialled or connected, and after the last attempt until it is found again.
        var due: Duration?
        var dial: ConnectionID?
        var link: Link?

        var isBusy: Bool { dial != nil || link != nil }
        var isJoined: Bool { isWanted || !topics.isEmpty }
    }

    let ownKey: PublicKey
    private let limits: Limits
    private var peers: [PublicKey: Peer] = [:]
    private var keys: [ConnectionID: PublicKey] = [:]
    private var lastNumber: UInt64 = 0
    private var isSuspended = false
    private var random: any RandomNumberGenerator & Sendable

    init(ownKey: PublicKey, limits: Limits = Limits(), random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator())
    {
        self.ownKey = ownKey
        self.limits = limits
        self.random = random
    }

    var connectionCount: Int { peers.values.count { $0.link != nil } }
    var dialCount: Int { peers.values.count { $0.dial != nil } }
    var knownPeerCount: Int { peers.count }

    /// The next time at which ``advance(to:)`` has work; nil if nothing is due.
    var deadline: Duration? {
        guard !isSuspended, hasRoomToDial else { return nil }
        return peers.values.filter { !$0.isBusy && $0.isJoined }.compactMap(\.due).min()
    }

    /// Returns a new identifier, for a connection that arrived.
    mutating func makeID() -> ConnectionID {
        lastNumber += 1
        return ConnectionID(number: lastNumber)
    }

    /// Returns the peer of a connection or dial; nil once it has ended.
    func key(of id: ConnectionID) -> PublicKey? { keys[id] }

    // MARK: Peers

    /// Notes that a lookup returned a peer.
    mutating func find(_ record: PeerRecord, topic: DHTTopic, now: Duration) -> [Action] {
        guard note(record, now: now) else { return [] }
        peers[record.publicKey]?.topics.insert(topic)
        return advance(to: now)
    }

    /// Notes that the user asked for a peer by its key, and dials it without waiting for the next attempt.
    ///
    /// - Returns: Nil if too many peers are known.
    mutating func want(_ key: PublicKey, now: Duration) -> [Action]? {
        guard note(PeerRecord(publicKey: key), now: now) else { return nil }
        peers[key]?.isWanted = true
        if peers[key]?.isBusy == false { peers[key]?.due = now }
        return advance(to: now)
    }

    /// Notes that the user no longer asks for a peer. A connection stays.
    mutating func unwant(_ key: PublicKey) -> [Action] {
        peers[key]?.isWanted = false
        return prune()
    }

    /// Forgets the peers of a topic that was left. Connections stay.
    mutating func leave(_ topic: DHTTopic) -> [Action] {
        for key in peers.keys { peers[key]?.topics.remove(topic) }
        return prune()
    }

    // MARK: Dials and connections

    /// Returns the dials that are due, within the limits.
    mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        while !isSuspended, hasRoomToDial {
            let ready = peers.filter { !$0.value.isBusy && $0.value.isJoined && ($0.value.due.map { $0 <= now } ?? false) }
            // Fewer failures first; among equals a random one, so that no peer starves and hosts share the load.
            guard let fewest = ready.values.map(\.attempts).min() else { break }
            let candidates = ready.filter { $0.value.attempts == fewest }.keys.sorted()
            guard let key = candidates.randomElement(using: &random), let peer = peers[key] else { break }
            let id = makeID()
            peers[key]?.dial = id
            peers[key]?.due = nil
            keys[id] = key
            actions.append(.dial(id, peer.record))
        }
        return actions
    }

    /// - Parameter isExistingActive: True if the existing connection with the peer has sent and received data.
    mutating func dialSucceeded(_ id: ConnectionID, isExistingActive: Bool = false, now: Duration) -> [Action] {
        guard let key = keys[id], peers[key]?.dial == id else { return [.destroy(id)] }
        peers[key]?.dial = nil
        return settle(id, key: key, isInitiator: true, isExistingActive: isExistingActive, now: now) + advance(to: now)
    }

    mutating func dialFailed(_ id: ConnectionID, now: Duration) -> [Action] {
        guard let key = keys.removeValue(forKey: id), peers[key]?.dial == id else { return [] }
        peers[key]?.dial = nil
        scheduleRetry(of: key, now: now)
        return prune() + advance(to: now)
    }

    /// Accepts or refuses a connection that a peer opened.
    ///
    /// - Parameters:
    ///   - id: The identifier from ``makeID()``.
    ///   - isExistingActive: True if the existing connection with the peer has sent and received data.
    mutating func accept(_ id: ConnectionID, from key: PublicKey, isExistingActive: Bool = false, now: Duration) -> [Action] {
        let isKnown = peers[key]?.isBusy ?? false
        guard !isSuspended, key != ownKey, isKnown || busyCount < limits.maximumPeerCount else { return [.destroy(id)] }
        if peers[key] == nil { peers[key] = Peer(record: PeerRecord(publicKey: key)) }
        keys[id] = key
        return settle(id, key: key, isInitiator: false, isExistingActive: isExistingActive, now: now)
    }

    /// Notes that a connection ended.
    mutating func close(_ id: ConnectionID, now: Duration) -> [Action] {
        guard let key = keys.removeValue(forKey: id), let link = peers[key]?.link, link.id == id else { return [] }
        peers[key]?.link = nil
        if now - link.opened >= Self.stableTime { peers[key]?.attempts = 0 }
        if peers[key]?.dial == nil { scheduleRetry(of: key, now: now) }
        return prune() + advance(to: now)
    }

    /// Stops dialling and drops dials. The owner closes connections itself.
    mutating func suspend() -> [Action] {
        isSuspended = true
        var actions: [Action] = []
        for (key, peer) in peers {
            guard let dial = peer.dial else { continue }
            actions.append(.cancelDial(dial))
            keys[dial] = nil
            peers[key]?.dial = nil
            peers[key]?.due = .zero
        }
        return actions
    }

    /// Resumes. Every peer gets new attempts, since the network may have changed.
    mutating func resume(now: Duration) -> [Action] {
        isSuspended = false
        for key in peers.keys where peers[key]?.isBusy == false {
            peers[key]?.attempts = 0
            peers[key]?.due = now
        }
        return advance(to: now)
    }

    // MARK: Rules

    private var busyCount: Int { peers.values.count { $0.isBusy } }

    private var hasRoomToDial: Bool {
        dialCount < limits.maximumDialCount && busyCount < limits.maximumPeerCount
    }

    private mutating func note(_ record: PeerRecord, now: Duration) -> Bool {
        let key = record.publicKey
        guard key != ownKey else { return false }
        if peers[key] == nil {
            guard peers.count < limits.maximumKnownPeerCount else { return false }
            peers[key] = Peer(record: record, due: now)
        } else {
            if !record.relayAddresses.isEmpty { peers[key]?.record = record }
            // Attempts ran out earlier; being found again starts them anew.
            if peers[key]?.isBusy == false, peers[key]?.due == nil {
                peers[key]?.attempts = 0
                peers[key]?.due = now
            }
        }
        return true
    }

    /// Decides between a new connection and the existing connection or dial with the same peer.
    ///
    /// Both ends decide alike: of two connections that crossed, the one that the larger key opened stays. An existing connection
    /// is replaced if it carried data in both directions, or if the peer dialled both: a peer dials again only after a loss.
    private mutating func settle(
        _ id: ConnectionID, key: PublicKey, isInitiator: Bool, isExistingActive: Bool, now: Duration
    ) -> [Action] {
        var actions: [Action] = []
        let weAreLarger = key < ownKey
        if let existing = peers[key]?.link {
            let isPeersOwnSecond = !existing.isInitiator && !isInitiator
            guard isExistingActive || isPeersOwnSecond || weAreLarger == isInitiator else {
                keys[id] = nil
                return [.destroy(id), .sendKeepAlive(existing.id)]
            }
            keys[existing.id] = nil
            actions.append(.destroy(existing.id))
        } else if let dial = peers[key]?.dial {
            guard weAreLarger == isInitiator else {
                keys[id] = nil
                return [.destroy(id)]
            }
            keys[dial] = nil
            peers[key]?.dial = nil
            actions.append(.cancelDial(dial))
        }
        peers[key]?.link = Link(id: id, isInitiator: isInitiator, opened: now)
        peers[key]?.isProven = true
        peers[key]?.due = nil
        actions.append(.open(id, key))
        return actions
    }

    private mutating func scheduleRetry(of key: PublicKey, now: Duration) {
        guard let peer = peers[key], peer.isJoined else { return }
        let delays = peer.isProven ? Self.provenDelays : Self.unprovenDelays
        guard peer.attempts < delays.count else {
            peers[key]?.due = nil
            return
        }
        // Jitter of a tenth, so that the peers of a restarted host do not reconnect at the same moment.
        let jitter = Double(Int.random(in: -100...100, using: &random)) / 1000
        peers[key]?.due = now + delays[peer.attempts] * (1 + jitter)
        peers[key]?.attempts += 1
    }

    /// Removes peers that are neither wanted, nor found under a topic, nor connected.
    private mutating func prune() -> [Action] {
        var actions: [Action] = []
        for (key, peer) in peers where !peer.isJoined && peer.link == nil {
            if let dial = peer.dial {
                actions.append(.cancelDial(dial))
                keys[dial] = nil
            }
            peers[key] = nil
        }
        return actions
    }
}
