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
        let name = String(text.trimmingWhitespace())
        if name.isEmpty { throw .empty }
        if name.count > maximumLength { throw .tooLong }
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
    package func trimmingWhitespace() -> SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}
