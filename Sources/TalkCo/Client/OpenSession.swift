package import TalkCoWire

/// The session under way, as the phone stores it.
package struct OpenSession: Codable, Hashable, Sendable {
    /// The screen that shows the session.
    package enum Phase: String, Codable, Hashable, Sendable { case conversation, review, summary }

    package let id: Session.ID
    package let mode: Session.Mode
    /// The topic; nil in the mode `review`.
    package let topic: Topic?
    package internal(set) var phase = Phase.conversation
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
