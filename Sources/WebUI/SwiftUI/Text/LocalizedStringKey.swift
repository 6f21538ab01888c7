/// A key for a text in the app's tables, which is looked up in the user's language.
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    /// The text with a format specifier in place of each interpolation.
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
        fileprivate var key = ""
        fileprivate var arguments: [_FormatArgument] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { key += literal.replacing("%", with: "%%") }
        public mutating func appendInterpolation(_ string: String) { append("%@", .text(string)) }
        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {
            append(value._argument.format, value._argument)
        }
        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T, specifier: String) {
            append(specifier, value._argument)
        }
        public mutating func appendInterpolation<F: FormatStyle>(_ input: F.FormatInput, format: F)
        where F.FormatInput: Equatable, F.FormatOutput == String {
            append("%@", .formatted(FormattedInput(input, format)))
        }
        private mutating func append(_ format: String, _ argument: _FormatArgument.Value) {
            append(format, _FormatArgument(value: argument))
        }
        private mutating func append(_ format: String, _ argument: _FormatArgument) {
            key += format
            arguments.append(argument)
        }
    }

    /// Returns the text in the first language of the environment that `bundle` has, or the key without a bundle.
    func resolved(table: String?, bundle: Bundle?, in environment: EnvironmentValues) -> String {
        let languages = environment.languages
        let format = StringTables.text(for: key, table: table ?? "Localizable", bundle: bundle, languages: languages) ?? key
        return arguments.isEmpty ? format : fill(format, environment)
    }

    /// Replaces `%@`, `%lld`, `%.1f` and their numbered forms in `format` by the arguments. A specifier without an argument stays.
    private func fill(_ format: String, _ environment: EnvironmentValues) -> String {
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
            let start = rest
            guard let placeholder = Placeholder(&rest) else {
                result += "%"
                rest = start
                continue
            }
            let index = placeholder.number.map { $0 - 1 } ?? next
            next = index + 1
            if arguments.indices.contains(index) {
                result += arguments[index].text(placeholder.width, environment)
            } else {
                result += "%" + start[..<rest.startIndex]
            }
        }
        return result + rest
    }
}

/// A format specifier after its percent sign: `@`, `2$@`, `lld`, `.1f`. Parsed by hand: a `Regex` takes as long as rendering a row.
private struct Placeholder {
    var number: Int?
    /// The flags, width and precision before the type; at most eight characters.
    var width: String

    private static let types = ["@", "lld", "llu", "ld", "lu", "lf", "d", "i", "u", "f"]

    init?(_ text: inout Substring) {
        let digits = text.prefix { ("0"..."9").contains($0) }
        if text.dropFirst(digits.count).first == "$", let number = Int(digits), number > 0 {
            self.number = number
            text = text.dropFirst(digits.count + 1)
        }
        width = String(text.prefix { "-+ #.0123456789".contains($0) }.prefix(8))
        text = text.dropFirst(width.count)
        guard let type = Self.types.first(where: { text.hasPrefix($0) }) else { return nil }
        text = text.dropFirst(type.count)
    }
}

/// A value in a ``LocalizedStringKey``.
public struct _FormatArgument: Equatable {
    enum Value: Equatable {
        case text(String)
        case integer(Int)
        case natural(UInt)
        case number(Double)
        case formatted(Formatted)
    }
    let value: Value

    fileprivate var format: String {
        switch value {
        case .text, .formatted: "%@"
        case .integer: "%lld"
        case .natural: "%llu"
        case .number: "%lf"
        }
    }

    /// - Parameter width: The characters between the percent sign and the type.
    fileprivate func text(_ width: String, _ environment: EnvironmentValues) -> String {
        var locale: Locale { environment.locale }
        return switch value {
        case .text(let text): text
        case .formatted(let formatted): formatted.text(in: environment)
        case .integer(let number):
            number.magnitude < 1000 && width.isEmpty && locale.hasLatinDigits
                ? String(number)
                : width.isEmpty ? number.formatted(.number.locale(locale)) : String(format: "%\(width)lld", number)
        case .natural(let number):
            width.isEmpty ? number.formatted(.number.locale(locale)) : String(format: "%\(width)llu", number)
        case .number(let number):
            width.isEmpty
                ? number.formatted(.number.precision(.fractionLength(6)).locale(locale))
                : String(format: "%\(width)f", locale: locale, number)
        }
    }
}

extension Locale {
    /// True if `String` writes numbers below a thousand as the locale does. A formatter takes as long as rendering a row.
    fileprivate var hasLatinDigits: Bool {
        ["en", "ko", "zh", "de", "fr"].contains { identifier.hasPrefix($0) }
    }
}

/// A number for interpolation into a ``LocalizedStringKey``.
public protocol _FormatSpecifiable: Equatable {
    var _argument: _FormatArgument { get }
}

extension _FormatSpecifiable where Self: BinaryInteger {
    public var _argument: _FormatArgument {
        _FormatArgument(value: Self.isSigned ? .integer(Int(clamping: self)) : .natural(UInt(clamping: self)))
    }
}

extension _FormatSpecifiable where Self: BinaryFloatingPoint {
    public var _argument: _FormatArgument { _FormatArgument(value: .number(Double(self))) }
}

extension Int: _FormatSpecifiable {}
extension Int8: _FormatSpecifiable {}
extension Int16: _FormatSpecifiable {}
extension Int32: _FormatSpecifiable {}
extension Int64: _FormatSpecifiable {}
extension UInt: _FormatSpecifiable {}
extension UInt8: _FormatSpecifiable {}
extension UInt16: _FormatSpecifiable {}
extension UInt32: _FormatSpecifiable {}
extension UInt64: _FormatSpecifiable {}
extension Float: _FormatSpecifiable {}
extension Double: _FormatSpecifiable {}
extension CGFloat: _FormatSpecifiable {}

/// A value with its format style. The language is applied later.
class Formatted: Equatable {
    func text(in environment: EnvironmentValues) -> String { preconditionFailure("subclasses format") }
    fileprivate func isSame(as other: Formatted) -> Bool { preconditionFailure("subclasses compare") }
    static func == (first: Formatted, second: Formatted) -> Bool { first.isSame(as: second) }
}

final class FormattedInput<Style: FormatStyle>: Formatted where Style.FormatInput: Equatable, Style.FormatOutput == String {
    private let input: Style.FormatInput
    private let style: Style
    init(_ input: Style.FormatInput, _ style: Style) {
        self.input = input
        self.style = style
    }
    override func text(in environment: EnvironmentValues) -> String {
        var style = style.locale(environment.locale)
        // A date without an explicit time zone uses the time zone of the phone, not of the box.
        if var dates = style as? Date.FormatStyle, dates.timeZone == .autoupdatingCurrent {
            dates.timeZone = environment.timeZone
            style = dates as? Style ?? style
        }
        return style.format(input)
    }
    override func isSame(as other: Formatted) -> Bool {
        (other as? FormattedInput).map { input == $0.input && style == $0.style } ?? false
    }
}
