import TestKit
import Testing

@testable import HighlightKit

@Suite struct HighlightedTextTests {
    /// A comment over ten lines in every hundred.
    private static let text = (0..<1000)
        .map { $0 % 100 == 60 ? "/* open" : $0 % 100 == 70 ? "*/ let a" : "let b = \($0)" }.joined(separator: "\n")

    @Test func linesInAnyOrderEqualLinesInOrder() {
        var ordered = HighlightedText(Self.text, language: .swift)
        let expected = (0..<ordered.lineCount).map { ordered.tokens(ofLine: $0) }
        #expect(expected[65].map(\.kind) == [.comment])
        var generator = SeededGenerator(seed: Seed.current)
        var text = HighlightedText(Self.text, language: .swift)
        for index in (0..<1000).shuffled(using: &generator) { #expect(text.tokens(ofLine: index) == expected[index]) }
    }

    @Test func linesInOrderAreHighlightedOnce() {
        var text = HighlightedText(Self.text, language: .swift)
        for index in 0..<1000 { _ = text.tokens(ofLine: index) }
        #expect(text.workCount == 1000)
    }

    @Test func openingHighlightsNothingAndAScreenItsLines() {
        var text = HighlightedText(Self.text, language: .swift)
        #expect(text.workCount == 0)
        for index in 0..<50 { _ = text.tokens(ofLine: index) }
        #expect(text.workCount == 50)
        _ = text.tokens(ofLine: 999)
        #expect(text.workCount == 1000)
        // States above are known now.
        for index in stride(from: 990, through: 900, by: -1) { _ = text.tokens(ofLine: index) }
        #expect(text.workCount < 1000 + 91 * 64)
        _ = text.tokens(ofLine: 500)
        let before = text.workCount
        for index in 501..<550 { _ = text.tokens(ofLine: index) }
        #expect(text.workCount == before + 49)
    }

    @Test(arguments: [("", 0), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("\n", 1), ("a\r\nb", 2), ("a\n\nb\n", 3)])
    func linesEndWithLineFeeds(_ text: String, _ count: Int) {
        let text = HighlightedText(text, language: .swift)
        #expect(text.lineCount == count)
        #expect((0..<count).allSatisfy { !text.line($0).contains(where: \.isNewline) })
    }

    @Test func indicesOutOfRangeGiveNothing() {
        var text = HighlightedText("let a", language: .swift)
        for index in [-1, 1, Int.max, Int.min] {
            #expect(text.line(index).isEmpty)
            #expect(text.tokens(ofLine: index).isEmpty)
        }
    }
}
