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
}
