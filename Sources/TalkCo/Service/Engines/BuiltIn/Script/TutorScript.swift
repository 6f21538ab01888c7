/// An answer of the scripted tutor.
struct ScriptReply: Hashable, Sendable {
    var text: String
    /// Sentences that the learner may read aloud next.
    var choices: [String]
    /// True once the learner has asked for slow speech.
    var isSlow = false
}

/// A scripted conversation, which answers words with words.
protocol TutorScript: Sendable {
    mutating func greeting() -> ScriptReply
    /// Answers words that are not empty.
    mutating func answer(_ words: String) -> ScriptReply
    /// Answers speech that was not understood. The choices do not change.
    mutating func notUnderstood() -> ScriptReply
}
