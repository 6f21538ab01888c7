package import Crypto
package import Foundation
package import ServerKit
package import WireKit

/// The key and the contact by which push services know this server (VAPID, RFC 8292).
///
/// A browser's subscription is bound to the public key: with another key every browser has to subscribe again.
package struct WebPushConfiguration: Sendable {
    let key: P256.Signing.PrivateKey
    /// A `mailto:` or `https:` address.
    package let contact: String
    /// Push services of the operator that may be inside the network, on any port, also without TLS.
    package var allowedOrigins: Set<WebOrigin>
    /// The default contact. Its host name is public, so that Apple accepts it, and reserved for examples (RFC 2606).
    package static let standardContact = "https://example.com"

    /// The public key for `pushManager.subscribe`, in base64url.
    package var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// - Throws: `StartupError` for a contact that push services refuse.
    package init(
        key: P256.Signing.PrivateKey = .init(), contact: String = standardContact, allowedOrigins: Set<WebOrigin> = []
    ) throws(StartupError) {
        guard Self.isContact(contact) else {
            throw StartupError(
                "WEB_PUSH_CONTACT is \"\(contact)\"; expected mailto: or https: with a public name, or Apple's push service refuses it"
            )
        }
        self.key = key
        self.contact = contact
        self.allowedOrigins = allowedOrigins
    }

    /// Reads `WEB_PUSH_CONTACT` and `WEB_PUSH_ALLOW_ORIGIN`.
    ///
    /// - Parameter file: The file of the key, created at the first start.
    /// - Returns: The configuration; nil for the contact `off`: browsers then get no notifications while their page is closed.
    package static func read(_ settings: Settings, keyKeptIn file: URL) throws(StartupError) -> WebPushConfiguration? {
        let contact = settings.string("web.push.contact") ?? standardContact
        if contact == "off" { return nil }
        let origins = (settings.string("web.push.allow.origin") ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        return try WebPushConfiguration(
            key: key(keptIn: file), contact: contact,
            allowedOrigins: Set(
                origins.map { text throws(StartupError) in
                    guard let origin = WebOrigin(text) else {
                        throw StartupError(
                            "\(settings.name(of: "web.push.allow.origin")) contains \"\(text)\"; expected origins such as https://push.home.example:8443"
                        )
                    }
                    return origin
                }))
    }

    /// Reads a subscription of a browser. An endpoint to which every request would be refused is an error at once.
    package func subscription(_ subscription: PushSubscription) throws(WebPushSubscriptionError) -> WebPushSubscription {
        let read = try WebPushSubscription(subscription, allowedOrigins: allowedOrigins)
        let url = read.endpoint
        if url.origin.map(allowedOrigins.contains) == true { return read }
        let host = url.host() ?? ""
        let literal = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard url.port ?? 443 == 443, IPAddress(literal)?.isPublic != false else { throw .endpoint }
        return read
    }

    /// All settings: name without prefix, meaning and default.
    package static let settings = [
        (name: "WEB_PUSH_CONTACT", meaning: "mailto: or https: contact, or off [\(standardContact)]"),
        (name: "WEB_PUSH_ALLOW_ORIGIN", meaning: "push services with private addresses, by origin [none]"),
    ]

    private static func key(keptIn file: URL) throws(StartupError) -> P256.Signing.PrivateKey {
        if !FileManager.default.fileExists(atPath: file.path) {
            try PrivateFiles.create(file, text: P256.Signing.PrivateKey().rawRepresentation.base64URL + "\n")
        }
        let text = try PrivateFiles.secret(in: file).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let bytes = Data(base64URL: text), let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
            throw StartupError(
                "\(file.path) holds no key; remove it to create a new one, with which every browser subscribes again")
        }
        return key
    }

    /// True if push services accept the contact. Apple's refuses names that are not public.
    private static func isContact(_ text: String) -> Bool {
        let host: String
        if text.hasPrefix("mailto:") {
            let parts = text.dropFirst(7).split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return false }
            host = String(parts[1])
        } else if text.hasPrefix("https:"), let name = URL(string: text)?.host() {
            host = name
        } else {
            return false
        }
        let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
            } && !["localhost", "local", "internal", "test", "invalid", "example"].contains(String(labels.last!))
            && labels.last!.utf8.contains(where: \.isASCIILowercase)
    }
}
