/// A new random topic on the service's ntfy server, for one phone. The topic is the phone's ``PushAddress`` if it accepts.
public struct NtfyOffer: Codable, Hashable, Sendable {
    /// The server's URL.
    public var server: String
    public var topic: String

    public init(server: String, topic: String) {
        self.server = server
        self.topic = topic
    }
}
