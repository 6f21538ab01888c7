import TestKit
import Testing

/// The string tables of all languages match each other and the views.
@Suite struct StringsTests {
    private let words = AppWords("Sources/Pager2077/App")

    @Test func languagesHaveTheSameKeysAndPlaceholders() throws { try words.expectTheSameInEveryLanguage(moreThan: 80) }

    /// Literals in capitals without a translation: the product name and the labels of keys and modes.
    private static let untranslated: Set = [
        "PAGER 2077", "PAGER2077", "SPACE", "DEL", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ",
    ]

    @Test func stringTableMatchesTheViews() throws {
        let (keys, literals) = (try words.keys(), try literals())
        #expect(literals.subtracting(keys) == Self.untranslated)
        #expect(keys.subtracting(literals) == [])
    }

    /// The user-visible literals in the sources: arguments of `Text`, `lcd` and `word`, and any literal in capitals with two letters, as
    /// everything on the display is.
    private func literals() throws -> Set<String> {
        let found = try words.sources().flatMap { source in
            source.matches(of: /(\blcd\(|\bText\(|\bword\()?"((?:[^"\\\n]|\\.)*)"/)
                .map { (isText: $0.1 != nil, literal: String($0.2)) }
        }
        return Set(
            found.filter { isText, literal in
                isText ? literal.contains(/\p{L}/) : literal.contains(/[A-Z].*[A-Z]/) && !literal.contains(/\p{Ll}/)
            }.map { $0.literal.replacing("%@", with: "%") })
    }
}
