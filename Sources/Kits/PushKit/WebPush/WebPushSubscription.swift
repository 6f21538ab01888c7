import Crypto
package import Foundation
package import ServerKit
package import WireKit

/// A browser's address at its push service, with the keys to encrypt for this browser. The browser chose it, so it is not trusted.
///
/// Encoded as `PushSubscription.toJSON()` of the Push API. The endpoint is a secret: anyone who knows it can send to the browser.
package struct WebPushSubscription: Hashable, Sendable, Codable {
    /// Maximum length of an endpoint, in bytes.
    static let maximumEndpointLength = 2048

    package let endpoint: URL
    /// The browser's public key: 65 bytes, a point of P-256.
    package let publicKey: Data
    /// The shared secret: 16 bytes.
    package let secret: Data

    /// - Parameter allowedOrigins: Push services of the operator, which need not have `https`.
    /// - Throws: ``WebPushSubscriptionError``.
    package init(
        endpoint: String, publicKey: Data, secret: Data, allowedOrigins: Set<WebOrigin> = []
    ) throws(WebPushSubscriptionError) {
        guard endpoint.utf8.count <= Self.maximumEndpointLength, let url = URL(string: endpoint),
            url.scheme == "https" || url.origin.map(allowedOrigins.contains) == true, let host = url.host(percentEncoded: false),
            !host.isEmpty, url.user() == nil, url.password() == nil,
            url.fragment() == nil, endpoint.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { throw .endpoint }
        guard secret.count == 16 else { throw .keys }
        guard publicKey.count == 65, (try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)) != nil else { throw .keys }
        self.endpoint = url
        self.publicKey = publicKey
        self.secret = secret
    }

    /// Reads a subscription as a browser states it.
    ///
    /// - Throws: ``WebPushSubscriptionError``.
    package init(_ subscription: PushSubscription, allowedOrigins: Set<WebOrigin> = []) throws(WebPushSubscriptionError) {
        guard let publicKey = Data(base64URL: subscription.keys.p256dh), let secret = Data(base64URL: subscription.keys.auth) else {
            throw .keys
        }
        try self.init(
            endpoint: subscription.endpoint, publicKey: publicKey, secret: secret, allowedOrigins: allowedOrigins)
    }

    /// The subscription in one spelling, for a service's database.
    package var asPushSubscription: PushSubscription {
        PushSubscription(
            endpoint: endpoint.absoluteString, keys: .init(p256dh: publicKey.base64URL, auth: secret.base64URL))
    }

    /// `https://host`, with the port where it is not 443: the audience of a VAPID token.
    var origin: String {
        let host = endpoint.host() ?? ""
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let scheme = endpoint.scheme ?? "https"
        let standardPort = scheme == "https" ? 443 : 80
        return "\(scheme)://" + name.lowercased() + (endpoint.port.map { $0 == standardPort ? "" : ":\($0)" } ?? "")
    }

    private enum CodingKeys: String, CodingKey { case endpoint, keys }
    private enum KeyNames: String, CodingKey { case p256dh, auth }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let keys = try container.nestedContainer(keyedBy: KeyNames.self, forKey: .keys)
        guard let publicKey = Data(base64URL: try keys.decode(String.self, forKey: .p256dh)),
            let secret = Data(base64URL: try keys.decode(String.self, forKey: .auth))
        else { throw WebPushSubscriptionError.keys }
        try self.init(endpoint: container.decode(String.self, forKey: .endpoint), publicKey: publicKey, secret: secret)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(endpoint.absoluteString, forKey: .endpoint)
        var keys = container.nestedContainer(keyedBy: KeyNames.self, forKey: .keys)
        try keys.encode(publicKey.base64URL, forKey: .p256dh)
        try keys.encode(secret.base64URL, forKey: .auth)
    }
}

extension URL {
    /// The origin; nil for a scheme other than `http` and `https`.
    var origin: WebOrigin? {
        guard let scheme = scheme?.lowercased(), ["http", "https"].contains(scheme), let host = host() else { return nil }
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return WebOrigin("\(scheme)://\(name)" + (port.map { ":\($0)" } ?? ""))
    }
}

/// The error for a refused subscription.
package enum WebPushSubscriptionError: Error, Equatable {
    /// The endpoint is not an `https` address, or carries a user name or a fragment.
    case endpoint
    /// The keys do not have the form of RFC 8291.
    case keys
}

/// A subscription with the message for it.
package struct WebPushRoute: Hashable, Sendable {
    package var subscription: WebPushSubscription
    package var message: WebPushMessage

    package init(subscription: WebPushSubscription, message: WebPushMessage) {
        self.subscription = subscription
        self.message = message
    }
}

/// A message for the service worker of a page.
package struct WebPushMessage: Hashable, Sendable {
    /// The urgency as in RFC 8030, section 5.3.
    package enum Urgency: String, Hashable, Sendable {
        case veryLow = "very-low"
        case low, normal, high
    }

    /// Maximum payload that every push service accepts, in bytes.
    package static let maximumSize = 3993

    package var payload: Data
    package var urgency: Urgency
    /// The topic, up to 32 characters of base64url; nil for the entry's identifier. Replaces an unfetched message on the topic.
    package var topic: String?

    /// True for a topic that push services accept (RFC 8030, section 5.4).
    static func isTopic(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy(\.isBase64URLDigit)
    }

    package init(payload: Data, urgency: Urgency = .normal, topic: String? = nil) {
        self.payload = payload
        self.urgency = urgency
        self.topic = topic
    }
}
