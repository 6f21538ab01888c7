/// An IPv4 address with a UDP port, as messages carry it.
public struct PeerAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The four octets, the first of the dotted form in the highest bits.
    public var octets: UInt32
    public var port: UInt16

    public init(octets: UInt32, port: UInt16) {
        self.octets = octets
        self.port = port
    }

    /// Parses the dotted form with a port, such as `192.0.2.1:49737`. Nil for anything else, host names included.
    public init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let portText = text[text.index(after: colon)...]
        guard let port = Self.decimal(portText, atMost: 0xffff) else { return nil }
        self.init(host: String(text[..<colon]), port: UInt16(truncatingIfNeeded: port))
    }

    /// Parses the dotted form of an address, without a port. Nil for anything else.
    public init?(host: String, port: UInt16) {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var octets: UInt32 = 0
        for part in parts {
            guard let octet = Self.decimal(part, atMost: 255) else { return nil }
            octets = octets << 8 | octet
        }
        self.init(octets: octets, port: port)
    }

    /// The dotted form without the port.
    public var host: String {
        "\(octets >> 24).\(octets >> 16 & 0xff).\(octets >> 8 & 0xff).\(octets & 0xff)"
    }

    public var description: String { "\(host):\(port)" }

    /// The encoded form in messages, 6 bytes.
    public var encoded: [UInt8] {
        var encoder = Encoder(capacity: 6)
        encoder.writeAddress(self)
        return encoder.bytes
    }

    /// True in 127.0.0.0/8.
    public var isLoopback: Bool { isIn(127, 0, bits: 8) }

    /// True in the private ranges of RFC 1918: 10.0.0.0/8, 172.16.0.0/12 and 192.168.0.0/16.
    public var isPrivate: Bool {
        isIn(10, 0, bits: 8) || isIn(172, 16, bits: 12) || isIn(192, 168, bits: 16)
    }

    /// True if the public internet does not route the address: this network, private, loopback, link-local, shared by a
    /// carrier, for documentation and benchmarks, multicast or reserved.
    public var isBogon: Bool {
        isLoopback || isPrivate || isIn(0, 0, bits: 8) || isIn(100, 64, bits: 10) || isIn(169, 254, bits: 16)
            || isIn(192, 0, 0, bits: 24) || isIn(192, 0, 2, bits: 24) || isIn(198, 18, bits: 15) || isIn(198, 51, 100, bits: 24)
            || isIn(203, 0, 113, bits: 24) || octets >> 28 >= 0xe
    }

    /// True if a datagram can be sent to the address: neither port 0, nor 0.0.0.0/8, nor multicast, nor broadcast.
    public var isSendable: Bool {
        port != 0 && octets >> 24 != 0 && octets >> 28 < 0xe
    }

    public static func < (left: PeerAddress, right: PeerAddress) -> Bool {
        (left.octets, left.port) < (right.octets, right.port)
    }

    private func isIn(_ first: UInt32, _ second: UInt32, _ third: UInt32 = 0, bits: UInt32) -> Bool {
        let network = first << 24 | second << 16 | third << 8
        return (octets ^ network) >> (32 - bits) == 0
    }

    private static func decimal(_ text: Substring, atMost maximum: UInt32) -> UInt32? {
        guard (1...5).contains(text.utf8.count) else { return nil }
        var value: UInt32 = 0
        for byte in text.utf8 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + UInt32(byte - UInt8(ascii: "0"))
        }
        return value <= maximum ? value : nil
    }
}

/// An IPv6 address with a port. Messages can carry such addresses; nothing in this library connects to them.
public struct IPv6PeerAddress: Hashable, Sendable {
    /// Sixteen octets in network order.
    public let octets: [UInt8]
    public let port: UInt16

    /// Creates an address; nil unless `octets` has 16 elements.
    public init?(octets: [UInt8], port: UInt16) {
        guard octets.count == 16 else { return nil }
        self.init(uncheckedOctets: octets, port: port)
    }

    init(uncheckedOctets: [UInt8], port: UInt16) {
        octets = uncheckedOctets
        self.port = port
    }
}
