import CompactEncoding
import CryptoPrimitives
public import Foundation
public import HyperDHT
import NetworkingKit

/// A node of the network that several users share. It starts when the first one needs it, and again after ``close()``.
public actor SharedNode {
    private let start: @Sendable () async throws -> DHTNode
    private var starting: Task<DHTNode, any Error>?

    public init(_ start: @escaping @Sendable () async throws -> DHTNode) { self.start = start }

    /// Creates a node that joins the network through bootstrap nodes.
    public init(bootstrap: [HostAndPort]) {
        self.init {
            var addresses: [PeerAddress] = []
            for node in bootstrap { addresses += await node.addresses() }
            // Without a name server, the failure is the same as without a network.
            guard !addresses.isEmpty else {
                throw DialError(.network, at: .lookup, "no bootstrap node has an address").explained()
            }
            return try await DHTNode.start(NodeConfiguration(bootstrap: addresses))
        }
    }

    public func value() async throws -> DHTNode {
        if let starting { return try await starting.value }
        // Not a child of the first user's task: others wait for it as well. `close` waits for its end.
        let task = Task { try await start() }
        starting = task
        do {
            return try await task.value
        } catch {
            if starting == task { starting = nil }
            throw error
        }
    }

    /// Returns a transport that proves the key pair of a secret.
    ///
    /// - Parameter secret: 32 random bytes.
    /// - Throws: ``DialError`` `key` for another length; the failure of the start.
    public func transport(secret: Data) async throws -> SwarmTransport {
        guard let keyPair = KeyPair(seed: Array(secret)) else { throw DialError(.key, at: .lookup) }
        return SwarmTransport(node: try await value(), keyPair: keyPair)
    }

    /// Closes the node with its connections. The next user starts another node.
    public func close() async {
        let ending = starting
        starting = nil
        // A node that failed to start needs no closing.
        if let node = try? await ending?.value { await node.close() }
    }
}
