package import SwiftUI

/// The words of a bundle in one language, for texts that are no views: notifications, a demonstration.
package struct WordTable {
    /// The bundle with the words of the language alone.
    package let bundle: Bundle
    /// The language of the words, as in RFC 5646.
    package let language: String

    /// - Parameter locale: The locale of the words. A language without words in the bundle falls back to English.
    package init(_ bundle: Bundle, _ locale: Locale) {
        let identifier = locale.identifier(.bcp47)
        // Some builds change the case of folder names.
        let names = [identifier, identifier.lowercased(), locale.language.languageCode?.identifier ?? "en"]
        let name = names.first { bundle.url(forResource: $0, withExtension: "lproj") != nil } ?? "en"
        language = name
        self.bundle = bundle.url(forResource: name, withExtension: "lproj").flatMap { Bundle(url: $0) } ?? bundle
    }

    package func callAsFunction(_ key: String) -> String { bundle.localizedString(forKey: key, value: key, table: nil) }
}
