import TestKit
import Testing

/// The string tables of all languages match each other and the views.
@Suite struct StringsTests {
    private let words = AppWords("Sources/LocalLLM/App")

    @Test func languagesHaveTheSameKeysAndPlaceholders() throws { try words.expectTheSameInEveryLanguage(moreThan: 50) }

    @Test func stringTableMatchesTheViews() throws {
        let literals = try words.sources().flatMap { source in
            // The sentence beside the camera is no `Text`.
            source.matches(of: /\b(?:Text\(\s*|localized:\s*|word\()"((?:[^"\\\n]|\\.)*)"/).map { String($0.1) }
        }
        #expect(Set(literals.filter { !$0.isEmpty }).symmetricDifference(try words.keys()) == [])
    }
}
