/// A request for an answer.
public struct ChatStart: Hashable, Sendable {
    /// The new turn, 1 to ``Limits/promptSize`` bytes of UTF-8.
    public var prompt: String
    /// The turns before ``prompt``, oldest first. At most ``Limits/messagesSize`` bytes as JSON. Requires ``Feature/messages``.
    public var messages: [ChatTurn]
    /// One of ``ServerInfo/models``; nil for the host's own choice. Requires ``Feature/models``.
    public var model: String?
    /// The features that the client wants for this request.
    public var accept: [Feature]
    /// The last sequence number that the client has of this request; 0 for none. Requires ``Feature/resume``.
    public var after: Int64

    public init(prompt: String, messages: [ChatTurn] = [], model: String? = nil, accept: [Feature] = [], after: Int64 = 0) {
        (self.prompt, self.messages, self.model) = (prompt, messages, model)
        (self.accept, self.after) = (accept, after)
    }
}

/// One turn of a conversation.
public struct ChatTurn: Hashable, Sendable {
    public enum Role: String, Hashable, Sendable { case user, assistant }

    public var role: Role
    public var content: String

    public init(_ role: Role, _ content: String) { (self.role, self.content) = (role, content) }
}
