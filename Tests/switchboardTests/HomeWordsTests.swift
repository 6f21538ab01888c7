import TestKit
import Testing

@Suite struct HomeWordsTests {
    @Test func theHomeScreenHasTheSameWordsInEveryLanguage() throws {
        try AppWords("Sources/Home").expectTheSameInEveryLanguage(moreThan: 8)
    }
}
