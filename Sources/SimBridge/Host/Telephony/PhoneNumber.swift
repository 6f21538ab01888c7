/// A phone number in the form that a network accepts: an optional `+`, digits, `*` and `#`.
package enum PhoneNumber {
    /// - Returns: `text` without the spaces, brackets, dots, slashes and hyphens that people write.
    /// - Throws: ``TelephonyError/invalidNumber`` when anything else remains, or nothing.
    static func dialable(_ text: String) throws(TelephonyError) -> String {
        let bare = text.filter { !" ()./-\u{A0}\u{2010}\u{2011}".contains($0) }
        let digits = bare.hasPrefix("+") ? bare.dropFirst() : bare[...]
        guard (1...30).contains(digits.count), digits.allSatisfy({ "0123456789*#".contains($0) }) else { throw .invalidNumber }
        return bare
    }

    /// The last digits, for logs and terminals.
    package static func shortened(_ number: String) -> String {
        if number.isEmpty { return "a withheld number" }
        return number.count > 6 ? "…\(number.suffix(4))" : number.count > 3 ? "…\(number.suffix(2))" : number
    }
}
