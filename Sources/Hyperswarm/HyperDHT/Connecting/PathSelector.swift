import CompactEncoding

/// The choice of a path to the server after its handshake reply.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.9.
enum PathSelector {
    enum Path: Hashable, Sendable {
        /// The stream's packets go to this address.
        case direct(PeerAddress)
        /// The server connects: this side is reachable.
        case wait
        /// Hole punching, and beside it the address on the local network that may be the server's.
        case punch(local: PeerAddress?)
    }

    /// - Parameters:
    ///   - reply: The server's payload.
    ///   - relay: The node to which the handshake was sent.
    ///   - serverAddress: The server as the relay sees it; `nil` when the server answered itself.
    ///   - ownAddress: This side as the relay sees it.
    ///   - localAddresses: The addresses of this host's interfaces.
    static func path(
        reply: NoisePayload, relay: PeerAddress, serverAddress: PeerAddress?, ownAddress: PeerAddress, ownFirewall: Firewall,
        localAddresses: [PeerAddress]
    ) -> Path {
        guard let serverAddress else { return .direct(relay) }
        if reply.firewall == .open || (reply.holepunch?.relays ?? []).isEmpty {
            return .direct(reply.addresses4.first { !$0.isBogon && $0.isSendable } ?? serverAddress)
        }
        if ownFirewall == .open { return .wait }
        guard ownAddress.octets == serverAddress.octets else { return .punch(local: nil) }
        return .punch(local: bestLocalAddress(reply.addresses4, localAddresses: localAddresses))
    }

    /// Returns the address that shares the longest dotted prefix with one of this host's addresses, else the first one.
    static func bestLocalAddress(_ candidates: [PeerAddress], localAddresses: [PeerAddress]) -> PeerAddress? {
        func commonOctets(_ candidate: PeerAddress) -> Int {
            localAddresses.map { ($0.octets ^ candidate.octets).leadingZeroBitCount / 8 }.max() ?? 0
        }
        var best: PeerAddress?
        // The list comes from the peer: its beginning is enough.
        for candidate in candidates.prefix(16) where candidate.isSendable {
            if best == nil || commonOctets(candidate) > best.map(commonOctets) ?? 0 { best = candidate }
        }
        return best
    }
}
