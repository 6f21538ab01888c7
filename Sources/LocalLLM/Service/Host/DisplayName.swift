import Foundation

/// Text from outside that phones and terminals show in one row: the name of a host or of a model.
package enum DisplayName {
    /// In bytes of UTF-8.
    package static let maximumSize = 256
    /// The number of characters of a host's name, which has one row of a phone.
    package static let maximumHostName = 64

    /// The text without control characters and outer white space, cut at the limit. Empty when nothing is left.
    package static func clean(_ text: String) -> String {
        let separators = CharacterSet.newlines.union(.controlCharacters)
        let words = text.unicodeScalars.split { separators.contains($0) }.map(String.init)
        return words.joined(separator: " ").trimmingCharacters(in: .whitespaces).prefix(utf8: maximumSize)
            .trimmingCharacters(in: .whitespaces)
    }

    /// The name of a host. Empty when nothing is left.
    package static func host(_ text: String) -> String { clean(String(clean(text).prefix(maximumHostName))) }

    /// True for text that ``clean(_:)`` leaves as it is, unless it is empty.
    package static func isClean(_ text: String) -> Bool { !text.isEmpty && clean(text) == text }
}
