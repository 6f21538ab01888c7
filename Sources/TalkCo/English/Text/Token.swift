/// A word, number or punctuation mark of a text.
struct Token: Sendable {
    enum Kind: Sendable {
        case word, number
        /// A comma, a quotation mark and the like: ends a clause.
        case pause
        /// A period, a question mark and the like.
        case end
        /// Text of another script, an emoji or a symbol.
        case other
    }

    var kind: Kind
    /// The text in lowercase, with a straight apostrophe. A contraction is two tokens, such as `i` and `'m`.
    var word: String
    var range: Range<String.Index>
    var isCapitalized = false
    /// True if no white space precedes the token.
    var isAttached = false
    /// The parts of speech: at first all possible ones, then those that are possible in the context.
    var tags: Tags = []
    /// The lexicon's entry for the word, regardless of the context.
    var entry = Entry()

    /// The token at all positions before the first and after the last token of a sentence.
    static let edge = Token(kind: .end, word: "", range: "".startIndex..<"".endIndex)
}
