/// Failure to connect to a peer, identified by the hop that failed.
public struct ConnectError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The hop that failed. Compare this; do not compare whole errors.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Base {
            case invalidKey, noBootstrapNode, nothingAnnounced, handshakeTimedOut, handshakeRefused, holePunchFailed
            case relayUnreachable, relayRefused, relayTimedOut, streamTimedOut, streamFailed, superseded, closed
        }
        private var base: Base
        private init(_ base: Base) { self.base = base }

        /// The bytes of the public key are not a point of Ed25519.
        public static let invalidKey = Code(.invalidKey)
        /// No node of the network answered.
        public static let noBootstrapNode = Code(.noBootstrapNode)
        /// The network answered, but no node knows the peer.
        public static let nothingAnnounced = Code(.nothingAnnounced)
        /// Nodes know the peer, but no answer of the peer to the handshake arrived.
        public static let handshakeTimedOut = Code(.handshakeTimedOut)
        /// The peer answered that it does not connect; see ``ConnectError/peerError``.
        public static let handshakeRefused = Code(.handshakeRefused)
        /// The peers found no path between their networks; see ``ConnectError/localFirewall`` and ``ConnectError/remoteFirewall``.
        public static let holePunchFailed = Code(.holePunchFailed)
        /// The connection to the blind relay failed; the detail names the failed hop.
        public static let relayUnreachable = Code(.relayUnreachable)
        /// The blind relay answered, but refused to relay.
        public static let relayRefused = Code(.relayRefused)
        /// The blind relay stopped answering, or the peer did not reach it in time.
        public static let relayTimedOut = Code(.relayTimedOut)
        /// A path was chosen, but the peer's encrypted stream did not begin in time.
        public static let streamTimedOut = Code(.streamTimedOut)
        /// The encrypted stream was reset or did not belong to the handshake.
        public static let streamFailed = Code(.streamFailed)
        /// Another dial to the peer under the same key, which began earlier, has connected.
        public static let superseded = Code(.superseded)
        /// This node was closed, or the attempt was cancelled.
        public static let closed = Code(.closed)

        public var description: String { "\(base)" }
    }

    public var code: Code
    /// Explanation for a log.
    public var detail: String
    /// The answer of the peer, for `handshakeRefused`.
    public var peerError: PeerError?
    /// The kind of this side's network, for `holePunchFailed` and the codes of a relay.
    public var localFirewall: Firewall?
    /// The kind of the peer's network, for `holePunchFailed` and the codes of a relay.
    public var remoteFirewall: Firewall?

    public init(
        _ code: Code, _ detail: String = "", peerError: PeerError? = nil, localFirewall: Firewall? = nil,
        remoteFirewall: Firewall? = nil
    ) {
        self.code = code
        self.detail = detail
        self.peerError = peerError
        self.localFirewall = localFirewall
        self.remoteFirewall = remoteFirewall
    }

    public var description: String {
        var parts = ["\(code)"]
        if let peerError { parts.append("peer: \(peerError)") }
        if let localFirewall { parts.append("this network: \(localFirewall)") }
        if let remoteFirewall { parts.append("peer's network: \(remoteFirewall)") }
        if !detail.isEmpty { parts.append(detail) }
        return "ConnectError(\(parts.joined(separator: ", ")))"
    }
}
