public import CompactEncoding
public import CryptoPrimitives
public import DHTRPC
public import HyperDHT
public import NIOCore

/// The part of a connection that a swarm uses. The user of the swarm reads and writes its bytes.
public protocol SwarmConnection: AnyObject, Sendable {
    var remotePublicKey: PublicKey { get }
    /// True once data travelled in both directions. Called on the event loop.
    var carriesData: Bool { get }
    /// Ends this side's direction after all written bytes. Called on the event loop.
    func end()
    /// Ends both directions at once. Called on the event loop.
    func drop()
    /// Writes an empty message: on a dead connection it is not acknowledged, which fails the connection. Called on the event loop.
    func probe()
    /// Waits for the end of the connection.
    func untilClosed() async
}

/// A node that finds, announces and connects for a swarm.
public protocol SwarmNode: Sendable {
    associatedtype Connection: SwarmConnection

    var eventLoop: any EventLoop { get }
    /// Key under which this node connects and listens.
    var publicKey: PublicKey { get }

    /// Connects to a peer; tries the relays of its record first.
    func connect(to peer: PeerRecord) async throws -> Connection
    /// Listens and announces the own key. Returns when a node relays to this one.
    ///
    /// - Parameter onConnection: Called on the event loop with each connection that a peer opened.
    func listen(onConnection: @escaping @Sendable (Connection) -> Void) async throws
    /// Removes the own announcements and stops accepting connections.
    func stopListening() async
    /// Looks up a topic; see ``PeerDirectory/lookup(_:firstNodes:onHit:)``.
    func lookup(_ topic: DHTTopic, firstNodes: [PeerAddress], onHit: @escaping @Sendable (PeerDirectory.Hit) -> Void) async throws
        -> PeerDirectory.Result
    /// Announces the own key under a topic; see ``PeerDirectory/announce(_:keyPair:relayAddresses:firstNodes:clearsOldRecords:onHit:)``.
    func announce(
        _ topic: DHTTopic, firstNodes: [PeerAddress], clearsOldRecords: Bool, onHit: @escaping @Sendable (PeerDirectory.Hit) -> Void
    ) async throws -> PeerDirectory.Result
    /// Removes the own record from nodes.
    func unannounce(_ topic: DHTTopic, at nodes: [PeerAddress]) async
    /// Stops all traffic, before the system suspends the process.
    func suspend() async
    /// Resumes, perhaps in another network.
    func resume() async
}
