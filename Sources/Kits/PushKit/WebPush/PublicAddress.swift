import WireKit

extension IPAddress {
    /// True for an address that is reachable from the whole Internet. Addresses of loopback, links, private networks and providers,
    /// for documentation, benchmarks and multicast, and IPv6 addresses that embed such an address, are not public.
    ///
    /// Source: the IANA registries of special-purpose addresses (RFC 6890).
    var isPublic: Bool { isIPv6 ? isPublicV6 : isPublicV4 }

    private var isPublicV4: Bool { !Self.specialV4.contains { isIPv4(in: $0.0, bits: $0.1) } }

    private static let specialV4: [([UInt8], Int)] = [
        ([0, 0, 0, 0], 8),  // this network
        ([10, 0, 0, 0], 8),  // private
        ([100, 64, 0, 0], 10),  // behind a provider's address translation
        ([127, 0, 0, 0], 8),  // loopback
        ([169, 254, 0, 0], 16),  // link-local, metadata of clouds
        ([172, 16, 0, 0], 12),  // private
        ([192, 0, 0, 0], 24),  // assignments of protocols
        ([192, 0, 2, 0], 24),  // documentation
        ([192, 88, 99, 0], 24),  // relays to IPv6
        ([192, 168, 0, 0], 16),  // private
        ([198, 18, 0, 0], 15),  // benchmarks
        ([198, 51, 100, 0], 24),  // documentation
        ([203, 0, 113, 0], 24),  // documentation
        ([224, 0, 0, 0], 4),  // multicast
        ([240, 0, 0, 0], 4),  // reserved, broadcast
    ]

    private var isPublicV6: Bool {
        // An embedded IPv4 address decides (RFC 6052, RFC 3056).
        if isIPv6(in: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96) { return hasPublicAddress(at: 12) }
        if isIPv6(in: [0x20, 0x02], bits: 16) { return hasPublicAddress(at: 2) }
        // Only 2000::/3 is globally assigned; IPv4-mapped addresses, loopback, links, private networks and multicast are outside.
        guard isIPv6(in: [0x20], bits: 3) else { return false }
        return !Self.specialV6.contains { isIPv6(in: $0.0, bits: $0.1) }
    }

    /// True if the four bytes at `index` are a public IPv4 address.
    private func hasPublicAddress(at index: Int) -> Bool { IPAddress(Array(bytes[index..<index + 4]))?.isPublic == true }

    private static let specialV6: [([UInt8], Int)] = [
        ([0x20, 0x01, 0x00, 0x00], 23),  // assignments of protocols, Teredo
        ([0x20, 0x01, 0x0d, 0xb8], 32),  // documentation
        ([0x3f, 0xff, 0x00], 20),  // documentation
    ]
}

/// An error: an address that a stranger chose leads to a destination that is not allowed.
struct ForbiddenAddress: Error, CustomStringConvertible {
    var description: String
}
