public import TalkCoWire

/// The session under way, as the phone stores it.
public struct OpenSession: Codable, Hashable, Sendable {
    /// The screen that shows the session.
    public enum Phase: String, Codable, Hashable, Sendable { case conversation, review, summary }

    public let id: Session.ID
    public let mode: Session.Mode
    /// Nil in the mode `review`.
    public let topic: Topic?
    public internal(set) var phase = Phase.conversation
    /// The tutor's first words, which the service does not store; nil until they have arrived.
    var greeting: String?
    /// True once the greeting has ended, with or without words.
    var isGreeted = false
    /// The sentences that the learner may read aloud next.
    var choices: [String] = []

    init(id: Session.ID, mode: Session.Mode, topic: Topic?) {
        self.id = id
        self.mode = mode
        self.topic = topic
    }
}
