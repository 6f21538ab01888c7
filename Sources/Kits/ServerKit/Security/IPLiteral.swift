import NIOCore

/// An address written as numbers.
enum IPLiteral {
    static func isValid(_ text: String) -> Bool {
        (try? SocketAddress(ipAddress: text, port: 0)) != nil
    }

    /// Whether `text` names this machine only: `localhost`, 127.0.0.0/8 or `::1`.
    static func isLoopback(_ text: String) -> Bool {
        if text.lowercased() == "localhost" || text == "::1" { return true }
        return text.hasPrefix("127.") && isValid(text)
    }

    /// What one customer of a network has: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177), as in `2001:db8:0:1::/64`.
    ///
    /// - Parameter address: As the system writes it. What is no IPv6 address, or stands for an IPv4 address, is returned unchanged.
    static func network(of address: String) -> String {
        guard address.contains(":"), !address.contains("."), isValid(address) else { return address }
        let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        let groups = halves.map { $0.split(separator: ":") }
        let zeros = 8 - groups.reduce(0) { $0 + $1.count }
        let all = groups[0] + Array(repeating: "0", count: max(zeros, 0)) + groups.dropFirst().joined()
        return all.prefix(4).joined(separator: ":") + "::/64"
    }
}
