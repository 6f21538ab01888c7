import NIOCore

/// Checks of IP addresses in text form.
enum IPLiteral {
    static func isValid(_ text: String) -> Bool {
        (try? SocketAddress(ipAddress: text, port: 0)) != nil
    }

    /// True when `text` names this machine only: `localhost`, 127.0.0.0/8 or `::1`.
    static func isLoopback(_ text: String) -> Bool {
        if text.lowercased() == "localhost" || text == "::1" { return true }
        return text.hasPrefix("127.") && isValid(text)
    }

    /// Returns the network of one customer: an IPv4 address, or an IPv6 address's first 64 bits (RFC 6177): `2001:db8:0:1::/64`.
    ///
    /// - Parameter address: In the system's notation. IPv4-mapped addresses and text that is not an IPv6 address are returned unchanged.
    static func network(of address: String) -> String {
        guard address.contains(":"), !address.contains("."), isValid(address) else { return address }
        let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        let groups = halves.map { $0.split(separator: ":") }
        let zeros = 8 - groups.reduce(0) { $0 + $1.count }
        let all = groups[0] + Array(repeating: "0", count: max(zeros, 0)) + groups.dropFirst().joined()
        return all.prefix(4).joined(separator: ":") + "::/64"
    }
}
