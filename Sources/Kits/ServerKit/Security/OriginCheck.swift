/// The place a page comes from, as browsers name it in `Origin` (RFC 6454): scheme, host and port.
public struct WebOrigin: Hashable, Sendable {
    private let scheme: String
    fileprivate let host: String
    fileprivate let port: Int

    /// - Parameter text: `http://` or `https://`, a host, perhaps a port, and nothing else.
    public init?(_ text: String) {
        let ports = ["http": 80, "https": 443]
        guard let end = text.firstRange(of: "://"), let standardPort = ports[text[..<end.lowerBound].lowercased()],
            let authority = Authority(String(text[end.upperBound...]))
        else { return nil }
        scheme = text[..<end.lowerBound].lowercased()
        host = authority.host
        port = authority.port ?? standardPort
    }

    /// Whether `authority`, a `Host` header or a request target's, names the same server.
    func names(_ authority: String?) -> Bool {
        guard let authority = authority.flatMap(Authority.init) else { return false }
        return authority.host == host && (authority.port ?? (scheme == "https" ? 443 : 80)) == port
    }
}

/// Decides from which origins a cookie-bearing route is used: from pages of the server itself.
///
/// An `Origin` that names another host than `Host` does is refused. No `Origin` at all is a navigation or no browser; a
/// route that changes something must then refuse by itself when it has to.
public enum OriginCheck {
    public static func allows(origin: String?, host: String?) -> Bool {
        guard let origin else { return true }
        return WebOrigin(origin)?.names(host) == true
    }
}
