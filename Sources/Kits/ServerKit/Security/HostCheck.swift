/// The `Host` header values that the server answers.
///
/// A foreign page can make a browser resolve the page's own name to this machine (DNS rebinding); the browser then sends that name. An
/// attacker cannot rebind an address, so every IP literal is allowed, and so are `localhost` and the names that the operator configured.
package struct HostCheck: Sendable {
    private let names: Set<String>

    /// - Parameter names: Additional names without ports, case-insensitive.
    package init(names: [String] = []) {
        self.names = Set(names.map { $0.lowercased() }).union(["localhost"])
    }

    /// True when a `Host` header names the machine itself.
    package static func isLoopback(_ authority: String?) -> Bool {
        guard let authority, let name = Authority(authority)?.host else { return false }
        return IPLiteral.isLoopback(name) || name.hasSuffix(".localhost")
    }

    /// - Parameter authority: The header value, port included. Nil (HTTP/1.0) is not allowed.
    package func allows(_ authority: String?) -> Bool {
        guard let authority, let name = Authority(authority)?.host else { return false }
        return names.contains(name) || name.hasSuffix(".localhost") || IPLiteral.isValid(name)
    }
}
