import Foundation
public import WireKit

/// The text of a server's QR code: its address, its token, and with TLS the fingerprint of its certificate. A secret.
///
/// `endlesscode://192.168.0.7:8180?token=…&fp=…`
public struct ServerLink: Hashable, Sendable {
    public static let scheme = "endlesscode"

    public var host: ServerAddress.Host
    public var port: UInt16
    public var token: AccessToken
    /// Nil for a server without TLS.
    public var fingerprint: CertificateFingerprint?

    public init(host: ServerAddress.Host, port: UInt16, token: AccessToken, fingerprint: CertificateFingerprint?) {
        (self.host, self.port, self.token, self.fingerprint) = (host, port, token, fingerprint)
    }

    /// Parses a scanned or pasted text. Surrounding white space, line breaks, invisible characters and unknown query items are
    /// ignored; the case of the scheme too.
    ///
    /// - Throws: ``ServerLinkError``.
    public init(_ text: String) throws(ServerLinkError) {
        var rest = text.plainCode[...]
        let prefix = "\(Self.scheme)://"
        guard rest.utf8.count <= 2048, rest.prefix(prefix.count).lowercased() == prefix else { throw .notALink }
        rest = rest.dropFirst(prefix.count)
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        do throws(ServerAddressError) {
            let authority = parts[0].hasSuffix("/") ? parts[0].dropLast() : parts[0]
            let (host, port) = try ServerAddress.authority(authority)
            (self.host, self.port) = (host, port ?? ServerAddress.endlessCodePort)
        } catch {
            throw .address(error)
        }
        var items: [Substring: Substring] = [:]
        for item in parts.count == 2 ? parts[1].split(separator: "&") : [] {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // If an item is repeated, neither of its values can be trusted.
            if pair.count == 2, items.updateValue(pair[1], forKey: pair[0]) != nil { throw .notALink }
        }
        guard let token = items["token"], !token.isEmpty else { throw .tokenMissing }
        guard let token = AccessToken(String(token)) else { throw .invalidToken }
        self.token = token
        if let text = items["fp"] {
            guard let fingerprint = CertificateFingerprint(String(text)) else { throw .invalidFingerprint }
            self.fingerprint = fingerprint
        } else {
            fingerprint = nil
        }
    }

    public var text: String {
        "\(Self.scheme)://\(host):\(port)?token=\(token.text)" + (fingerprint.map { "&fp=\($0)" } ?? "")
    }

    /// The address for calls: `https` with a fingerprint, `http` without.
    public var address: ServerAddress { ServerAddress(scheme: fingerprint == nil ? .http : .https, host: host, port: port) }
}

extension ServerAddress {
    /// The port of an EndlessCode address that names none.
    public static let endlessCodePort: UInt16 = 8180

    /// Parses an address as ``init(_:standardPort:)`` does, with ``endlessCodePort`` as the standard port.
    public init(endlessCode text: String) throws(ServerAddressError) { try self.init(text, standardPort: Self.endlessCodePort) }
}

/// A syntax error in the text of a ``ServerLink``.
public enum ServerLinkError: Error, Hashable, Sendable {
    case notALink
    case address(ServerAddressError)
    case tokenMissing
    case invalidToken
    case invalidFingerprint
}

/// The secret that authenticates phones: 1 to 512 characters that need no escape in a header or a URL (RFC 3986, section 2.3). A
/// server generates it from 256 random bits.
public struct AccessToken: Hashable, Sendable {
    public let text: String

    /// Nil for a text with other characters, or of another length.
    public init?(_ text: String) {
        guard (1...512).contains(text.utf8.count), text.utf8.allSatisfy(\.isURLUnreserved) else { return nil }
        self.text = text
    }

    /// Returns a new token: 256 random bits in base64url, 43 characters.
    public static func random(using generator: inout some RandomNumberGenerator) -> AccessToken {
        AccessToken(unchecked: Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64URL)
    }

    private init(unchecked text: String) { self.text = text }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Hides the token from logs.
    public var description: String { "<token>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
