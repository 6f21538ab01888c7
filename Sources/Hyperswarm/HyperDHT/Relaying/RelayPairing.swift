/// The pairings of a blind relay, each of two streams with the same token.
///
/// A token pairs one initiator with one other peer. Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.13.
struct RelayPairing: Sendable {
    /// One peer of a pairing.
    struct Side: Hashable, Sendable {
        /// The relay's number of the peer's connection.
        var session: Int
        var isInitiator: Bool
        /// The stream id on which the peer receives.
        var streamID: UInt32
    }

    struct Limits: Sendable {
        /// Maximum pairings per connection, pending or complete; further requests are ignored.
        var maximumCountOfSession = 64
        /// Maximum tokens that wait for their second peer, of all connections; further requests are ignored.
        var maximumWaitingCount = 4096
    }

    private let limits: Limits
    private var waiting: [[UInt8]: Side] = [:]
    private var paired: [[UInt8]: [Side]] = [:]
    private var tokens: [Int: Set<[UInt8]>] = [:]

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    var waitingCount: Int { waiting.count }
    var pairedCount: Int { paired.count }

    /// Adds the request of a peer.
    ///
    /// - Returns: Both peers, the new one last, when the pairing is complete; `nil` while the other peer is missing, and for a
    ///   request that is ignored.
    mutating func pair(_ side: Side, token: [UInt8]) -> [Side]? {
        guard paired[token] == nil, tokens[side.session]?.count ?? 0 < limits.maximumCountOfSession else { return nil }
        guard let first = waiting[token] else {
            guard waiting.count < limits.maximumWaitingCount else { return nil }
            waiting[token] = side
            tokens[side.session, default: []].insert(token)
            return nil
        }
        guard first.isInitiator != side.isInitiator else { return nil }
        waiting[token] = nil
        tokens[side.session, default: []].insert(token)
        paired[token] = [first, side]
        return [first, side]
    }

    /// Ends a pairing of a session. Returns true if the pairing was complete, so that its streams end now.
    mutating func unpair(token: [UInt8], session: Int) -> Bool {
        guard tokens[session]?.remove(token) != nil else { return false }
        if tokens[session]?.isEmpty ?? false { tokens[session] = nil }
        waiting[token] = nil
        guard let sides = paired.removeValue(forKey: token) else { return false }
        for side in sides where side.session != session {
            tokens[side.session]?.remove(token)
            if tokens[side.session]?.isEmpty ?? false { tokens[side.session] = nil }
        }
        return true
    }

    /// Ends all pairings of a closed connection. Returns the tokens of those that were complete.
    mutating func endSession(_ session: Int) -> [[UInt8]] {
        (tokens[session] ?? []).filter { unpair(token: $0, session: session) }
    }
}
