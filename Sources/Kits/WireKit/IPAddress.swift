import Foundation

/// An IPv4 or IPv6 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes, in network byte order.
    public let bytes: [UInt8]
    /// The network interface of a link-local IPv6 address, such as `eth0`; otherwise nil.
    package private(set) var zone: String?

    /// - Returns: Nil unless there are 4 or 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses four decimal numbers without leading zeros, or an IPv6 address in a form of RFC 4291, section 2.2.
    ///
    /// - Returns: Nil for other text, and for an address with a zone, which has no meaning on another computer.
    public init?(_ text: some StringProtocol) {
        // A zero byte would end the text for C.
        guard text.utf8.count < INET6_ADDRSTRLEN, !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "%") }) else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: text.contains(":") ? 16 : 4)
        guard inet_pton(bytes.count == 16 ? AF_INET6 : AF_INET, String(text), &bytes) == 1 else { return nil }
        self.bytes = bytes
    }

    /// - Parameter interface: The index of the network interface, for the zone of link-local IPv6 addresses; 0 for none.
    /// - Returns: Nil unless there are 4 or 16 bytes.
    package init?(_ bytes: [UInt8], interface: UInt32) {
        self.init(bytes)
        guard isIPv6, isLinkLocal, interface != 0 else { return }
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE) + 1)
        zone =
            if_indextoname(interface, &name) == nil
            ? "\(interface)" : String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }

    package var isIPv6: Bool { bytes.count == 16 }
    /// True for 169.254.0.0/16 and fe80::/10.
    package var isLinkLocal: Bool { isIPv4(in: [169, 254], bits: 16) || isIPv6(in: [0xfe, 0x80], bits: 10) }
    /// True for 127.0.0.0/8, also as an IPv4-mapped IPv6 address, and for ::1.
    package var isLoopback: Bool {
        let zeros = [UInt8](repeating: 0, count: 15)
        return isIPv4(in: [127], bits: 8) || bytes == zeros + [1] || isIPv6(in: zeros.prefix(10) + [0xff, 0xff, 127], bits: 104)
    }
    /// True for the private networks of RFC 1918, and for the unique local addresses fc00::/7.
    package var isPrivate: Bool {
        isIPv4(in: [10], bits: 8) || isIPv4(in: [172, 16], bits: 12) || isIPv4(in: [192, 168], bits: 16)
            || isIPv6(in: [0xfc], bits: 7)
    }

    /// True for an IPv4 address whose first `bits` bits are those of `network`.
    package func isIPv4(in network: [UInt8], bits: Int) -> Bool { !isIPv6 && begins(with: network, bits) }
    /// True for an IPv6 address whose first `bits` bits are those of `network`.
    package func isIPv6(in network: [UInt8], bits: Int) -> Bool { isIPv6 && begins(with: network, bits) }

    private func begins(with network: [UInt8], _ bits: Int) -> Bool {
        stride(from: 0, to: bits, by: 8).allSatisfy { bit in
            let mask = UInt8(truncatingIfNeeded: 0xff00 >> min(bits - bit, 8))
            return bytes[bit / 8] & mask == network[bit / 8] & mask
        }
    }

    /// The address in decimal numbers, or in the form of RFC 5952 with `%` and the zone if there is one: `192.0.2.1`, `fe80::1%eth0`.
    public var description: String {
        isIPv6 ? ipv6Text + (zone.map { "%\($0)" } ?? "") : bytes.map(String.init).joined(separator: ".")
    }

    /// RFC 5952, section 4: lower case, no leading zeros, `::` for the first longest run of at least two zero groups.
    ///
    /// `inet_ntop` differs: it writes the last four bytes of some addresses as an IPv4 address.
    private var ipv6Text: String {
        let groups = (0..<8).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
        var longest = 0..<0
        var start = 0
        for index in 0...8 where index == 8 || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        func join(_ part: ArraySlice<UInt16>) -> String { part.map { String($0, radix: 16) }.joined(separator: ":") }
        return longest.count < 2
            ? join(groups[...]) : "\(join(groups[..<longest.lowerBound]))::\(join(groups[longest.upperBound...]))"
    }
}
