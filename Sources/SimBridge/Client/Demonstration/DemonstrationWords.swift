/// The names and texts of the demonstration, in the language of the phone.
package struct DemonstrationWords: Hashable, Sendable {
    /// The name of the host.
    var host: String
    /// The names of the two networks.
    var carriers: [String]
    /// The texts of a conversation, in turn from the other person and the user.
    var texts: [String]
    /// A text with a code to copy.
    var code: String
    /// The answers to the user's texts, in turn.
    var answers: [String]
    /// The reply to actions that the demonstration does not support, as a sentence.
    var refusal: String

    package init(host: String, carriers: [String], texts: [String], code: String, answers: [String], refusal: String) {
        (self.host, self.carriers, self.texts) = (host, carriers, texts)
        (self.code, self.answers, self.refusal) = (code, answers, refusal)
    }
}
