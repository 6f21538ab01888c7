import Testing

@testable import TalkCoEnglish

@Suite struct TokenizerTests {
    private func words(_ text: String) -> [String] { Tokenizer.tokens(of: text).map(\.word) }

    @Test func contractionsBecomeTwoTokens() {
        #expect(words("I'm sure she’s here") == ["i", "'m", "sure", "she", "'s", "here"])
        #expect(words("They'll say we've won") == ["they", "'ll", "say", "we", "'ve", "won"])
    }

    @Test func negationsAndPossessivesStayOneToken() {
        #expect(words("I don't like Tom's car") == ["i", "don't", "like", "tom's", "car"])
    }

    @Test func contractionsWithoutApostropheAreUnderstood() {
        #expect(words("im tired and dont care") == ["i", "'m", "tired", "and", "don't", "care"])
    }

    @Test func tokensCoverTheirTextExactly() {
        for text in ["I’m 25, OK? 😀 好的 don’t", "e\u{301}clair café naïve", "👩‍👩‍👧 I go 🇹🇼", "3.5% at 7:30a.m."] {
            var end = text.startIndex
            for token in Tokenizer.tokens(of: text) {
                #expect(token.range.lowerBound >= end)
                #expect(!text[token.range].isEmpty || token.range.isEmpty == false)
                end = token.range.upperBound
            }
            #expect(end <= text.endIndex)
        }
    }

    @Test func numbersKeepTheirPunctuation() {
        #expect(words("It's 3.5 km, at 7:30") == ["it", "'s", "3.5", "km", ",", "at", "7:30"])
    }

    @Test func periodsOfAbbreviationsDoNotEndSentences() {
        #expect(Sentence.sentences(of: "Mr. Chen left at 3.5. He was late.").count == 2)
    }

    @Test func lineBreaksAndChinesePunctuationEndSentences() {
        #expect(Sentence.sentences(of: "I go\nYou go。They go！Who？").map(\.count) == [2, 2, 2, 1])
    }

    @Test func longSentencesAreCut() {
        let sentences = Sentence.sentences(of: String(repeating: "word ", count: 1000))
        #expect(sentences.allSatisfy { $0.count <= Sentence.maximumLength })
        #expect(sentences.reduce(0) { $0 + $1.count } == 1000)
    }
}
