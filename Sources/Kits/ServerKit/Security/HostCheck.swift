/// Decides which values of the `Host` header are answered.
///
/// A page from elsewhere can make a browser resolve its own name to this machine (DNS rebinding); the browser then sends
/// that name. Addresses cannot be rebound, so every IP literal is answered, and `localhost`, and the names the operator gave.
public struct HostCheck: Sendable {
    private let names: Set<String>

    /// - Parameter names: Further names without ports; case does not matter.
    public init(names: [String] = []) {
        self.names = Set(names.map { $0.lowercased() }).union(["localhost"])
    }

    /// - Parameter authority: The header as sent, port included. Nil (HTTP/1.0) is not answered.
    public func allows(_ authority: String?) -> Bool {
        guard let authority, let name = Authority(authority)?.host else { return false }
        return names.contains(name) || name.hasSuffix(".localhost") || IPLiteral.isValid(name)
    }
}

/// Decides from which origins a cookie-bearing route is used: from pages of the server itself.
///
/// An `Origin` that names another host than `Host` does is refused. No `Origin` at all is a navigation or no browser; a
/// route that changes something must then refuse by itself when it has to.
public enum OriginCheck {
    public static func allows(origin: String?, host: String?) -> Bool {
        guard let origin else { return true }
        guard let host, let scheme = ["http://", "https://"].first(where: origin.lowercased().hasPrefix) else { return false }
        let defaultPort = scheme == "https://" ? 443 : 80
        guard let from = Authority(String(origin.dropFirst(scheme.count))), let to = Authority(host) else { return false }
        return from.host == to.host && (from.port ?? defaultPort) == (to.port ?? defaultPort)
    }
}

/// Host and port, as a `Host` header has them (RFC 9110, section 7.2). The host is lower-case and without brackets.
struct Authority: Equatable {
    var host: String
    var port: Int?

    init?(_ text: String) {
        var host = Substring(text.lowercased())
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            let rest = host[host.index(after: end)...]
            host = host[host.index(after: host.startIndex)..<end]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            if !rest.isEmpty {
                guard let value = Int(rest.dropFirst()), (0...65_535).contains(value) else { return nil }
                port = value
            }
        } else if let colon = host.firstIndex(of: ":") {
            guard let value = Int(host[host.index(after: colon)...]), (0...65_535).contains(value) else { return nil }
            port = value
            host = host[..<colon]
        }
        if host.hasSuffix(".") { host = host.dropLast() }
        guard !host.isEmpty, !host.contains(where: { "/@?# ".contains($0) }) else { return nil }
        self.host = String(host)
    }
}
