public import Foundation
import WireKit

/// A syntactically valid address of a server.
public struct ServerAddress: Hashable, Sendable {
    public enum Scheme: String, Hashable, Sendable { case http, https }

    /// The port of an address that names none.
    public static let standardPort: UInt16 = 8180

    public var scheme: Scheme
    public var host: HostAddress
    public var port: UInt16
    /// The path prefix of all calls, such as a proxy's: empty, or with `/` at its beginning and none at its end.
    public var path: String

    public init(scheme: Scheme, host: HostAddress, port: UInt16 = standardPort, path: String = "") {
        (self.scheme, self.host, self.port, self.path) = (scheme, host, port, path)
    }

    /// Parses an address typed by a user: an IPv4 address, an IPv6 address or a host name, with an optional scheme, port and path.
    ///
    /// Surrounding white space and invisible characters are ignored, and digits of every script count. The port defaults to
    /// ``standardPort``; the scheme defaults to `http` for a loopback host and to `https` for any other.
    ///
    /// - Throws: ``ServerAddressError``.
    public init(_ text: String) throws(ServerAddressError) {
        var rest = Substring(text.plainForms.trimmingCharacters(in: .whitespacesAndNewlines))
        guard !rest.isEmpty else { throw .empty }
        guard rest.utf8.count <= 2048 else { throw .invalidHost }
        var scheme: Scheme?
        if let range = rest.range(of: "://") {
            scheme = Scheme(rawValue: rest[..<range.lowerBound].lowercased())
            guard scheme != nil else { throw .invalidScheme }
            rest = rest[range.upperBound...]
        }
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let (authority, tail) = (rest[..<end], rest[end...])
        guard !authority.contains("@") else { throw .containsUser }
        (host, port) = try Self.authority(authority)
        path = try Self.path(tail)
        self.scheme = scheme ?? (host.isLoopback ? .http : .https)
    }

    /// The address as a URL without a `/` at its end.
    public var text: String { "\(scheme.rawValue)://\(host.text):\(port)\(path)" }

    /// The address as a URL; nil only if ``path`` was set to a text that a URL does not allow.
    public var url: URL? { URL(string: text) }

    /// True if a token may be sent to the address without asking the user: over TLS, or on this computer.
    public var isProtected: Bool { scheme == .https || host.isLoopback }

    /// Parses `host`, `host:port` or a bare IPv6 address.
    static func authority(_ text: Substring) throws(ServerAddressError) -> (HostAddress, UInt16) {
        // An IPv6 address has at least two colons, and a port only with brackets.
        if !text.hasPrefix("["), text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).count == 3 {
            return (try HostAddress(text), standardPort)
        }
        let hostEnd = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
        guard let hostEnd else {
            guard !text.hasPrefix("[") else { throw .invalidHost }
            return (try HostAddress(text), standardPort)
        }
        let host = try HostAddress(text[..<hostEnd])
        let rest = text[hostEnd...]
        if rest.isEmpty { return (host, standardPort) }
        let digits = rest.dropFirst()
        guard rest.first == ":" else { throw .invalidHost }
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits), port > 0
        else { throw .invalidPort }
        return (host, port)
    }

    /// Returns a path without its empty segments. `.` and `..` segments and characters outside RFC 3986, section 3.3, are errors.
    private static func path(_ text: Substring) throws(ServerAddressError) -> String {
        guard text.utf8.allSatisfy({ isPathByte($0) }) else { throw .invalidPath }
        let segments = text.split(separator: "/")
        guard segments.allSatisfy({ $0 != "." && $0 != ".." && hasWholeEscapes($0) }) else { throw .invalidPath }
        return segments.map { "/\($0)" }.joined()
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@%/".utf8.contains(byte)
        }
    }

    private static func hasWholeEscapes(_ segment: Substring) -> Bool {
        segment.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            let digits = $0.prefix(2)
            return digits.count == 2 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        }
    }
}

/// A syntax error in the address of a server.
public enum ServerAddressError: Error, Hashable, Sendable, CaseIterable {
    case empty
    /// A scheme other than `http` and `https`.
    case invalidScheme
    /// Neither an IPv4 address, an IPv6 address nor a host name.
    case invalidHost
    /// Not a number from 1 to 65535.
    case invalidPort
    /// A path with characters that a URL does not allow, or a query.
    case invalidPath
    /// A user name, as in `user@host`. Servers authenticate with tokens, not with users.
    case containsUser
}
