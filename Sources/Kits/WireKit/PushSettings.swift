/// The settings that a service stores of a phone: how notifications reach it while nobody looks at the app, and what they may show.
///
/// `Content` is the system's own: the most that notifications may show.
public struct PushSettings<Content: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    public var address: PushAddress
    public var content: Content
    /// The language of the words in notifications, as in RFC 5646. Unknown ones are English.
    public var language: String

    public init(address: PushAddress, content: Content, language: String) {
        (self.address, self.content, self.language) = (address, content, language)
    }
}

/// The reply to a change of ``PushSettings``.
public struct PushReply: Codable, Hashable, Sendable {
    /// `on` or `off`.
    public var status: String

    public init(isOn: Bool) { status = isOn ? "on" : "off" }
}
