import HTTPTypes
package import Hummingbird

/// The origin of a page, as browsers send it in `Origin` (RFC 6454): scheme, host and port.
package struct WebOrigin: Hashable, Sendable {
    fileprivate let scheme: String
    fileprivate let host: String
    fileprivate let port: Int

    /// - Parameter text: `http://` or `https://`, a host and an optional port, nothing else.
    package init?(_ text: String) {
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
/// An `Origin` of another scheme, host or port than the request's own address is refused, and so is `null`. A request without `Origin` is a
/// navigation or does not come from a browser; a route that changes state must check those itself where needed.
package enum OriginCheck {
    package static func allows(_ request: Request) -> Bool {
        allows(origin: request.headers[.origin], host: request.head.authority, scheme: request.clientScheme)
    }

    /// - Parameter scheme: Nil behind a proxy that does not report it: host and port decide.
    static func allows(origin: String?, host: String?, scheme: String?) -> Bool {
        guard let origin else { return true }
        guard let origin = WebOrigin(origin), origin.names(host) else { return false }
        return scheme == nil || scheme == origin.scheme
    }
}
