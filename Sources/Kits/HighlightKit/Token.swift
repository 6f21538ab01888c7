/// A part of a line with one appearance.
package struct Token: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Text without a meaning of its own: names, white space.
        case plain
        /// A reserved word, a literal such as `true`, an HTML entity.
        case keyword
        /// The name of a type.
        case type
        /// A string, a character or a regular expression, with its quotes.
        case string
        /// A number, a date, a colour of CSS.
        case number
        case comment
        /// The name of a function where it is declared or called, the target of a makefile.
        case function
        /// An annotation, a decorator, a directive of the preprocessor; the key of a mapping, the attribute of a tag, a variable of a shell.
        case attribute
        /// An operator, a bracket, or punctuation.
        case `operator`
        /// The name of an HTML or XML element with its angle brackets, a selector of CSS.
        case tag
        /// A line that a diff adds.
        case inserted
        /// A line that a diff removes.
        case deleted
        /// A heading of Markdown, a table of TOML, the header of a file or hunk in a diff.
        case heading
    }

    package let kind: Kind
    /// The position in the line, in UTF-8 bytes. Never empty, and never divides a Unicode scalar.
    package let range: Range<Int>

    package init(kind: Kind, range: Range<Int>) {
        self.kind = kind
        self.range = range
    }

    /// Returns the token's text in `line`, from which the token was made; empty if the line is too short.
    package func text(in line: some StringProtocol) -> String {
        String(decoding: line.utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
    }
}
