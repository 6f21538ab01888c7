/// A tokenizer that divides lines of code into tokens, one line at a time.
///
///     line, state ─▶ Highlighter ─▶ tokens, state of the next line
///
/// The state carries the constructs that a line leaves open: a comment, a string, a heredoc, an element. So a viewer can highlight
/// only the visible lines, with the state before the first of them (``HighlightedText`` keeps some). The time is linear in the
/// length of a line. Any bytes are accepted; code with errors gives other tokens, never a failure.
///
/// Tokens are guessed from the text, not parsed: a capitalized name may not be a type, and a `/` that begins a regular expression
/// may be read as a division.
package struct Highlighter: Hashable, Sendable {
    /// Maximum tokens of a line. The rest of the line is one plain token.
    package static let maximumTokenCount = 5000

    package let language: CodeLanguage

    package init(_ language: CodeLanguage) { self.language = language }

    /// Returns the tokens of a line and the state of the next one.
    ///
    /// The tokens cover the line without gaps; adjacent ones differ in kind. An empty line has none.
    ///
    /// - Parameters:
    ///   - line: The line without its line ending. A line ending inside is white space.
    ///   - state: The state that the line before returned; `State()` for the first one.
    package func tokens(of line: String, _ state: State) -> (tokens: [Token], state: State) {
        var lexer = Lexer(language, Array(line.utf8), state)
        lexer.run()
        return (lexer.output.tokens, lexer.nextState)
    }

    /// The constructs that a line leaves open for the next one. Its size has a fixed limit.
    package struct State: Hashable, Sendable {
        /// Open constructs, the innermost one last.
        var frames: [Frame] = []
        /// True after the first line with text.
        var hasStarted = false
        /// True if a backslash joins the last line with the next one.
        var isContinued = false

        /// The state before the first line.
        package init() {}
    }
}
