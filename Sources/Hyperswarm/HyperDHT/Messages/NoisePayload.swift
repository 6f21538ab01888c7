public import CompactEncoding
public import CryptoPrimitives

/// The plaintext inside both Noise messages of a connection: how the sender can be reached.
///
/// Source: the Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, section 4.7.
public struct NoisePayload: Hashable, Sendable {
    /// The only version in use.
    public static let currentVersion: UInt64 = 1

    /// The server's offer of hole punching.
    public struct Holepunch: Hashable, Sendable {
        /// A relay, and the server's address as this relay sees it.
        public struct Relay: Hashable, Sendable {
            public var relayAddress: PeerAddress
            public var peerAddress: PeerAddress

            public init(relayAddress: PeerAddress, peerAddress: PeerAddress) {
                self.relayAddress = relayAddress
                self.peerAddress = peerAddress
            }
        }

        /// The number of this handshake in PEER_HOLEPUNCH messages.
        public var id: UInt64
        public var relays: [Relay]

        public init(id: UInt64, relays: [Relay]) {
            self.id = id
            self.relays = relays
        }
    }

    /// The UDX stream on which the sender receives.
    public struct Stream: Hashable, Sendable {
        /// True when further streams may use the same socket.
        public var isSocketReusable: Bool
        public var id: UInt32
        /// The first sequence number, always 0.
        public var sequence: UInt64

        public init(id: UInt32, isSocketReusable: Bool = false, sequence: UInt64 = 0) {
            self.id = id
            self.isSocketReusable = isSocketReusable
            self.sequence = sequence
        }
    }

    /// The blind relay that the sender wants to use.
    public struct RelayThrough: Hashable, Sendable {
        public var publicKey: PublicKey
        /// 32 bytes that both peers show to the relay.
        public var token: [UInt8]

        public init(publicKey: PublicKey, token: [UInt8]) {
            self.publicKey = publicKey
            self.token = token
        }
    }

    private enum Flag {
        static let holepunch: UInt64 = 1
        static let addresses4: UInt64 = 2
        static let addresses6: UInt64 = 4
        static let stream: UInt64 = 8
        static let secretStream: UInt64 = 16
        static let relayThrough: UInt64 = 32
        static let relayAddresses: UInt64 = 64
    }

    /// The version of the payload. With any version but ``currentVersion``, the other members are undefined.
    public var version = currentVersion
    public var error = PeerError.none
    /// The sender's view of itself: ``Firewall/open`` only when it knows that it is reachable.
    public var firewall = Firewall.unknown
    public var holepunch: Holepunch?
    /// The public address, if it is known, then those of the local network.
    public var addresses4: [PeerAddress] = []
    public var addresses6: [IPv6PeerAddress] = []
    public var stream: Stream?
    /// True if the sender speaks the encrypted stream's protocol, as all current peers do.
    public var hasSecretStream = true
    public var relayThrough: RelayThrough?
    /// The server's current relays, for the client to remember.
    public var relayAddresses: [PeerAddress] = []

    public init() {}

    public init(decoding bytes: [UInt8]) throws(CompactEncodingError) {
        var decoder = Decoder(bytes)
        version = try decoder.readUInt()
        guard version == NoisePayload.currentVersion else { return }
        let flags = try decoder.readUInt()
        error = PeerError(rawValue: try decoder.readUInt())
        firewall = Firewall(wire: try decoder.readUInt())
        if flags & Flag.holepunch != 0 {
            let id = try decoder.readUInt()
            let relays = try decoder.readArray { (decoder: inout Decoder) throws(CompactEncodingError) in
                Holepunch.Relay(relayAddress: try decoder.readAddress(), peerAddress: try decoder.readAddress())
            }
            holepunch = Holepunch(id: id, relays: relays)
        }
        if flags & Flag.addresses4 != 0 { addresses4 = try decoder.readAddresses() }
        if flags & Flag.addresses6 != 0 {
            addresses6 = try decoder.readArray { (decoder: inout Decoder) throws(CompactEncodingError) in
                try decoder.readIPv6Address()
            }
        }
        if flags & Flag.stream != 0 {
            _ = try decoder.readUInt()
            let features = try decoder.readUInt()
            guard let id = UInt32(exactly: try decoder.readUInt()) else { throw CompactEncodingError(.invalidValue, "stream id") }
            stream = Stream(id: id, isSocketReusable: features & 1 != 0, sequence: try decoder.readUInt())
        }
        hasSecretStream = flags & Flag.secretStream != 0
        if hasSecretStream { _ = try decoder.readUInt() }
        if flags & Flag.relayThrough != 0 {
            _ = try decoder.readUInt()
            _ = try decoder.readUInt()
            relayThrough = RelayThrough(publicKey: try decoder.readPublicKey(), token: try decoder.readFixed(32))
        }
        if flags & Flag.relayAddresses != 0 { relayAddresses = try decoder.readAddresses() }
    }

    private var flags: UInt64 {
        var flags: UInt64 = 0
        if holepunch != nil { flags |= Flag.holepunch }
        if !addresses4.isEmpty { flags |= Flag.addresses4 }
        if !addresses6.isEmpty { flags |= Flag.addresses6 }
        if stream != nil { flags |= Flag.stream }
        if hasSecretStream { flags |= Flag.secretStream }
        if relayThrough != nil { flags |= Flag.relayThrough }
        if !relayAddresses.isEmpty { flags |= Flag.relayAddresses }
        return flags
    }

    public var encoded: [UInt8] {
        var encoder = Encoder(capacity: 128)
        encoder.writeUInt(version)
        encoder.writeUInt(flags)
        encoder.writeUInt(error.rawValue)
        encoder.writeUInt(firewall.rawValue)
        if let holepunch {
            encoder.writeUInt(holepunch.id)
            encoder.writeArray(holepunch.relays) { encoder, relay in
                encoder.writeAddress(relay.relayAddress)
                encoder.writeAddress(relay.peerAddress)
            }
        }
        if !addresses4.isEmpty { encoder.writeAddresses(addresses4) }
        if !addresses6.isEmpty { encoder.writeArray(addresses6) { encoder, address in encoder.writeIPv6Address(address) } }
        if let stream {
            encoder.writeUInt(1 as UInt64)
            encoder.writeUInt((stream.isSocketReusable ? 1 : 0) as UInt64)
            encoder.writeUInt(UInt64(stream.id))
            encoder.writeUInt(stream.sequence)
        }
        if hasSecretStream { encoder.writeUInt(1 as UInt64) }
        if let relayThrough {
            encoder.writeUInt(1 as UInt64)
            encoder.writeUInt(0 as UInt64)
            encoder.writeFixed(relayThrough.publicKey.bytes)
            encoder.writeFixed(relayThrough.token)
        }
        if !relayAddresses.isEmpty { encoder.writeAddresses(relayAddresses) }
        return encoder.bytes
    }
}
