public import Foundation

/// A server that somebody has allowed connections to: scheme, host and port, and perhaps a path that everything else is below.
///
/// For programs that connect where a stranger asks them to. What is reached is what was allowed, spelled as it was: nothing of a stranger's
/// address but its path goes into ``address(for:)``.
public struct AllowedServer: Hashable, Sendable {
    /// Scheme, host and port, in small letters; the port only when it is not the scheme's own.
    private let origin: String
    /// As it is written in an address, without a slash at its end; empty when all of the server is meant.
    private let path: String

    /// - Parameter text: `http://` or `https://`, a host, perhaps a port and a path, and nothing else.
    /// - Returns: nil for anything else: also for user names, queries, host names that are not ASCII, and paths with `.` or `..` in them.
    public init?(_ text: String) {
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false), parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil, let scheme = parts.scheme?.lowercased(),
            let standardPort = ["http": 80, "https": 443][scheme], let host = parts.encodedHost?.lowercased(), !host.isEmpty,
            host.allSatisfy(Self.isPlain)
        else { return nil }
        let port = parts.port ?? standardPort
        guard (1...65_535).contains(port) else { return nil }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        // What a server makes of them could be above what was allowed.
        let steps = (path.removingPercentEncoding ?? "/..").split { $0 == "/" || $0 == "\\" }
        guard !steps.contains(where: { $0 == "." || $0 == ".." }) else { return nil }
        origin = "\(scheme)://\(host)" + (port == standardPort ? "" : ":\(port)")
        self.path = path
    }

    /// Of a name or an address of any kind.
    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._:[]".contains(character))
    }

    /// The address to use for `url`.
    ///
    /// - Returns: nil when that is on another server, or not below the path that was allowed.
    public func address(for url: URL) -> URL? {
        guard let wanted = AllowedServer(url.absoluteString), wanted.origin == origin,
            wanted.path == path || wanted.path.hasPrefix(path + "/")
        else { return nil }
        return URL(string: wanted.origin + wanted.path)
    }
}
