import HTTPTypes
package import Hummingbird

extension Request {
    private static let proxyHeaders = ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP"]
        .map { HTTPField.Name($0)! }

    /// True if a header shows that a proxy forwarded the request. Pages of other origins need the server's consent to set one.
    package var isForwarded: Bool { Self.proxyHeaders.contains { headers[$0] != nil } }

    /// The scheme of the client's address, `http` or `https`: the scheme of the connection, or the one that the first proxy reports
    /// in `X-Forwarded-Proto` or `Forwarded` (RFC 7239). Nil if a proxy does not report it.
    package var clientScheme: String? {
        guard isForwarded else { return head.scheme?.lowercased() }
        let reported = headers[.xForwardedProto] ?? headers[.forwarded].flatMap(Self.forwardedScheme)
        let scheme = reported?.prefix { $0 != "," }.lowercased().filter { $0 != " " && $0 != "\t" }
        // Some proxies report `ws` or `wss`.
        return scheme.map { ["ws": "http", "wss": "https"][$0] ?? $0 }
    }

    private static func forwardedScheme(_ header: String) -> String? {
        let parameters = header.prefix { $0 != "," }.split(separator: ";").map { $0.drop { $0 == " " || $0 == "\t" } }
        return parameters.first { $0.lowercased().hasPrefix("proto=") }.map { $0.dropFirst(6).filter { $0 != "\"" } }
    }
}

extension HTTPField.Name {
    fileprivate static let xForwardedProto = Self("X-Forwarded-Proto")!
    fileprivate static let forwarded = Self("Forwarded")!
}
