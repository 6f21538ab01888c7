/// An optional part of the protocol. The host offers features in ``ServerInfo/features``, and the client asks for them in
/// ``ChatStart/accept``. Readers ignore unknown features.
public struct Feature: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Earlier turns of the conversation (``ChatStart/messages``).
    public static let messages = Feature(rawValue: "messages")
    /// A choice of models (``ServerInfo/models``, ``ChatStart/model``).
    public static let models = Feature(rawValue: "models")
    /// ``Message/chatProgress(_:_:)`` before the first chunk.
    public static let progress = Feature(rawValue: "progress")
    /// Numbered chunks that the host stores, and replays after a reconnect.
    public static let resume = Feature(rawValue: "resume")
}
