import TestKit
import Testing

/// The string tables of all languages match each other and the views.
@Suite struct StringsTests {
    private let words = AppWords("Sources/EndlessCode/App")

    @Test func languagesHaveTheSameKeysAndPlaceholders() throws { try words.expectTheSameInEveryLanguage(moreThan: 100) }

    @Test func stringTableMatchesTheViews() throws {
        let literals = try words.sources().flatMap { source in
            // The words of notifications are no `Text`.
            source.matches(of: /\b(?:Text\(\s*|word\(|localized:\s*)"((?:[^"\\\n]|\\.)*)"/).map { String($0.1) }
        }
        #expect(Set(literals.filter { !$0.isEmpty }).symmetricDifference(try words.keys()) == [])
    }
}
