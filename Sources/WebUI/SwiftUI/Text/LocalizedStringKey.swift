/// A text that is looked up in the app's tables for the reader's language.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    /// What is looked up: the text with a format where something was interpolated.
    let key: String
    private let arguments: [_FormatArgument]

    public init(_ value: String) { self.init(stringLiteral: value) }
    public init(stringLiteral value: String) {
        key = value
        arguments = []
    }
    public init(stringInterpolation: StringInterpolation) {
        key = stringInterpolation.key
        arguments = stringInterpolation.arguments
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var key = ""
        var arguments: [_FormatArgument] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { key += literal.replacing("%", with: "%%") }
        public mutating func appendInterpolation(_ string: String) { append("%@", .text(string)) }
        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {
            let (format, argument) = value._formatted
            append(format, argument)
        }
        private mutating func append(_ format: String, _ argument: _FormatArgument) {
            key += format
            arguments.append(argument)
        }
    }

    /// The text in the language of `locale`, from `bundle` (none: the key itself).
    func resolved(table: String?, bundle: Bundle?, languages: [String]) -> String {
        let format = StringTables.text(for: key, table: table ?? "Localizable", bundle: bundle, languages: languages) ?? key
        return Self.fill(format, arguments)
    }

    /// Puts `arguments` where `format` has `%@`, `%lld`, `%lf` or their numbered forms. A format that asks for more stays as it is.
    private static func fill(_ format: String, _ arguments: [_FormatArgument]) -> String {
        guard format.contains("%"), !(arguments.isEmpty && !format.contains("%%")) else { return format }
        var result = ""
        var rest = format[...]
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            guard let placeholder = rest.prefixMatch(of: /(?:(\d{1,2})\$)?(@|lld|ld|d|lf|f|llu|lu|u)/) else {
                result += "%"
                continue
            }
            let index = placeholder.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
            next = index + 1
            if arguments.indices.contains(index) { result += arguments[index].text } else { result += "%" + placeholder.0 }
            rest = rest[placeholder.range.upperBound...]
        }
        return result + rest
    }
}

extension _FormatArgument {
    fileprivate var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): number.formatted(.number.precision(.fractionLength(6)).grouping(.never))
        }
    }
}

/// A number that can stand in a ``LocalizedStringKey``.
public protocol _FormatSpecifiable: Equatable {
    /// Its format in the key, and the value.
    var _formatted: (format: String, argument: _FormatArgument) { get }
}

/// A value in a ``LocalizedStringKey``.
public enum _FormatArgument: Equatable, Sendable {
    case text(String)
    case integer(Int)
    case number(Double)
}

extension Int: _FormatSpecifiable {
    public var _formatted: (format: String, argument: _FormatArgument) { ("%lld", .integer(self)) }
}

extension Double: _FormatSpecifiable {
    public var _formatted: (format: String, argument: _FormatArgument) { ("%lf", .number(self)) }
}
