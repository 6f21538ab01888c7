public import Foundation
import WireKit

/// The base address of a service that the user has typed.
public struct ServiceAddress: Hashable, Sendable {
    /// An error in a text that is not the address of a service.
    package enum Problem: Error, Hashable, Sendable {
        case empty
        /// The scheme is not `http` or `https`.
        case scheme
        case host
        /// The text has a user name, a query or a fragment, an invalid port, or is too long.
        case malformed
        /// The address is plain `http` with an internet name, to which iOS opens no connection. See `Docs/Apple.md`.
        case unencrypted
    }

    /// The address without slashes at the end.
    public let url: URL

    /// Reads a scheme, a host, and perhaps a port and a path. A text without a scheme is an `https` address.
    package init(_ text: String) throws(Problem) {
        var text = text.plainForms.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.isEmpty { throw .empty }
        if !text.contains("://") { text = "https://" + text }
        guard let scheme = text.firstRange(of: "://").map({ text[..<$0.lowerBound].lowercased() }),
            ["http", "https"].contains(scheme)
        else { throw .scheme }
        text = scheme + text.dropFirst(scheme.count)
        let rest = text.dropFirst(scheme.count + 3)
        if ["", "/", ":", "?", "#"].contains(rest.prefix(1)) { throw .host }
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), parts.user == nil, parts.password == nil, parts.query == nil,
            parts.fragment == nil, (1...65_535).contains(parts.port ?? 1), let url = parts.url
        else { throw .malformed }
        guard let host = parts.host, !host.isEmpty, !host.contains(where: \.isWhitespace) else { throw .host }
        self.url = url
        guard scheme == "https" || ipAddressIsLocal != nil || isLocalName else { throw .unencrypted }
        guard fileName.utf8.count <= 255 else { throw .malformed }
    }

    /// True for a plain `http` address outside the local network: others can read and change the traffic.
    package var isExposed: Bool { url.scheme == "http" && ipAddressIsLocal == false }

    private var host: String { (url.host() ?? "").lowercased() }

    /// True for a name that only this phone or the local network knows.
    private var isLocalName: Bool { !host.contains(".") || host.hasSuffix(".local") }

    /// True for an IP address of this phone or of a local network, false for another one; nil if the host is a name.
    private var ipAddressIsLocal: Bool? {
        if host.contains(":") { return Self.isLocal(ipv6: host) }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return parts.count == 4 && !parts.contains(nil) ? Self.isLocal(ipv4: parts.compactMap(\.self)) : nil
    }

    private static func isLocal(ipv4 bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (127, _), (10, _), (192, 168), (169, 254), (172, 16...31): true
        default: false
        }
    }

    /// True for the loopback address, link-local addresses (fe80::/10) and unique local ones (fc00::/7).
    private static func isLocal(ipv6 host: String) -> Bool {
        if host == "::1" { return true }
        guard let group = host.split(separator: ":", omittingEmptySubsequences: false).first.flatMap({ UInt16($0, radix: 16) })
        else { return false }
        return group & 0xffc0 == 0xfe80 || group & 0xfe00 == 0xfc00
    }

    /// The address as the name of a file.
    var fileName: String {
        let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
        return url.absoluteString.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
