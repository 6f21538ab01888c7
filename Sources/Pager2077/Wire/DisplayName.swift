/// The rule for the name that friends see. Phone and service both apply it.
public enum DisplayName {
    /// In characters, after trimming.
    public static let maximumLength = 20

    /// Why a name was refused.
    public enum Problem: Error, Hashable, Sendable {
        case empty
        /// More than ``DisplayName/maximumLength`` characters.
        case tooLong
        /// Something else than ASCII letters, digits, spaces, `-` and `_`.
        case invalidCharacters
    }

    /// - Returns: `text` without white space at its ends.
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
    /// Without white space and line ends at either end, by Unicode's definition of white space.
    ///
    /// Scalar by scalar: a space that carries an accent is one `Character` and counts as white space, but the accent is not.
    package func trimmingWhitespace() -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(String.UnicodeScalarView(scalars[first...last]))
    }
}
