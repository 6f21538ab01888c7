import Testing

@testable import TalkCoEnglish

@Suite struct ExpressionsTests {
    private func names(_ text: String) -> [String] { Expressions().used(in: text).map(\.name) }

    @Test func inflectedExpressionsAreFound() {
        #expect(names("I'm looking forward to seeing you.") == ["look forward to"])
        #expect(names("We ended up staying, and she came up with an idea.") == ["end up doing", "come up with"])
        #expect(names("I finally made up my mind.") == ["make up one's mind"])
    }

    @Test func idiomsAndConnectorsAreFound() {
        #expect(names("To be honest, it was a piece of cake.") == ["to be honest", "a piece of cake"])
    }

    @Test func wronglyUsedExpressionsAreLeftOut() {
        #expect(names("I look forward to see you.").isEmpty)
    }

    @Test func rangesHoldTheExpression() throws {
        let text = "😀 好 it was raining cats, so we gave up."
        let expression = try #require(Expressions().used(in: text).first)
        #expect(text[expression.range] == "gave up")
    }

    @Test func namesAreInDictionaryForm() {
        #expect(names("I'm used to living alone.") == ["be used to doing"])
        #expect(names("You'd better hurry, it's about time.") == ["had better", "it's about time"])
        #expect(names("He took two days off, as far as I know.") == ["take some days off", "as far as I know"])
    }

    @Test func everyExpressionCanBeFound() {
        for line in Expressions.lines { #expect(Pattern(line).triggers != nil, "\(line)") }
    }

    @Test func listHasNoDuplicates() {
        #expect(Set(Expressions.lines).count == Expressions.lines.count)
        #expect(Expressions.lines.count > 300)
    }
}
