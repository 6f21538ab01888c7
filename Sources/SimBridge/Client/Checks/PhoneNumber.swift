import SimBridgeWire

/// A phone number as a person types it.
public enum PhoneNumber {
    public enum Problem: Error, Hashable, Sendable {
        case empty
        /// Something else than digits, `*`, `#`, a `+` in front, and what stands between digits for the eye.
        case invalidCharacters
        /// More than the relay takes.
        case tooLong
    }

    private static let separators: Set<Character> = [" ", "-", ".", "(", ")", "/", "\u{a0}"]

    /// - Returns: The number without what only separates its digits: `+82 10-1234-5678` is `+821012345678`.
    public static func checked(_ text: String) throws(Problem) -> String {
        let number = text.filter { !separators.contains($0) }
        if number.isEmpty { throw .empty }
        let isAllowed = number.enumerated().allSatisfy { place, character in
            (character.isASCII && character.isNumber) || "*#".contains(character) || (character == "+" && place == 0)
        }
        guard isAllowed, number.contains(where: \.isNumber) else { throw .invalidCharacters }
        if number.unicodeScalars.count > TextCommand.numberLength.upperBound { throw .tooLong }
        return number
    }

    /// By what texts are put into one conversation: the number where it is one, else the sender as it was told.
    public static func normalized(_ text: String) -> String { (try? checked(text)) ?? text }
}
