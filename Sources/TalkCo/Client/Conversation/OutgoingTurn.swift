import TalkCoWire

/// A turn of the learner without an answer, as the phone stores it. The samples of a recording are a file: see ``RecordingFiles``.
struct OutgoingTurn: Codable, Hashable, Sendable, Identifiable {
    let id: Turn.ID
    let session: Session.ID
    /// The typed text, or the words that the phone has recognized; nil for a recording.
    let text: String?
    /// True while the turn waits for the user to retry or discard it.
    var hasFailed = false
}
