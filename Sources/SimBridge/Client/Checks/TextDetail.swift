package import Foundation

/// A part of a text with an action: a link, a phone number, a code.
package enum TextDetail: Hashable, Sendable, Identifiable {
    case link(URL)
    /// A phone number, as it is written in the text.
    case number(String)
    /// Digits to copy, as banks and shops send them.
    case code(String)

    package var id: Self { self }

    /// Maximum details of one text.
    static let maximumCount = 6

    /// Returns the details of `text` in their order, each once.
    package static func all(in text: String) -> [TextDetail] {
        guard text.contains("://") || text.contains("www.") || text.contains(where: \.isNumber) else { return [] }
        var found: [(at: String.Index, detail: TextDetail)] = []
        var rest = text
        /// Takes each match and blanks it, so that digits of a link are not a number.
        func take(_ expression: Regex<Substring>, _ detail: (Substring) -> TextDetail?) {
            for match in rest.matches(of: expression).reversed() {
                guard let new = detail(match.output) else { continue }
                found.append((match.range.lowerBound, new))
                rest.replaceSubrange(match.range, with: String(repeating: "\u{1}", count: match.output.utf8.count))
            }
        }
        take(/(?:https?:\/\/|www\.)[^\s<>"\x01]+/.ignoresCase(), link)
        // Digits and groups in parentheses, with one separator between them at most.
        let digits = /\+?(?:[0-9]|\([0-9]{1,6}\))(?:[ .\/\-]?(?:[0-9]|\([0-9]{1,6}\)))*/
        // Years and prices have four digits, too.
        if text.contains(/code|pin|otp|password|tan|인증|번호|비밀/.ignoresCase()) {
            // A code and the number after it would make a phone number.
            take(digits) { hasPrefix($0) ? number($0) : nil }
            take(/\b[0-9]{4,8}\b/, code)
            take(digits, number)
        } else {
            take(digits, number)
            take(/\b[0-9]{6,8}\b/, code)
        }
        var seen: Set<TextDetail> = []
        return Array(found.sorted { $0.at < $1.at }.map(\.detail).filter { seen.insert($0).inserted }.prefix(maximumCount))
    }

    private static func link(_ text: Substring) -> TextDetail? {
        var text = String(text)
        while let last = text.last, ".,;:!?)]}'".contains(last) { text.removeLast() }
        if text.lowercased().hasPrefix("www.") { text = "https://" + text }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false else {
            return nil
        }
        return .link(url)
    }

    /// Eight digits in a row may be a code or a date: a phone number is longer, has separators, or is international.
    private static func number(_ text: Substring) -> TextDetail? {
        let digits = text.count(where: \.isNumber)
        guard (7...15).contains(digits), text.hasPrefix("+") || digits > 8 || text.contains(where: { " -()".contains($0) }),
            !text.split(separator: " ").contains(where: isDateOrAddress)
        else { return nil }
        return .number(String(text))
    }

    /// True if a phone number begins with a country code or an area code.
    ///
    /// An area code begins with 0, and is shorter than the first group of a login code that begins with 0.
    private static func hasPrefix(_ text: Substring) -> Bool {
        if text.hasPrefix("+") { return true }
        let first = text.split { " .-/()".contains($0) }.first ?? ""
        return first.hasPrefix("0") && first.count <= 5 && text.count(where: \.isNumber) > 8
    }

    /// A date in digits, or an IPv4 address.
    private static func isDateOrAddress(_ word: Substring) -> Bool {
        word.wholeMatch(of: /[0-9]{4}([.\/\-])[0-9]{1,2}\1[0-9]{1,2}/) != nil
            || word.wholeMatch(of: /[0-9]{1,2}([.\/\-])[0-9]{1,2}\1(?:[0-9]{2}|[0-9]{4})/) != nil
            || word.wholeMatch(of: /[0-9]{1,3}(?:\.[0-9]{1,3}){3}/) != nil
    }

    /// Digits that are not a part of a date, an amount or a phone number.
    private static func code(_ text: Substring) -> TextDetail? {
        let (before, after) = (text.base[..<text.startIndex].suffix(2), text.base[text.endIndex...].prefix(2))
        guard before.wholeMatch(of: /[0-9)][.,\/\-]/) == nil, after.wholeMatch(of: /[.,\/\-][0-9(]/) == nil else { return nil }
        return .code(String(text))
    }
}
