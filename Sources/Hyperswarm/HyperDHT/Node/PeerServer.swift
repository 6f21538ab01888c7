public import CompactEncoding
public import CryptoPrimitives

/// A key pair that accepts connections, until ``stop()``.
public struct PeerServer: Sendable {
    private let node: DHTNode
    private let announcer: Announcer
    public let keyPair: KeyPair

    init(node: DHTNode, keyPair: KeyPair, announcer: Announcer) {
        self.node = node
        self.keyPair = keyPair
        self.announcer = announcer
    }

    public var publicKey: PublicKey { keyPair.publicKey }

    /// The relay addresses to announce with topics, at most 3: the server's own if it is open, then nodes that relay to it.
    public var relayAddresses: [PeerAddress] {
        get async { await node.announcedAddresses(announcer.relays.map(\.relayAddress)) }
    }

    /// Waits until at least one node relays to this server, or until ``stop()``. Returns the relays.
    @discardableResult
    public func announced() async -> [PeerAddress] {
        await announcer.announced().map(\.relayAddress)
    }

    /// Announces again at once, after the network changed.
    public func refresh() async {
        await announcer.refresh()
    }

    /// Stops accepting connections and removes the announcement. Existing connections stay.
    public func stop() async {
        await node.stopListening(publicKey)
    }
}
