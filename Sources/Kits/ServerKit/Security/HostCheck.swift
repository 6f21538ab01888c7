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

    /// Whether a `Host` header names the machine itself.
    public static func isLoopback(_ authority: String?) -> Bool {
        guard let authority, let name = Authority(authority)?.host else { return false }
        return IPLiteral.isLoopback(name) || name.hasSuffix(".localhost")
    }

    /// - Parameter authority: The header as sent, port included. Nil (HTTP/1.0) is not answered.
    public func allows(_ authority: String?) -> Bool {
        guard let authority, let name = Authority(authority)?.host else { return false }
        return names.contains(name) || name.hasSuffix(".localhost") || IPLiteral.isValid(name)
    }
}
