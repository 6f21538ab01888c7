/// An open construct. The frames of a state are nested, the innermost one last; the first one is the language itself.
enum Frame: Hashable, Sendable {
    /// Code of a language with a ``Grammar``.
    case code(CodeFrame)
    /// A comment that ends with a marker.
    case comment(OpenComment)
    case string(OpenString)
    /// Whole lines up to a terminator on a line of its own.
    case heredoc(Heredoc)
    /// HTML or XML between its tags.
    case markup(isXML: Bool)
    /// Inside a tag, after its name.
    case tag(OpenTag)
    /// The children of a JSX element; `depth` counts the open elements.
    case element(depth: Int)
    /// Code in an element of HTML, up to the end tag, which is given in lowercase as `</script`.
    case embedded(endTag: [UInt8])
    case css(CSSFrame)
    case yaml
    /// Lines of a scalar of YAML that are indented by more than `indent` columns.
    case blockScalar(indent: Int)
    case markdown
    /// A fenced code block of Markdown, or its front matter.
    case fence(byte: UInt8, count: Int)
    /// A diff, with the lines that are left of the open hunk.
    case diff(old: Int, new: Int)
    case makefile
    case dockerfile

    /// Maximum frames. A construct that would exceed it is highlighted as if it opened none.
    static let maximumCount = 32
}

struct CodeFrame: Hashable, Sendable {
    enum Closer: Hashable, Sendable {
        case none
        /// A bracket, which ends the frame at depth 0.
        case bracket(open: UInt8, close: UInt8, depth: Int)
        /// `?>`
        case php
    }

    var language: CodeLanguage
    var closer: Closer = .none
}

struct OpenComment: Hashable, Sendable {
    /// The opening marker if comments nest, empty otherwise.
    var open: [UInt8]
    var close: [UInt8]
    var depth = 1
}

struct OpenString: Hashable, Sendable {
    var close: [UInt8]
    /// The marker that escapes the next character; empty if there is none.
    var escape: [UInt8] = [.backslash]
    /// True if two closing marks in a row stand for one.
    var isDoubled = false
    var isMultiline = false
    var interpolations: [Interpolation] = []
    var kind = Token.Kind.string
    /// True for a string that becomes an attribute if a colon follows.
    var mayBeKey = false
}

/// Code inside a string, from `open` to the bracket `close`.
struct Interpolation: Hashable, Sendable {
    /// The opening marker, which ends with the bracket, or with a byte after the bracket that belongs to the code.
    var open: [UInt8]
    /// Count of bytes of `open` that belong to the string.
    var length: Int
    var bracket: UInt8
    var close: UInt8
}

struct Heredoc: Hashable, Sendable {
    /// The text of the terminating line, at most ``maximumLength`` bytes.
    var terminator: [UInt8]
    var allowsIndent: Bool
    /// True if something other than a name may follow the terminator on its line.
    var allowsSuffix = false
    var kind = Token.Kind.string

    static let maximumLength = 64
}

struct OpenTag: Hashable, Sendable {
    var isClosing: Bool
    var isJSX: Bool
    /// The language of the code after a `script` or `style` tag; otherwise nil.
    var content: CodeLanguage?
    /// True directly after an equals sign.
    var expectsValue = false
}

struct CSSFrame: Hashable, Sendable {
    /// Count of open braces, at most 1,000.
    var depth = 0
    var isInValue = false
}
