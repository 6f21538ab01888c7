import Foundation
package import Testing

/// The texts of an app: its string tables in every language and the literals in its sources.
package struct AppWords {
    /// The folder of the app's sources.
    private let folder: URL

    /// - Parameter path: The folder of the app's sources, relative to the root of the repository.
    package init(_ path: String) {
        // This file is three folders below the root of the repository.
        folder = URL(filePath: #filePath).appending(path: "../../../../\(path)").standardized
    }

    /// The string table of a language: texts by key.
    private func table(_ language: String) throws -> [String: String] {
        let text = try String(contentsOf: folder.appending(path: "\(language).lproj/Localizable.strings"), encoding: .utf8)
        let lines = text.matches(of: /"((?:[^"\\]|\\.)*)" = "((?:[^"\\]|\\.)*)";/)
        return Dictionary(lines.map { (String($0.1), String($0.2)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The keys with `%` in place of placeholders.
    package func keys() throws -> Set<String> { Set(try table("en").keys.map { $0.replacing(Self.placeholder, with: "%") }) }

    private static var placeholder: Regex<Substring> { /%(?:@|lld)/ }

    /// Checks that every language has the same keys, each with the right number of placeholders.
    ///
    /// - Parameters:
    ///   - expected: The languages that the app must have.
    ///   - minimum: The number of keys that a language must exceed, to detect a parsing failure.
    package func expectTheSameInEveryLanguage(
        _ expected: Set<String> = ["en", "ko"], moreThan minimum: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let languages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".lproj") }
            .map { String($0.dropLast(".lproj".count)) }
        #expect(Set(languages).isSuperset(of: expected), sourceLocation: sourceLocation)
        let english = Set(try table("en").keys)
        #expect(english.count > minimum, sourceLocation: sourceLocation)
        for language in languages {
            let table = try table(language)
            #expect(Set(table.keys) == english, "\(language)", sourceLocation: sourceLocation)
            for (key, text) in table {
                #expect(
                    text.matches(of: Self.placeholder).count == key.matches(of: Self.placeholder).count, "\(language): \(key)",
                    sourceLocation: sourceLocation)
            }
        }
    }

    /// The app's sources without comments, with `%` in place of interpolations.
    package func sources() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.map { file in
            try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                .replacing(/(?m)^ *\/\/.*$/, with: "")
                .replacing(/\\\((?:[^()"]|\([^()"]*\))*(?:"[^"\\]*")?\)/, with: "%")
                // The same words, for a view and for an announcement.
                .replacing(/\bString\(\s*localized:\s*/, with: "Text(")
        }
    }
}
