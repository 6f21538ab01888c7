import HighlightKit
import Testing

/// The tokens of a text as text: one line for each of its lines, for example `k‹let› n‹1›`. Plain text and operators are left out.
func marks(_ text: String, _ language: CodeLanguage) -> String {
    var highlighted = HighlightedText(text, language: language)
    return (0..<highlighted.lineCount).map { index in
        let line = highlighted.line(index)
        return highlighted.tokens(ofLine: index)
            .compactMap { token in letters[token.kind].map { "\($0)‹\(token.text(in: line))›" } }
            .joined(separator: " ")
    }.joined(separator: "\n")
}

private let letters: [Token.Kind: String] = [
    .keyword: "k", .type: "t", .string: "s", .number: "n", .comment: "c", .function: "f", .attribute: "a", .tag: "g",
    .inserted: "+",
    .deleted: "-", .heading: "h",
]

/// A few lines of code and what they are to become.
struct Sample: CustomTestStringConvertible {
    var language: CodeLanguage
    var code: String
    var expected: String

    init(_ language: CodeLanguage, _ code: String, _ expected: String) {
        self.language = language
        self.code = code
        self.expected = expected
    }

    var testDescription: String { language.name }
}
