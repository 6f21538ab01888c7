public import Foundation

/// A syntactically valid address of a server.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    public enum Scheme: String, Hashable, Sendable { case http, https }

    /// The host of an address.
    public enum Host: Hashable, Sendable, CustomStringConvertible {
        case ip(IPAddress)
        /// A host name in lower case, without a dot at its end.
        case name(String)
    }

    public let scheme: Scheme
    public let host: Host
    /// Nil for the standard port of the scheme.
    public let port: UInt16?
    /// The path prefix of all calls, such as a proxy's: empty, or with `/` at its beginning and none at its end.
    public let path: String

    public init(scheme: Scheme, host: Host, port: UInt16?) {
        (self.scheme, self.host, self.port, path) = (scheme, host, port, "")
    }

    /// Parses an address typed by a user: an IPv4 address, an IPv6 address or a host name, with an optional scheme, port and path.
    ///
    /// Surrounding white space and invisible characters are ignored, and digits of every script count. The scheme defaults to `http`
    /// for a loopback host and to `https` for any other.
    ///
    /// - Parameter standardPort: The port of a text that names none; nil for that of the scheme.
    /// - Throws: ``ServerAddressError``, but not `unencrypted`.
    public init(_ text: String, standardPort: UInt16? = nil) throws(ServerAddressError) {
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
        let (host, port) = try Self.authority(authority)
        path = try Self.path(tail)
        self.scheme = scheme ?? (host.isLoopback ? .http : .https)
        self.host = host
        self.port = port ?? standardPort
    }

    /// The address as a URL without a `/` at its end.
    public var text: String { "\(scheme.rawValue)://\(host)" + (port.map { ":\($0)" } ?? "") + path }
    public var description: String { text }

    public var url: URL {
        guard let url = URL(string: text) else { preconditionFailure("\(text) is not a URL") }
        return url
    }

    /// True if a token may be sent to the address without asking the user: over TLS, or on this computer.
    public var isProtected: Bool { scheme == .https || host.isLoopback }

    /// Parses `host`, `host:port` or a bare IPv6 address. The port is nil if there is none.
    package static func authority(_ text: Substring) throws(ServerAddressError) -> (Host, UInt16?) {
        // An IPv6 address has at least two colons, and a port only with brackets.
        if !text.hasPrefix("["), text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).count == 3 {
            return (try Host(text), nil)
        }
        let hostEnd = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
        guard let hostEnd else { return (try Host(text), nil) }
        let host = try Host(text[..<hostEnd])
        let rest = text[hostEnd...]
        if rest.isEmpty { return (host, nil) }
        guard rest.first == ":" else { throw .invalidHost }
        let digits = rest.dropFirst()
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits), port > 0
        else {
            throw .invalidPort
        }
        return (host, port)
    }

    /// Returns a path without its empty segments. `.` and `..` segments and characters outside RFC 3986, section 3.3, are errors.
    private static func path(_ text: Substring) throws(ServerAddressError) -> String {
        guard text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-._~!$&'()*+,;=:@%/".utf8.contains($0) }) else {
            throw .invalidPath
        }
        let segments = text.split(separator: "/")
        guard segments.allSatisfy({ $0 != "." && $0 != ".." && hasWholeEscapes($0) }) else { throw .invalidPath }
        return segments.map { "/\($0)" }.joined()
    }

    private static func hasWholeEscapes(_ segment: Substring) -> Bool {
        segment.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy {
            let digits = $0.prefix(2)
            return digits.count == 2 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        }
    }
}

extension ServerAddress.Host {
    /// Parses a host as written in a URL: an IPv4 address, an IPv6 address in brackets or without, or a host name.
    ///
    /// - Throws: ``ServerAddressError/invalidHost`` for names that RFC 1123 does not allow, IPv4 addresses with another number of
    ///   parts than four, and IPv6 addresses with a zone, which has no meaning on another computer.
    public init(_ text: some StringProtocol) throws(ServerAddressError) {
        let hasBrackets = text.hasPrefix("[") && text.hasSuffix("]") && text.contains(":")
        if let address = IPAddress(hasBrackets ? String(text.dropFirst().dropLast()) : String(text)) {
            self = .ip(address)
        } else {
            guard let name = Self.name(text) else { throw .invalidHost }
            self = .name(name)
        }
    }

    /// True for addresses of this computer itself: 127.0.0.0/8, ::1, `localhost` and names below it.
    public var isLoopback: Bool {
        switch self {
        case .ip(let address): address.isLoopback
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
        }
    }

    /// The host as written in a URL: IPv6 addresses have brackets.
    public var description: String {
        switch self {
        case .ip(let address): address.isIPv6 ? "[\(address)]" : "\(address)"
        case .name(let name): name
        }
    }

    /// Parses a name of RFC 1123, section 2.1; nil for other text. A number as the last label is a mistyped IPv4 address.
    private static func name(_ text: some StringProtocol) -> String? {
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard (1...253).contains(name.utf8.count) else { return nil }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            guard (1...63).contains(label.utf8.count), label.first != "-", label.last != "-",
                label.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") })
            else { return nil }
        }
        guard let last = labels.last, !last.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return name
    }
}

/// An error in the address of a server.
public enum ServerAddressError: Error, Hashable, Sendable, CaseIterable {
    case empty
    /// A scheme other than `http` and `https`.
    case invalidScheme
    /// Neither an IPv4 address, an IPv6 address nor a host name.
    case invalidHost
    /// Not a number from 1 to 65535.
    case invalidPort
    /// A path with characters that a URL does not allow or that is too long, or a query.
    case invalidPath
    /// A user name, as in `user@host`.
    case containsUser
    /// Plain `http` with an internet name, to which iOS opens no connection. See `Docs/Apple.md`.
    case unencrypted
}
