package import Foundation

/// A server to which the operator allows connections: scheme, host and port, and optionally a path prefix.
///
/// For programs that connect to addresses chosen by strangers. The result of ``address(for:)`` has the allowed origin as the operator wrote
/// it; only the path is taken from the stranger's address.
package struct AllowedServer: Hashable, Sendable {
    /// The scheme, host and port in lower case. The port is omitted when it is the scheme's default.
    private let origin: String
    /// The percent-encoded path without a trailing slash; empty to allow the whole server.
    private let path: String

    /// - Parameter text: `http://` or `https://`, a host and optionally a port and a path.
    /// - Returns: nil for anything else, such as user names, queries, host names that are not ASCII, and paths with `.` or `..` segments.
    package init?(_ text: String) {
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false), parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil, let scheme = parts.scheme?.lowercased(),
            let standardPort = ["http": 80, "https": 443][scheme], let host = parts.encodedHost?.lowercased(), !host.isEmpty,
            host.allSatisfy(Self.isPlain)
        else { return nil }
        let port = parts.port ?? standardPort
        guard (1...65_535).contains(port) else { return nil }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        // A server could resolve such segments to a path outside the allowed one.
        let segments = (path.removingPercentEncoding ?? "/..").split { $0 == "/" || $0 == "\\" }
        guard !segments.contains(where: { $0 == "." || $0 == ".." }) else { return nil }
        origin = "\(scheme)://\(host)" + (port == standardPort ? "" : ":\(port)")
        self.path = path
    }

    /// True for characters of a host name or an IP address.
    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._:[]".contains(character))
    }

    /// Returns the address to connect to for `url`.
    ///
    /// - Returns: nil when `url` is on another server or outside the allowed path.
    package func address(for url: URL) -> URL? {
        guard let target = AllowedServer(url.absoluteString), target.origin == origin,
            target.path == path || target.path.hasPrefix(path + "/")
        else { return nil }
        return URL(string: target.origin + target.path)
    }
}
