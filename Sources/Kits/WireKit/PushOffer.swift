/// The push services that a service can use for a phone.
public struct PushOffer: Codable, Hashable, Sendable {
    /// The public key that browsers subscribe with, in base64url; null: no Web Push.
    @Nullable public var webPushKey: String?
    /// A topic of the ntfy server; null: no ntfy.
    @Nullable public var ntfy: NtfyOffer?

    public init(webPushKey: String?, ntfy: NtfyOffer? = nil) {
        self.webPushKey = webPushKey
        self.ntfy = ntfy
    }
}

/// A new random topic on the service's ntfy server, for one phone: its ``PushAddress`` if the phone accepts the offer.
public struct NtfyOffer: Codable, Hashable, Sendable {
    /// The server's URL.
    public var server: String
    public var topic: String

    public init(server: String, topic: String) {
        self.server = server
        self.topic = topic
    }
}
