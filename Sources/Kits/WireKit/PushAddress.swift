/// The address by which a push service reaches an app on one phone. A secret: whoever knows it can send to the phone.
///
/// | case | JSON |
/// | --- | --- |
/// | `apns` | `{"apns":{"token":"<hexadecimal>","environment":"production" or "sandbox"}}`; without `environment`: the service's own |
/// | `webPush` | `{"webPush":{"endpoint":"https://…","keys":{"p256dh":"…","auth":"…"}}}`, as `PushSubscription.toJSON()` of the Push API |
/// | `ntfy` | `{"ntfy":{"topic":"…"}}`, a topic of the ntfy server that the service names |
public enum PushAddress: Hashable, Sendable {
    case apns(token: String, environment: String? = nil)
    case webPush(PushSubscription)
    case ntfy(topic: String)
}

/// A browser's push subscription, as the browser reports it. Nothing of it is validated.
public struct PushSubscription: Codable, Hashable, Sendable {
    public struct Keys: Codable, Hashable, Sendable {
        /// The browser's public key: 65 bytes in base64url.
        public var p256dh: String
        /// The shared secret: 16 bytes in base64url.
        public var auth: String

        public init(p256dh: String, auth: String) {
            self.p256dh = p256dh
            self.auth = auth
        }
    }

    public var endpoint: String
    public var keys: Keys

    public init(endpoint: String, keys: Keys) {
        self.endpoint = endpoint
        self.keys = keys
    }
}

extension PushAddress: Codable {
    private enum CodingKeys: String, CodingKey { case apns, webPush, ntfy }
    private struct APNS: Codable {
        var token: String
        var environment: String?
    }
    private struct Ntfy: Codable { var topic: String }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let apns = try container.decodeIfPresent(APNS.self, forKey: .apns) {
            self = .apns(token: apns.token, environment: apns.environment)
        } else if let ntfy = try container.decodeIfPresent(Ntfy.self, forKey: .ntfy) {
            self = .ntfy(topic: ntfy.topic)
        } else {
            self = .webPush(try container.decode(PushSubscription.self, forKey: .webPush))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .apns(let token, let environment):
            try container.encode(APNS(token: token, environment: environment), forKey: .apns)
        case .webPush(let subscription): try container.encode(subscription, forKey: .webPush)
        case .ntfy(let topic): try container.encode(Ntfy(topic: topic), forKey: .ntfy)
        }
    }
}
