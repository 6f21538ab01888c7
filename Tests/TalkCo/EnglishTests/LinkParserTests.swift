import Foundation
import Testing

@testable import TalkCoEnglish

@Suite(.enabled(if: GrammarChecker.isAvailable, "The parser's dictionary or the word model is not installed"))
struct LinkParserTests {
    private let parser = LinkParser()

    private func misfits(_ sentence: String, upTo limit: Int = 1) -> Int? {
        parser?.fit(of: sentence.words, misfits: limit)?.misfits
    }

    @Test func wordsThatFitNowhereAreCounted() {
        #expect(misfits("she does not like coffee .") == 0)
        #expect(misfits("that house is big .") == 0)
        #expect(misfits("he go to school every day .") == 1)
        #expect(misfits("the of and with .") == 2)
    }

    /// The C library sees nothing but short words of harmless bytes.
    @Test(arguments: [
        "\u{0}", "a\u{0}b", "\"", "[x]", "{y}", "caf\u{e9}", "😀", "", " ", "a b", String(repeating: "a", count: 41), "\\", "\n",
        "<", "*",
    ])
    func oddWordsAreRefused(_ word: String) {
        #expect(parser?.fit(of: ["I", "like", word], misfits: 1) == nil)
    }

    @Test func longSentencesAreRefused() {
        #expect(parser?.fit(of: Array(repeating: "very", count: 41), misfits: 1) == nil)
        #expect(parser?.fit(of: [], misfits: 1) == nil)
    }

    @Test func parsesFromSeveralThreadsAtOnce() async {
        let parser = parser
        let fits = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    parser?.fit(of: number.isMultiple(of: 2) ? ["I", "am", "here", "."] : ["he", "go", "home", "."], misfits: 1)?
                        .misfits
                }
            }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(fits.count { $0 == 0 } == 10)
        #expect(fits.count { $0 == 1 } == 10)
    }
}
