import Foundation
import TestKit
import Testing

@testable import HighlightKit

@Suite(.seeded) struct HostileTests {
    static let patterns = [
        "a", " ", "a ", "\"", "'", "`", "/", "/*", "*/", "/* */", "//", "<", "<a", "<a ", "<a>", "</", "<a b=", "<!--", "<script>",
        "<script></script>", "<style>a{", "<?php ?>", "?>", "<?", "{", "}", "${", "\"${", "`${", "\"\\(", "f\"{", "$\"{", "(", "[",
        "]", "#", "##",
        "#\"", "r#", "r\"", "'a", "'a'", "@", "@a", "@\"", "$", "$(", "\"$(", "${a", "<<", "<<A ", "<<-'A' ", "<<~A ", "<<<A ",
        "%w", "%(", ":a",
        ": ", "a: ", "- ", "a=", "a = ", "a.", "a.a = ", "=", "\\", "\"\\", "/[", "/a[b]/", "a/", "1", "1e+", "1.", "0x", "| ",
        "> ", "&a",
        "&amp;", "*", "**", "``", "`a``b```c", "[a](", "[a](b)", "](", "~~~", "1. ", "@@ -1 +1 @@", "é", "é\"", "\u{0}", "\r", "\t",
        "a{b:c;",
        "a:b;", "a,", ";", "/**/a", "a/**/", "{a:", "[{", "=begin", "#[", "#[a]", "R\"a(", "\"\"\"", "'''", "$$", "a!", "a(", "fn ",
        "class ", "😀",
    ]

    /// Four times the line takes little more than four times the effort, counted in bytes.
    @Test(arguments: CodeLanguage.allCases)
    func effortGrowsWithTheLength(_ language: CodeLanguage) {
        for pattern in Self.patterns {
            func effort(_ length: Int) -> Int {
                let line = String(repeating: pattern, count: length / pattern.utf8.count)
                var lexer = Lexer(language, Array(line.utf8), .init())
                lexer.run()
                return lexer.visitedCount
            }
            let (short, long) = (effort(200), effort(800))
            #expect(long <= short * 5 + 100, "\(pattern.debugDescription): \(short), \(long)")
            #expect(long <= 800 * 12, "\(pattern.debugDescription): \(long)")
        }
    }

    /// For any text: the tokens cover each line, adjacent ones differ, none divides a scalar, and the state stays small.
    @Test(arguments: CodeLanguage.allCases)
    func tokensCoverAnyText(_ language: CodeLanguage) throws {
        var generator = SeededGenerator(seed: Seed.current, number: CodeLanguage.allCases.firstIndex(of: language) ?? 0)
        let sample = (codeSamples + textSamples).first { $0.language == language }?.code ?? ""
        let pieces = Self.patterns + ["\n"] + sample.split(whereSeparator: { " \n".contains($0) }).map(String.init)
        for _ in 0..<Effort.count(20, soak: 5000) {
            var text = ""
            for _ in 0..<Int.random(in: 1...80, using: &generator) {
                text += pieces.randomElement(using: &generator) ?? ""
                if Int.random(in: 0..<6, using: &generator) == 0 { text += "\n" }
            }
            try check(text, language)
        }
    }

    /// Marks that take the next byte, before characters of several.
    @Test(arguments: CodeLanguage.allCases)
    func marksBeforeOtherScriptsDivideNothing(_ language: CodeLanguage) throws {
        for mark in Self.patterns {
            for character in ["é", "日", "😀"] { try check("a\(mark)\(character)\n\t\(mark)\(character)\(mark)", language) }
        }
    }

    /// Every beginning of a sample, as code arrives from a model.
    @Test(arguments: codeSamples + textSamples)
    func tokensCoverEveryBeginning(_ sample: Sample) throws {
        let scalars = Array(sample.code.unicodeScalars)
        for end in stride(from: 0, to: scalars.count, by: Effort.count(29, soak: 1)) {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[..<end])
            try check(String(text), sample.language)
        }
    }

    private func check(_ text: String, _ language: CodeLanguage) throws {
        let fault = Self.fault(text, language)
        try #require(fault == nil, "\(language) \(text.debugDescription)")
    }

    /// The first property that does not hold.
    private static func fault(_ text: String, _ language: CodeLanguage) -> String? {
        let highlighter = Highlighter(language)
        var state = Highlighter.State()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let (tokens, next) = highlighter.tokens(of: line, state)
            let bytes = Array(line.utf8)
            var (end, kind) = (0, Token.Kind?.none)
            for token in tokens {
                if token.range.lowerBound != end || token.range.isEmpty { return "a gap at \(end)" }
                if token.kind == kind { return "a divided token at \(end)" }
                (end, kind) = (token.range.upperBound, token.kind)
                if end < bytes.count, bytes[end].continuesScalar { return "a divided scalar at \(end)" }
            }
            if end != bytes.count { return "no tokens after \(end)" }
            if next.frames.count > Frame.maximumCount { return "too many frames" }
            state = next
        }
        return nil
    }

    @Test func aLineHasALimitedNumberOfTokens() {
        let line = String(repeating: "a+", count: 20_000)
        let tokens = Highlighter(.swift).tokens(of: line, .init()).tokens
        #expect(tokens.count == Highlighter.maximumTokenCount)
        #expect(tokens.last?.kind == .plain)
        #expect(tokens.last?.range.upperBound == line.utf8.count)
    }

    @Test func theStateGoesOnBehindTheLimit() {
        let line = String(repeating: "a+", count: 20_000) + "/*"
        let (_, state) = Highlighter(.swift).tokens(of: line, .init())
        #expect(Highlighter(.swift).tokens(of: "still", state).tokens.map(\.kind) == [.comment])
    }

    @Test func bytesThatAreNotTextAreRepaired() {
        let text = String(decoding: [0x22, 0xFF, 0xC3, 0x22, 0x0A, 0xF0, 0x9F], as: UTF8.self)
        #expect(marks(text, .c) == "s‹\"\u{FFFD}\u{FFFD}\"›\n")
    }
}
