import TestKit
import Testing

@Suite struct HomeWordsTests {
    @Test func homeScreenHasTheSameKeysInEveryLanguage() throws {
        try AppWords("Sources/Home").expectTheSameInEveryLanguage(moreThan: 8)
    }
}
