import CompactEncoding
import DHTRPC

/// Rules by which a swarm keeps one topic looked up and announced: event in, actions out.
///
/// A refresh follows every 10 to 12 minutes, and at once after a change of the network or of the relays. The next walk begins at
/// the nodes nearest to the topic, and the record is removed from these nodes at the end.
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 7.
struct TopicRules: Sendable {
    enum Action: Hashable, Sendable {
        /// Look up; report with ``finish(closest:now:)`` or ``fail(now:)``.
        case lookup(firstNodes: [PeerAddress])
        /// Announce, which looks up as well. The first announcement removes the record of an earlier run.
        case announce(firstNodes: [PeerAddress], clearsOldRecords: Bool)
        case unannounce(nodes: [PeerAddress])
    }

    static let refreshInterval = Duration.seconds(600)
    static let maximumJitter = Duration.seconds(120)
    /// Delays before the next attempt after failures; the last delay repeats.
    static let retryDelays: [Duration] = [.seconds(2), .seconds(5), .seconds(15), .seconds(60)]

    /// True if this swarm announces itself under the topic.
    private(set) var isServer: Bool
    /// True if this swarm dials the peers that it finds.
    private(set) var isClient: Bool
    private(set) var closest: [PeerAddress] = []
    private var hasAnnounced = false
    private var isRunning = false
    private var isDirty = false
    private var failures = 0
    private var due: Duration?
    private var random: any RandomNumberGenerator & Sendable

    init(isServer: Bool, isClient: Bool, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        self.isServer = isServer
        self.isClient = isClient
        self.random = random
    }

    /// The next time at which ``advance(to:)`` has work; nil during a walk.
    var deadline: Duration? { isRunning ? nil : due }

    /// Starts a walk at once, or after the walk in progress.
    mutating func refresh() -> [Action] {
        guard !isRunning else {
            isDirty = true
            return []
        }
        isRunning = true
        due = nil
        return [isServer ? .announce(firstNodes: closest, clearsOldRecords: !hasAnnounced) : .lookup(firstNodes: closest)]
    }

    mutating func advance(to now: Duration) -> [Action] {
        guard let due, due <= now else { return [] }
        return refresh()
    }

    mutating func finish(closest nodes: [PeerAddress], now: Duration) -> [Action] {
        guard isRunning else { return [] }
        isRunning = false
        failures = 0
        closest = nodes
        if isServer { hasAnnounced = true }
        let jitter = Duration.milliseconds(Int64.random(in: 0...120_000, using: &random))
        due = now + Self.refreshInterval + min(jitter, Self.maximumJitter)
        return runIfDirty()
    }

    mutating func fail(now: Duration) -> [Action] {
        guard isRunning else { return [] }
        isRunning = false
        due = now + Self.retryDelays[min(failures, Self.retryDelays.count - 1)]
        failures += 1
        return runIfDirty()
    }

    /// Changes the role of this swarm in the topic.
    mutating func change(isServer: Bool, isClient: Bool) -> [Action] {
        let stops = self.isServer && !isServer && hasAnnounced
        (self.isServer, self.isClient) = (isServer, isClient)
        if stops { hasAnnounced = false }
        return (stops ? [.unannounce(nodes: closest)] : []) + refresh()
    }

    /// Leaves the topic: removes the record from the nodes that store it.
    mutating func leave() -> [Action] {
        due = nil
        isRunning = false
        isDirty = false
        guard isServer, hasAnnounced else { return [] }
        hasAnnounced = false
        return [.unannounce(nodes: closest)]
    }

    private mutating func runIfDirty() -> [Action] {
        guard isDirty else { return [] }
        isDirty = false
        return refresh()
    }
}
