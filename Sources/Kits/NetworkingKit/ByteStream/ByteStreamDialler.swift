/// A dialler of peers, which proves one key to all of them.
public protocol ByteStreamDialler: Sendable {
    /// The key that this side proves.
    var ownKey: PeerKey { get }
    /// Connects to a peer.
    ///
    /// - Parameter onHop: Called with each hop when it begins. A dial can return to an earlier hop, with the next peer of a topic.
    /// - Throws: ``DialError``, which names the hop that failed; `CancellationError`.
    func dial(_ destination: DialDestination, onHop: @escaping @Sendable (DialHop) -> Void) async throws -> any ByteStream
}

extension ByteStreamDialler {
    public func dial(_ destination: DialDestination) async throws -> any ByteStream {
        try await dial(destination) { _ in }
    }
}

/// An acceptor of streams, which proves one key to all peers.
public protocol ByteStreamAcceptor: Sendable {
    /// The key that this side proves.
    var ownKey: PeerKey { get }
    /// Announces the own key and topics and accepts streams, until the task is cancelled. Then it removes the announcements, ends
    /// the streams, and returns within 8 s.
    ///
    /// - Parameters:
    ///   - topics: Topics under which peers find this side, beside its key.
    ///   - onState: Called when the announcements begin, succeed or fail.
    ///   - handle: Runs for each stream, in a task of its own that is cancelled with the calling one.
    /// - Throws: ``DialError`` if this side accepts already. A lost network is not an error: it is retried until it is back.
    func accept(
        topics: [PeerTopic], onState: @escaping @Sendable (AnnouncementState) -> Void,
        _ handle: @escaping @Sendable (any ByteStream) async -> Void
    ) async throws
}

/// The state of an acceptor's announcements.
public enum AnnouncementState: Hashable, Sendable {
    /// Peers may not find this side yet.
    case announcing
    /// Peers find this side under its key and its topics.
    case announced
    /// The last attempt failed; another follows.
    case failed(DialError)
}

/// A step of a dial, in order.
public enum DialHop: String, Hashable, Sendable, CaseIterable {
    /// The search for nodes that know the peer.
    case lookup
    /// The exchange of keys and addresses, through a node that knows the peer.
    case handshake
    /// The search for a path between the two networks.
    case holePunching
    /// The beginning of the encrypted stream on that path.
    case stream
}

/// The failure of a dial.
public struct DialError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The key is not usable.
        case key
        /// No node of the network answered.
        case network
        /// The peer-to-peer network uses IPv4, and this side has only IPv6.
        case noIPv4
        /// The network answered, but no peer is announced.
        case notFound
        /// The peer is announced, but did not answer.
        case timedOut
        /// The peer answered that it does not connect.
        case refused
        /// No path between the two networks was found.
        case unreachable
        /// The stream was reset, or another peer answered.
        case broken
        /// Another dial to the peer under the same key, which began earlier, has connected.
        case superseded
        /// This side is closed, or has too many dials.
        case closed
    }

    public var code: Code
    /// The hop that failed.
    public var hop: DialHop
    /// A description for the log, such as the kinds of both networks.
    public var detail: String

    public init(_ code: Code, at hop: DialHop, _ detail: String = "") {
        self.code = code
        self.hop = hop
        self.detail = detail
    }

    public var description: String { "\(code.rawValue) at \(hop.rawValue)" + (detail.isEmpty ? "" : ": \(detail)") }
}
