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
        /// Hole punching, and pings of the addresses on the local network that may be the server's, the likeliest first.
        case punch(local: [PeerAddress])
    }

    /// Maximum addresses that are tried at once. The peer names them.
    static let maximumLocalAddressCount = 4

    /// - Parameters:
    ///   - reply: The server's payload.
    ///   - relay: The node to which the handshake was sent.
    ///   - serverAddress: The server's address as the relay sees it; `nil` when the server answered itself.
    ///   - ownAddress: This side's address as the relay sees it.
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
        guard ownAddress.octets == serverAddress.octets else { return .punch(local: []) }
        return .punch(local: localCandidates(reply.addresses4, localAddresses: localAddresses))
    }

    /// Returns the addresses at which the server may be reached. Those that share the longest dotted prefix with an address of
    /// this host come first.
    ///
    /// Two hosts may have the same address, such as that of a container bridge, at which each host reaches only itself.
    static func localCandidates(_ candidates: [PeerAddress], localAddresses: [PeerAddress]) -> [PeerAddress] {
        func commonOctets(_ candidate: PeerAddress) -> Int {
            localAddresses.map { ($0.octets ^ candidate.octets).leadingZeroBitCount / 8 }.max() ?? 0
        }
        // The list comes from the peer: its beginning is enough.
        let usable = candidates.prefix(16).filter { $0.isSendable && !localAddresses.contains($0) }
        let others = usable.filter { candidate in !localAddresses.contains { $0.octets == candidate.octets } }
        // A server on this host has only addresses that this host has as well.
        let sorted = (others.isEmpty ? usable : others).enumerated().sorted {
            (commonOctets($1.element), $0.offset) < (commonOctets($0.element), $1.offset)
        }
        return sorted.prefix(maximumLocalAddressCount).map(\.element)
    }
}
