import TestKit
import Testing

/// The string tables of all languages match each other and the views.
@Suite struct StringsTests {
    private let words = AppWords("Sources/SimBridge/App")

    @Test func languagesHaveTheSameKeysAndPlaceholders() throws { try words.expectTheSameInEveryLanguage(moreThan: 100) }

    @Test func stringTableMatchesTheViews() throws {
        let literals = try words.sources().flatMap { source in
            source.matches(of: /(?:\bText\(|\bword\(|localized:\s*|title: |example: )"((?:[^"\\\n]|\\.)*)"/).map { String($0.1) }
        }
        #expect(Set(literals.filter { !$0.isEmpty }).symmetricDifference(try words.keys()) == [])
    }
}
