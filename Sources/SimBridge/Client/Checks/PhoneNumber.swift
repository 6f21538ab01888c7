import SimBridgeWire

/// A phone number as the user types it.
public enum PhoneNumber {
    public enum Problem: Error, Hashable, Sendable {
        case empty
        /// Characters other than digits, `*`, `#`, a leading `+` and separators.
        case invalidCharacters
        /// More characters than the relay accepts.
        case tooLong
    }

    private static let separators: Set<Character> = [" ", "-", ".", "(", ")", "/", "\u{a0}"]

    /// - Returns: The number without separators: `+82 10-1234-5678` is `+821012345678`.
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

    /// The key that groups texts into a conversation: the normalized phone number, or the raw sender when it is not a number.
    public static func normalized(_ text: String) -> String { (try? checked(text)) ?? text }
}
