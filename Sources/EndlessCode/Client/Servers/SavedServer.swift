package import EndlessCodeWire
import Foundation
package import WireKit

/// A server of this phone, as the keychain stores it.
package struct SavedServer: Hashable, Sendable, Identifiable {
    package typealias ID = String

    /// An identifier that this phone has made.
    package let id: ID
    /// The name that the server announces; nil for a server that was typed or scanned.
    package var name: String?
    package var address: ServerAddress
    /// Nil until the user has entered it.
    package var token: AccessToken?
    /// The only certificate that is accepted; nil without TLS, and until the user has compared it.
    package var fingerprint: CertificateFingerprint?
    /// True if the user allows the token to be sent without TLS beyond this computer.
    package var allowsPlainHTTP = false
    /// True for a server that everybody with this app may use: ``ServerNetwork/Offered``. It cannot be removed, and is not stored.
    package internal(set) var isOffered = false

    init(_ address: ServerAddress, name: String? = nil, token: AccessToken? = nil, fingerprint: CertificateFingerprint? = nil) {
        self.init(id: UUID().uuidString.lowercased(), address, name: name, token: token, fingerprint: fingerprint)
    }

    init(id: ID, _ address: ServerAddress, name: String?, token: AccessToken?, fingerprint: CertificateFingerprint?) {
        (self.id, self.address, self.name, self.token, self.fingerprint) = (id, address, name, token, fingerprint)
    }

    /// The name, or the host and the port.
    package var title: String { name ?? "\(address.host):\(address.port ?? ServerAddress.endlessCodePort)" }
    package var isPinned: Bool { fingerprint != nil }

    /// True if the token may be sent: to the pinned certificate, to this computer, or with the user's consent.
    var isProtected: Bool { isOffered || (address.scheme == .https ? isPinned : address.isProtected || allowsPlainHTTP) }
}

extension SavedServer: Codable {
    private enum CodingKeys: String, CodingKey { case id, name, address, token, fingerprint, allowsPlainHTTP }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(String.self, forKey: .id),
            try ServerAddress(endlessCode: try container.decode(String.self, forKey: .address)),
            name: try container.decodeIfPresent(String.self, forKey: .name),
            token: try container.decodeIfPresent(String.self, forKey: .token).flatMap { AccessToken($0) },
            fingerprint: try container.decodeIfPresent(String.self, forKey: .fingerprint).flatMap { CertificateFingerprint($0) })
        allowsPlainHTTP = try container.decodeIfPresent(Bool.self, forKey: .allowsPlainHTTP) ?? false
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(address.text, forKey: .address)
        try container.encodeIfPresent(token?.text, forKey: .token)
        try container.encodeIfPresent(fingerprint?.description, forKey: .fingerprint)
        try container.encode(allowsPlainHTTP, forKey: .allowsPlainHTTP)
    }
}

extension CertificateFingerprint {
    /// The fingerprint in groups of four digits, to be compared by people.
    package var groups: String {
        stride(from: 0, to: bytes.count, by: 2).map { bytes[$0..<$0 + 2].hexadecimal }.joined(separator: " ")
    }
}
