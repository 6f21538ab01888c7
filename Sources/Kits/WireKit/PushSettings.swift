/// A phone's push settings, stored by the service: the address for notifications, their content and their language.
///
/// `Content` is the system's own type for the most that notifications may show.
public struct PushSettings<Content: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    public var address: PushAddress
    public var content: Content
    /// The language of notification texts (RFC 5646). An unknown language counts as English.
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
