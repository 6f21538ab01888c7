/// The rule for display names, applied by both the phone and the service.
public enum DisplayName {
    /// Maximum length in characters (Unicode scalar values), after trimming.
    public static let maximumLength = 20

    /// The reason why a name was refused.
    public enum Problem: Error, Hashable, Sendable {
        case empty
        /// More than ``DisplayName/maximumLength`` characters.
        case tooLong
        /// Characters other than ASCII letters, digits, spaces, `-` and `_`.
        case invalidCharacters
    }

    /// Validates a name.
    ///
    /// - Returns: `text` without leading and trailing white space.
    public static func checked(_ text: String) throws(Problem) -> String {
        let name = text.trimmingWhitespace()
        if name.isEmpty { throw .empty }
        if name.unicodeScalars.count > maximumLength { throw .tooLong }
        let isAllowed = name.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "_": true
            default: false
            }
        }
        if !isAllowed { throw .invalidCharacters }
        return name
    }
}

extension StringProtocol {
    /// Returns the text without leading and trailing white space (Unicode property White_Space).
    ///
    /// Works by Unicode scalars: a space with a combining accent is one `Character` of white space, but the accent must stay.
    package func trimmingWhitespace() -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(String.UnicodeScalarView(scalars[first...last]))
    }
}
