/// The words and marks of a language whose code is names, numbers, strings, comments and operators.
final class Grammar: Sendable {
    struct StringRule: Sendable {
        var open: [UInt8]
        var string: OpenString

        init(
            _ open: StaticString, _ close: StaticString? = nil, escape: StaticString = "\\", isDoubled: Bool = false,
            isMultiline: Bool = false,
            interpolations: [Interpolation] = []
        ) {
            self.open = Array(open)
            string = OpenString(
                close: Array(close ?? open), escape: Array(escape), isDoubled: isDoubled, isMultiline: isMultiline,
                interpolations: interpolations)
        }
    }

    struct Features: OptionSet {
        let rawValue: Int
        /// A name that begins with a capital and is not all capitals is a type.
        static let capitalizedTypes = Features(rawValue: 1 << 0)
        /// A name before `(` is a function.
        static let calls = Features(rawValue: 1 << 1)
        /// `#word` at the start of a line is a directive; `#include` takes `<file>`.
        static let preprocessor = Features(rawValue: 1 << 2)
        /// `@name` is an attribute.
        static let atAttributes = Features(rawValue: 1 << 3)
        /// `/…/` is a regular expression where an operand may stand.
        static let regularExpressions = Features(rawValue: 1 << 4)
        /// `<name …>` is an element where an operand may stand.
        static let elements = Features(rawValue: 1 << 5)
        /// A string before a colon is a key.
        static let stringKeys = Features(rawValue: 1 << 6)
        /// `#[…]` is an attribute.
        static let hashAttributes = Features(rawValue: 1 << 7)
        /// Keywords and types are matched in any case.
        static let ignoresCase = Features(rawValue: 1 << 8)
    }

    let features: Features
    let keywords: Set<String>
    let types: Set<String>
    /// Keywords before the name of a function.
    let functionDeclarers: Set<String>
    /// Keywords before the name of a type.
    let typeDeclarers: Set<String>
    let lineComments: [[UInt8]]
    let blockComment: (open: [UInt8], close: [UInt8])?
    let nestsComments: Bool
    /// The rules of strings, longer opening marks first.
    let strings: [StringRule]
    /// Bytes that belong to names in addition to letters, digits and underscores.
    let nameBytes: [UInt8]

    init(
        _ features: Features = [], keywords: String, types: String = "", functionDeclarers: String = "", typeDeclarers: String = "",
        lineComments: [StaticString] = ["//"], blockComment: (StaticString, StaticString)? = ("/*", "*/"),
        nestsComments: Bool = false,
        strings: [StringRule], nameBytes: [UInt8] = []
    ) {
        func words(_ text: String) -> Set<String> { Set(text.split { $0 == " " || $0 == "\n" }.map(String.init)) }
        self.features = features
        self.keywords = words(keywords)
        self.types = words(types)
        self.functionDeclarers = words(functionDeclarers)
        self.typeDeclarers = words(typeDeclarers)
        self.lineComments = lineComments.map { Array($0) }
        self.blockComment = blockComment.map { (Array($0.0), Array($0.1)) }
        self.nestsComments = nestsComments
        self.strings = strings
        self.nameBytes = nameBytes
    }
}

extension Interpolation {
    /// `\(…)` of Swift.
    static let swift = Interpolation(open: Array("\\("), length: 2, bracket: .openParenthesis, close: .closeParenthesis)
    /// `${…}`
    static let dollarBrace = Interpolation(open: Array("${"), length: 2, bracket: .openBrace, close: .closeBrace)
    /// `$(…)`
    static let dollarParenthesis = Interpolation(open: Array("$("), length: 2, bracket: .openParenthesis, close: .closeParenthesis)
    /// `#{…}`
    static let hashBrace = Interpolation(open: Array("#{"), length: 2, bracket: .openBrace, close: .closeBrace)
    /// `{…}`; `{{` is a brace.
    static let brace = Interpolation(open: Array("{"), length: 1, bracket: .openBrace, close: .closeBrace)
    /// `{$…}`
    static let braceDollar = Interpolation(open: Array("{$"), length: 1, bracket: .openBrace, close: .closeBrace)
}
