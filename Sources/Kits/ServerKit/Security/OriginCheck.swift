/// The origin of a page, as browsers send it in `Origin` (RFC 6454): scheme, host and port.
public struct WebOrigin: Hashable, Sendable {
    private let scheme: String
    fileprivate let host: String
    fileprivate let port: Int

    /// - Parameter text: `http://` or `https://`, a host and an optional port, nothing else.
    public init?(_ text: String) {
        let ports = ["http": 80, "https": 443]
        guard let end = text.firstRange(of: "://"), let standardPort = ports[text[..<end.lowerBound].lowercased()],
            let authority = Authority(String(text[end.upperBound...]))
        else { return nil }
        scheme = text[..<end.lowerBound].lowercased()
        host = authority.host
        port = authority.port ?? standardPort
    }

    /// True when `authority`, from a `Host` header or a request target, names the same server.
    func names(_ authority: String?) -> Bool {
        guard let authority = authority.flatMap(Authority.init) else { return false }
        return authority.host == host && (authority.port ?? (scheme == "https" ? 443 : 80)) == port
    }
}

/// The origin rule of cookie-bearing routes: only pages of the server itself may call them.
///
/// An `Origin` of another host than `Host` is refused. A request without `Origin` is a navigation or does not come from a browser; a
/// route that changes state must check those itself where needed.
public enum OriginCheck {
    public static func allows(origin: String?, host: String?) -> Bool {
        guard let origin else { return true }
        return WebOrigin(origin)?.names(host) == true
    }
}
