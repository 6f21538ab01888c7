/// The names and texts of the demonstration, in the language of the phone.
package struct DemonstrationWords: Hashable, Sendable {
    /// The name of the host.
    var host: String
    /// The names of the two networks.
    var carriers: [String]
    /// A conversation: the other's text first, then in turn.
    var texts: [String]
    /// A text with a code to copy.
    var code: String
    /// The answers to what the user sends, in turn.
    var answers: [String]
    /// The reply to what the demonstration cannot do, in a sentence.
    var refusal: String

    package init(host: String, carriers: [String], texts: [String], code: String, answers: [String], refusal: String) {
        (self.host, self.carriers, self.texts) = (host, carriers, texts)
        (self.code, self.answers, self.refusal) = (code, answers, refusal)
    }
}
