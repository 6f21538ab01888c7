import Foundation

/// An IPv4 or IPv6 address of a service.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes, in network byte order.
    package let bytes: [UInt8]
    /// The network interface of a link-local IPv6 address, such as `eth0`; otherwise nil.
    package let zone: String?

    package var isIPv6: Bool { bytes.count == 16 }
    /// True for 169.254.0.0/16 and fe80::/10.
    package var isLinkLocal: Bool { isIPv6 ? bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80 : bytes[0] == 169 && bytes[1] == 254 }
    /// True for 127.0.0.0/8 and ::1.
    package var isLoopback: Bool { isIPv6 ? bytes == [UInt8](repeating: 0, count: 15) + [1] : bytes[0] == 127 }

    /// - Returns: nil unless there are 4 or 16 bytes.
    init?(_ bytes: [UInt8], interface: UInt32) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
        guard bytes.count == 16, bytes[0] == 0xfe, bytes[1] & 0xc0 == 0x80, interface != 0 else {
            zone = nil
            return
        }
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE) + 1)
        zone =
            if_indextoname(interface, &name) == nil
            ? "\(interface)" : String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }

    /// The address as `inet_ntop` writes it, with `%` and the zone where there is one: `192.0.2.1`, `fe80::1%eth0`.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN) + 1)
        guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(INET6_ADDRSTRLEN)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self) + (zone.map { "%\($0)" } ?? "")
    }

    /// The sort key of addresses: IPv4 before IPv6, then link-local addresses, then loopback.
    var rank: Int { (isLoopback ? 4 : 0) + (isLinkLocal ? 2 : 0) + (isIPv6 ? 1 : 0) }
}
