import Foundation
import WireKit

/// Phone numbers as people write them.
public enum PhoneNumber {
    public enum Problem: Error, Hashable, Sendable {
        case empty
        /// Characters other than digits, `*`, `#`, a leading `+` and separators.
        case invalidCharacters
        /// The number has an extension, which a host cannot dial after the call is answered.
        case containsExtension
        /// More characters than the relay accepts.
        case tooLong
    }

    /// Reads a number that a user has typed or pasted.
    ///
    /// Accepts the digits of every script, separators of every kind, a scheme (RFC 3966) or label in front (`tel:`, `Phone:`), and a trunk
    /// prefix behind the country code, which people write as `+44 (0)20` and which no network accepts.
    ///
    /// - Returns: The number as a network accepts it: an optional `+`, digits, `*` and `#`. `+82 10-1234-5678` is `+821012345678`.
    public static func checked(_ text: String) throws(Problem) -> String {
        let (number, hasExtension) = try parsed(text)
        if hasExtension { throw .containsExtension }
        return number
    }

    /// Returns the number without its extension; nil for other text, such as the name of a sender.
    static func number(in text: String) -> String? { (try? parsed(text))?.number }

    private static func parsed(_ text: String) throws(Problem) -> (number: String, hasExtension: Bool) {
        var rest = withoutScheme(text.plainForms)
        let end = rest.firstIndex { !separators.contains($0) && (",;".contains($0) || $0.isLetter) } ?? rest.endIndex
        let tail = rest[end...].filter { !separators.contains($0) && !",;:=".contains($0) }
        let hasExtension = !tail.isEmpty
        if hasExtension, tail.wholeMatch(of: /(?:ext|extn|extension|x|p|w)?[0-9]{1,7}#?/.ignoresCase()) == nil {
            throw .invalidCharacters
        }
        rest = rest[..<end]
        if let trunk = rest.firstRange(of: "(0)"), isCountryCode(digits(rest[..<trunk.lowerBound])) { rest.removeSubrange(trunk) }
        let number = NumberingPlan.withoutTrunkPrefix(digits(rest))
        if number.isEmpty { throw hasExtension ? .invalidCharacters : .empty }
        let isAllowed = number.enumerated().allSatisfy { place, character in
            isDigit(character) || "*#".contains(character) || (character == "+" && place == 0)
        }
        guard isAllowed, number.contains(where: isDigit) else { throw .invalidCharacters }
        if number.unicodeScalars.count > TextCommand.numberLength.upperBound { throw .tooLong }
        return (number, hasExtension)
    }

    private static let separators = Set(
        " -.()/[]{}<>_~'\"\u{b7}\u{2022}\u{2027}\u{301c}\u{30fb}\u{30fc}\u{2018}\u{2019}\u{201c}\u{201d}☎☏✆℡📞📱")

    private static func digits(_ text: Substring) -> String { text.filter { !separators.contains($0) } }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    /// True for `+44`, `0044` and `01144`: a country's code that a trunk prefix in parentheses may follow.
    private static func isCountryCode(_ number: String) -> Bool {
        let prefix = ["+", "00", "011"].first { number.hasPrefix($0) }
        guard let prefix, let plan = NumberingPlan(callingCode: String(number.dropFirst(prefix.count))) else { return false }
        return plan.trunkPrefixes.contains("0")
    }

    /// Returns the number of a URI or after a label, without parameters other than an extension.
    private static func withoutScheme(_ text: String) -> Substring {
        guard let colon = text.firstIndex(of: ":"), !text[..<colon].contains(where: isDigit) else { return text[...] }
        let rest = text[text.index(after: colon)...].prefix { $0 != "?" }
        let parts = (rest.removingPercentEncoding?.plainForms ?? String(rest)).split(separator: ";")
        let parameters = parts.dropFirst().map { $0.lowercased() }
        // The `phone-context` of a local number may be its country code.
        let context = parameters.first { $0.hasPrefix("phone-context=+") }.map { $0.drop { $0 != "+" } } ?? ""
        let number = parts.first ?? ""
        return (number.contains("+") ? "" : context) + number + (parameters.first { $0.hasPrefix("ext=") } ?? "")
    }
}
