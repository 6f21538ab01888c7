public import CryptoPrimitives
import DHTRPC
import Foundation
public import HyperDHT
import Hyperswarm
public import NetworkingKit

/// Byte streams to peers of the Hyperswarm network, under one key pair.
///
///     let node = try await DHTNode.start(configuration)
///     let transport = SwarmTransport(node: node, keyPair: keyPair)
///     let stream = try await transport.dial(.key(hostKey)) { hop in … }
///
/// Several transports can share a node. The owner of the node closes it.
public struct SwarmTransport: ByteStreamDialler, ByteStreamAcceptor {
    public let ownKey: PeerKey
    private let node: DHTNode
    private let keyPair: KeyPair

    /// - Parameter keyPair: The identity of this side; that of the node by default.
    public init(node: DHTNode, keyPair: KeyPair? = nil) {
        self.node = node
        self.keyPair = keyPair ?? node.configuration.keyPair
        ownKey = PeerKey(self.keyPair.publicKey)
    }

    // MARK: Dialling

    public func dial(_ destination: DialDestination, onHop: @escaping @Sendable (DialHop) -> Void) async throws -> any ByteStream {
        do {
            switch destination {
            case .key(let key):
                guard let publicKey = PublicKey(Array(key.bytes)) else { throw DialError(.key, at: .lookup) }
                return try await connect(to: PeerRecord(publicKey: publicKey), onHop: onHop)
            case .topic(let topic):
                onHop(.lookup)
                return try await TopicDial(transport: self, node: node, onHop: onHop).run(topic)
            }
        } catch {
            // A cancelled dial fails with the error of a closed node.
            try Task.checkCancellation()
            throw (error as? DialError)?.explained() ?? error
        }
    }

    /// Connects to a peer, beginning with the relays of its record.
    func connect(to peer: PeerRecord, onHop: @escaping @Sendable (DialHop) -> Void) async throws(DialError) -> any ByteStream {
        do {
            let connection = try await node.connect(
                to: peer.publicKey, relayAddresses: peer.relayAddresses, keyPair: keyPair, onHop: { onHop(DialHop($0)) })
            return SwarmByteStream(connection)
        } catch {
            throw DialError(error)
        }
    }

    // MARK: Accepting

    public func accept(
        topics: [PeerTopic], onState: @escaping @Sendable (AnnouncementState) -> Void,
        _ handle: @escaping @Sendable (any ByteStream) async -> Void
    ) async throws {
        let swarm = PeerSwarm(node: node, keyPair: keyPair)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await swarm.run() }
            group.addTask { try await announce(topics, on: swarm, onState: onState) }
            for await connection in swarm.connections {
                group.addTask { await handle(SwarmByteStream(connection)) }
            }
        }
    }

    /// Announces the key and the topics. Returns once peers find them, or when the task is cancelled.
    // Not inlined: see `TopicDial`.
    @inline(never)
    private func announce(
        _ topics: [PeerTopic], on swarm: PeerSwarm, onState: @Sendable (AnnouncementState) -> Void
    ) async throws {
        onState(.announcing)
        await swarm.listen()
        let topics = topics.compactMap { DHTTopic($0.bytes) }
        for topic in topics { await swarm.join(topic, client: false) }
        while true {
            do {
                try await swarm.listening()
                for topic in topics { _ = try await swarm.joined(topic) }
                return onState(.announced)
            } catch is CancellationError {
                return
            } catch let error as ConnectError {
                throw DialError(error)
            } catch {
                onState(.failed(DialError(error as? RPCError)))
                // The swarm tries again by itself. Cancellation ends the wait.
                do { try await Task.sleep(for: .seconds(2)) } catch { return }
            }
        }
    }
}
