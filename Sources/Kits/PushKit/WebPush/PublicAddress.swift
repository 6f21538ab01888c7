import Foundation
import NIOCore

/// An IP address, as its 4 or 16 bytes.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: Nil for an address of another family.
    init?(_ address: SocketAddress) {
        switch address {
        case .v4(let address): bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        default: return nil
        }
    }

    /// - Parameter text: A numeric address.
    init?(_ text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    var description: String {
        if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }

    /// True for an address that is reachable from the whole Internet. Addresses of loopback, links, private networks and providers,
    /// for documentation, benchmarks and multicast, and IPv6 addresses that embed such an address, are not public.
    ///
    /// Source: the IANA registries of special-purpose addresses (RFC 6890).
    var isPublic: Bool { bytes.count == 4 ? isPublicV4 : isPublicV6 }

    private var isPublicV4: Bool { !Self.specialV4.contains { matches($0.0, $0.1) } }

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
        if matches([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96) { return IPAddress(Array(bytes[12...])).isPublic }
        if matches([0x20, 0x02], 16) { return IPAddress(Array(bytes[2..<6])).isPublic }
        // Only 2000::/3 is globally assigned; IPv4-mapped addresses, loopback, links, private networks and multicast are outside.
        guard matches([0x20], 3) else { return false }
        return !Self.specialV6.contains { matches($0.0, $0.1) }
    }

    private static let specialV6: [([UInt8], Int)] = [
        ([0x20, 0x01, 0x00, 0x00], 23),  // assignments of protocols, Teredo
        ([0x20, 0x01, 0x0d, 0xb8], 32),  // documentation
        ([0x3f, 0xff, 0x00], 20),  // documentation
    ]

    /// True if the first `count` bits are those of `prefix`.
    private func matches(_ prefix: [UInt8], _ count: Int) -> Bool {
        for bit in stride(from: 0, to: count, by: 8) {
            let mask = count - bit >= 8 ? 0xff : UInt8(truncatingIfNeeded: 0xff00 >> (count - bit))
            if bytes[bit / 8] & mask != prefix[bit / 8] & mask { return false }
        }
        return true
    }
}

/// An error: an address that a stranger chose leads to a destination that is not allowed.
struct ForbiddenAddress: Error, CustomStringConvertible {
    var description: String
}
