import TestKit
import Testing

/// Every language has the same words.
@Suite struct StringsTests {
    private let words = AppWords("Sources/Pager2077/App")

    @Test func languagesHaveTheSameKeysAndPlaceholders() throws { try words.expectTheSameInEveryLanguage(moreThan: 80) }

    /// Capitals that are no words, or no words to translate: the pager's name, and what stands on its keys and beside its entry.
    private static let untranslated: Set = [
        "PAGER 2077", "PAGER2077", "SPACE", "DEL", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ",
    ]

    @Test func everyWordOfTheViewsIsInTheTableAndNoOther() throws {
        let (keys, literals) = (try words.keys(), try literals())
        #expect(literals.subtracting(keys) == Self.untranslated)
        #expect(keys.subtracting(literals) == [])
    }

    /// The literals of the sources that are words to show: what a view makes a text of, and whatever else has two letters or more, all of them
    /// capitals, as everything on the display.
    private func literals() throws -> Set<String> {
        let found = try words.sources().flatMap { source in
            source.matches(of: /(\blcd\(|\bText\()?"((?:[^"\\\n]|\\.)*)"/).map { (isText: $0.1 != nil, literal: String($0.2)) }
        }
        return Set(
            found.filter { isText, literal in
                isText ? literal.contains(/\p{L}/) : literal.contains(/[A-Z].*[A-Z]/) && !literal.contains(/\p{Ll}/)
            }.map(\.literal))
    }
}
