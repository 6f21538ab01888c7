import TestKit
import Testing

@Suite struct StringsTests {
    private let words = AppWords("Sources/Kits/ViewKit")

    @Test func languagesHaveTheSameKeysAndPlaceholders() throws { try words.expectTheSameInEveryLanguage(moreThan: 5) }

    @Test func stringTableMatchesTheViews() throws {
        let literals = try words.sources().flatMap { source in
            source.matches(of: /\b(?:Text\(|String\(\s*localized:)\s*"((?:[^"\\\n]|\\.)*)"/).map { String($0.1) }
        }
        #expect(Set(literals.filter { !$0.isEmpty }).symmetricDifference(try words.keys()) == [])
    }
}
