package import SwiftUI

/// The words of a bundle in one language, for texts that are no views: notifications, a demonstration.
package struct WordTable {
    private let table: Bundle
    /// The language of the words, as in RFC 5646.
    package let language: String

    /// - Parameter locale: The locale of the words. A language without words in the bundle falls back to English.
    package init(_ bundle: Bundle, _ locale: Locale) {
        let code = locale.language.languageCode?.identifier ?? "en"
        let folder = bundle.url(forResource: "\(code).lproj", withExtension: nil)
        language = folder == nil ? "en" : code
        table = (folder ?? bundle.url(forResource: "en.lproj", withExtension: nil)).flatMap { Bundle(url: $0) } ?? bundle
    }

    package func callAsFunction(_ key: String) -> String { table.localizedString(forKey: key, value: key, table: nil) }
}
