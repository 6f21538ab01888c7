public import CryptoPrimitives
import DHTRPC
import NIOCore
import UDX

/// A blind relay: carries the encrypted packets of two peers that find no path between their networks.
///
/// Peers connect to the relay's key as to any server and send a token; the relay forwards packets between the two peers with the
/// same token. The relay sees addresses, sizes and times, and cannot read the content.
///
///     let relay = try await BlindRelay.start(on: node)
///     print(relay.publicKey)
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.13.
public struct BlindRelay: Sendable {
    private let server: PeerServer
    private let desk: RelayDesk

    /// The key that peers name to use this relay.
    public var publicKey: PublicKey { server.publicKey }

    /// Listens with a key pair, that of the node's configuration by default.
    ///
    /// - Parameter admits: Returns true for the public key of a peer to admit.
    /// - Throws: ``ConnectError`` with code `closed` when the node is closed or listens with this key pair already.
    public static func start(
        on node: DHTNode, keyPair: KeyPair? = nil, admits: @escaping @Sendable (PublicKey) -> Bool = { _ in true }
    ) async throws(ConnectError) -> BlindRelay {
        let desk = RelayDesk(streams: node.streams)
        let server = try await node.listen(keyPair: keyPair, admits: admits) { connection in
            desk.onEventLoop { $0.accept(connection) }
        }
        return BlindRelay(server: server, desk: desk)
    }

    /// Waits until a node of the network knows the relay.
    public func announced() async {
        await server.announced()
    }

    /// Count of the relayed pairs of streams.
    public var pairCount: Int { get async { await desk.pairCount } }

    /// Stops accepting peers and ends all pairings.
    public func stop() async {
        await server.stop()
        await desk.close()
    }
}

/// The connections of a blind relay and their pairings.
actor RelayDesk: EventLoopConfined {
    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    private struct Session {
        var connection: PeerConnection
        var reader: Task<Void, Never>?
    }

    /// Maximum connected peers; further peers are refused.
    private static let maximumSessionCount = 4096

    private let streams: StreamTable
    private var pairing = RelayPairing()
    private var sessions: [Int: Session] = [:]
    private var lastSession = 0
    /// One stream id of each relay, by token.
    private var relays: [[UInt8]: UInt32] = [:]
    private var isClosed = false

    init(streams: StreamTable) {
        eventLoop = streams.eventLoop
        self.streams = streams
    }

    var pairCount: Int { relays.count }

    func accept(_ connection: PeerConnection) {
        guard !isClosed, sessions.count < RelayDesk.maximumSessionCount else {
            return connection.onEventLoop { $0.destroy() }
        }
        lastSession += 1
        let number = lastSession
        sessions[number] = Session(connection: connection)
        sessions[number]?.reader = Task { [weak self] in
            // A session ends together with its connection, whatever the error.
            try? await self?.serve(connection, number: number)
            await connection.destroy()
            await self?.end(number)
        }
    }

    private func serve(_ connection: PeerConnection, number: Int) async throws {
        var channel = RelayChannel(peer: connection.remotePublicKey)
        try await connection.write(ByteBuffer(bytes: channel.opening))
        while let frame = try await connection.readFrame() {
            for event in try channel.receive(frame) {
                switch event {
                case .send(let frame): try await connection.write(ByteBuffer(bytes: frame))
                case .closed: return
                case .received(let message): try await take(message, from: number, channel: channel)
                }
            }
        }
    }

    private func take(_ message: RelayMessage, from number: Int, channel: RelayChannel) async throws {
        switch message {
        case .pair(let isInitiator, let token, let streamID):
            let side = RelayPairing.Side(session: number, isInitiator: isInitiator, streamID: streamID)
            guard let sides = pairing.pair(side, token: token) else { return }
            let ids = streams.onEventLoop { $0.makeRelay(between: sides[0].streamID, and: sides[1].streamID) }
            relays[token] = ids.first
            for (side, id) in zip(sides, [ids.first, ids.second]) {
                guard let session = sessions[side.session] else { continue }
                let answer = RelayMessage.pair(isInitiator: side.isInitiator, token: token, streamID: id)
                // A connection that ended a moment ago ends its pairings by itself. The channel's number is the same on all connections.
                try? await session.connection.write(ByteBuffer(bytes: channel.frame(answer)))
            }
        case .unpair(let token):
            if pairing.unpair(token: token, session: number) { endRelay(token) }
        }
    }

    private func end(_ number: Int) {
        sessions[number] = nil
        for token in pairing.endSession(number) { endRelay(token) }
    }

    private func endRelay(_ token: [UInt8]) {
        guard let id = relays.removeValue(forKey: token) else { return }
        streams.onEventLoop { $0.endRelay(id) }
    }

    func close() {
        isClosed = true
        for token in Array(relays.keys) { endRelay(token) }
        for session in sessions.values {
            session.reader?.cancel()
            session.connection.onEventLoop { $0.destroy() }
        }
    }
}
