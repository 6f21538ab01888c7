package import SimBridgeWire

extension PhoneNumber {
    /// Returns the number in the form that a network accepts (``checked(_:)``).
    ///
    /// - Throws: ``TelephonyError/invalidNumber``.
    static func dialable(_ text: String) throws(TelephonyError) -> String {
        do {
            return try checked(text)
        } catch {
            throw .invalidNumber
        }
    }

    /// Returns the last digits of a number, for logs and terminals.
    package static func shortened(_ number: String) -> String {
        if number.isEmpty { return "a withheld number" }
        return number.count > 6 ? "…\(number.suffix(4))" : number.count > 3 ? "…\(number.suffix(2))" : number
    }
}
