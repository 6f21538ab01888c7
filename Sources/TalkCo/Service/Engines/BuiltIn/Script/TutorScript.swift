/// An answer of the scripted tutor.
struct ScriptReply: Hashable, Sendable {
    var text: String
    /// Sentences that the learner may read aloud next.
    var choices: [String]
}

/// A scripted conversation: words in, words out.
protocol TutorScript: Sendable {
    mutating func greeting() -> ScriptReply
    /// Answers words that are not empty.
    mutating func answer(_ words: String) -> ScriptReply
    /// Answers speech that was not understood. The choices stay.
    mutating func notUnderstood() -> ScriptReply
}

/// The scripts' answers to speech that was not understood.
enum Misheard {
    static let phrases = [
        "Sorry, I didn't catch that. Could you read one of these sentences aloud?",
        "I'm afraid I didn't understand. Please choose one of the sentences, and read it slowly.",
        "Hmm, I couldn't hear that well. Try one of these sentences again, or type your own answer.",
        "I only understand the sentences that you see here. Please read one of them, or type what you want to say.",
    ]
}
