public import CompactEncoding
import DHTRPC

/// A node that relays handshakes to this peer.
public struct AnnouncedRelay: Hashable, Sendable {
    /// Address of the relay.
    public var relayAddress: PeerAddress
    /// Address of this peer as the relay sees it.
    public var peerAddress: PeerAddress
}

/// Rules that keep a server reachable at three relays: events in, actions out.
///
///     find the nearest nodes ─► announce at three ─► ping them every 3 s ─► all answer: again in 5 minutes
///              ▲                                            │
///              └────────────── one does not answer ─────────┘
///
/// The pings keep the mapping in the NAT alive and show that a relay is gone.
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.12.
struct AnnouncerState: Sendable {
    enum Action: Hashable, Sendable {
        /// Walk towards the own target; report with ``finishWalk(_:now:)``.
        case findPeer
        /// Announce at a node; report with ``finishAnnouncement(at:peerAddress:now:)``.
        case announce(RPCReply)
        /// Ping a relay; report with ``finishPing(of:isAnswered:now:)``.
        case ping(PeerAddress)
        /// Remove the announcement from a node that is no longer a relay.
        case unannounce(PeerAddress)
        case relaysChanged([AnnouncedRelay])
    }

    static let relayCount = 3
    static let pingInterval = Duration.seconds(3)
    static let refreshInterval = Duration.seconds(300)
    /// Time to the next attempt if no node stored the announcement.
    static let retryInterval = Duration.seconds(5)

    private(set) var relays: [AnnouncedRelay] = []
    private var announced: [AnnouncedRelay] = []
    private var outstandingAnnouncements: Set<PeerAddress> = []
    private var pings: [PeerAddress: Bool?] = [:]
    private var isWalking = false
    private var isStopped = false
    private var nextWalk: Duration?
    private var nextPing: Duration?

    /// The next time at which ``advance(to:)`` has work; nil if nothing is due.
    var deadline: Duration? {
        [nextWalk, nextPing].compactMap { $0 }.min()
    }

    mutating func start(now: Duration) -> [Action] {
        isStopped = false
        return walk()
    }

    /// Ends the upkeep. The owner removes the announcements from ``relays``.
    mutating func stop() {
        isStopped = true
        nextWalk = nil
        nextPing = nil
    }

    mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        if let due = nextWalk, due <= now { actions += walk() }
        if let due = nextPing, due <= now {
            nextPing = now + Self.pingInterval
            // A new round begins only when every ping of the last one was answered or failed.
            if !pings.values.contains(where: { $0 == nil }) {
                pings = [:]
                for relay in relays {
                    pings[relay.relayAddress] = .some(nil)
                    actions.append(.ping(relay.relayAddress))
                }
            }
        }
        return actions
    }

    /// - Parameter closest: Replies of the walk, the nearest first.
    mutating func finishWalk(_ closest: [RPCReply], now: Duration) -> [Action] {
        guard isWalking, !isStopped else { return [] }
        let chosen = closest.filter { $0.id != nil && $0.token != nil }.prefix(Self.relayCount)
        announced = []
        guard !chosen.isEmpty else {
            isWalking = false
            nextWalk = now + Self.retryInterval
            return []
        }
        outstandingAnnouncements = Set(chosen.map(\.from))
        return chosen.map { .announce($0) }
    }

    /// - Parameter peerAddress: Address that the node saw, or nil if the node did not store the announcement.
    mutating func finishAnnouncement(at node: PeerAddress, peerAddress: PeerAddress?, now: Duration) -> [Action] {
        guard outstandingAnnouncements.remove(node) != nil else { return [] }
        if let peerAddress { announced.append(AnnouncedRelay(relayAddress: node, peerAddress: peerAddress)) }
        guard outstandingAnnouncements.isEmpty else { return [] }
        isWalking = false
        guard !isStopped else {
            // The owner has to remove these as well.
            relays += announced.filter { new in !relays.contains { $0.relayAddress == new.relayAddress } }
            return []
        }
        guard !announced.isEmpty else {
            nextWalk = now + Self.retryInterval
            return []
        }
        nextWalk = now + Self.refreshInterval
        nextPing = now + Self.pingInterval
        let old = relays
        relays = announced.sorted { $0.relayAddress < $1.relayAddress }
        pings = [:]
        var actions: [Action] = old.filter { gone in !relays.contains { $0.relayAddress == gone.relayAddress } }
            .map { .unannounce($0.relayAddress) }
        if old != relays { actions.append(.relaysChanged(relays)) }
        return actions
    }

    mutating func finishPing(of relay: PeerAddress, isAnswered: Bool, now: Duration) -> [Action] {
        guard pings[relay] != nil, !isStopped else { return [] }
        pings[relay] = .some(isAnswered)
        return isAnswered || isWalking ? [] : walk()
    }

    private mutating func walk() -> [Action] {
        guard !isWalking, !isStopped else { return [] }
        isWalking = true
        nextWalk = nil
        return [.findPeer]
    }
}
