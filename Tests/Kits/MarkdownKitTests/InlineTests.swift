import MarkdownKit
import Testing

@Suite struct InlineTests {
    @Test func firstLetterDecidesTheDirection() {
        func isRightToLeft(_ text: String) -> Bool {
            guard case .paragraph(let text) = MarkdownDocument(text).blocks.first?.content else { return false }
            return text.isRightToLeft
        }
        for text in ["مرحبا world", "**שלום**", "12 — «سلام»!", "😀 ދިވެހި"] { #expect(isRightToLeft(text), "\(text)") }
        for text in ["hello مرحبا", "한국어 שלום", "日本", "12 — 3", ""] { #expect(!isRightToLeft(text), "\(text)") }
    }

    @Test(arguments: [
        ("*a* _b_", "<e:a> <e:b>"), ("**a** __b__", "<s:a> <s:b>"), ("***a***", "<es:a>"), ("**a *b* c**", "<s:a ><es:b><s: c>"),
        ("*a **b***", "<e:a ><es:b>"), ("~~a~~ b", "<x:a> b"), ("**~~a~~**", "<sx:a>"), ("a*b*c", "a<e:b>c"),
        ("__init__.py", "<s:init>.py"), ("**a**b**c**", "<s:a>b<s:c>"),
    ])
    func stylesNest(_ text: String, _ expected: String) { #expect(inlines(text) == expected) }

    @Test(arguments: [
        "a * b * c", "snake_case_name", "2 ** 3 ** 4", "**open", "*open **both", "a ~5 b ~6", "~a~", "a ~~~b", "** a **",
        "_a", "5*", "f(**a, **b)", "2**(3) + 4**(5)", "****",
    ])
    func charactersWithoutPartnersAreText(_ text: String) {
        #expect(inlines(text + " z") == text + " z")
    }

    /// CommonMark itself shows the asterisks in these.
    @Test(arguments: [
        ("**\"링크\"**를 누르세요", "<s:\"링크\">를 누르세요"), ("**서버(box)**는", "<s:서버(box)>는"), ("이것은**(중요)**합니다", "이것은<s:(중요)>합니다"),
        ("**注意：**請", "<s:注意：>請"), ("**Note:**text", "<s:Note:>text"), ("*\"강조\"*는", "<e:\"강조\">는"),
    ])
    func strongTextMayTouchLettersWithoutSpaces(_ text: String, _ expected: String) {
        #expect(inlines(text) == expected)
    }

    @Test(arguments: [
        ("`a`", "<c:a>"), ("``a`b``", "<c:a`b>"), ("`` `a` ``", "<c:`a`>"), ("`a", "`a"), ("`**a**`", "<c:**a**>"),
        ("**`a`**", "<sc:a>"),
        ("`a\nb`", "<c:a b>"), ("`\\`", "<c:\\>"), ("` `", "<c: >"), ("`a``b`", "<c:a``b>"),
    ])
    func codeIsVerbatim(_ text: String, _ expected: String) { #expect(inlines(text) == expected) }

    @Test(arguments: [
        ("\\*a\\*", "*a*"), ("\\# a", "# a"), ("a\\b", "a\\b"), ("\\\\", "\\"), ("\\[a](b)", "[a](b)"), ("\\`a`", "`a`"),
        ("1\\. a", "1. a"),
    ])
    func backslashEscapesPunctuation(_ text: String, _ expected: String) { #expect(inlines(text) == expected) }

    @Test(arguments: [
        ("\\(x^2\\)", "\\(x^2\\)"), ("a \\(a_1 * b_1 * c\\) b", "a \\(a_1 * b_1 * c\\) b"), ("\\[E = mc^2\\]", "\\[E = mc^2\\]"),
        ("\\[\na \\\\\nb\n\\]", "\\[⏎a \\\\⏎b⏎\\]"), ("\\(\\{x\\} \\, \\%\\) \\*", "\\(\\{x\\} \\, \\%\\) *"),
        ("\\(a\nb\\)", "\\(a b\\)"), ("**\\(a**b\\)**", "<s:\\(a**b\\)>"), ("\\(`a` <b> [c](d)\\)", "\\(`a` <b> [c](d)\\)"),
        ("\\(a\\) \\(b\\)", "\\(a\\) \\(b\\)"), ("\\[a\\] \\(b\\)", "\\[a\\] \\(b\\)"),
        // No formula: an escape, and an escaped backslash.
        ("\\(a", "(a"), ("\\( \\(a\\)", "( \\(a\\)"), ("\\\\(a\\\\)", "\\(a\\)"), ("a\\) b\\]", "a) b]"),
        ("`\\(a\\)`", "<c:\\(a\\)>"),
    ])
    func formulasKeepTheirCharacters(_ text: String, _ expected: String) { #expect(inlines(text) == expected) }

    @Test(arguments: [
        ("a  \nb", "a⏎b"), ("a\\\nb", "a⏎b"), ("a\nb", "a b"), ("a \nb", "a b"), ("a<br>b", "a⏎b"), ("a  ", "a"),
        ("*a  \nb*", "<e:a⏎b>"),
    ])
    func lineBreaks(_ text: String, _ expected: String) { #expect(inlines(text) == expected) }

    @Test(arguments: [
        ("&lt;div&gt; &amp; &quot;", "<div> & \""), ("&#65;&#x42;", "AB"),
        ("&unknown; &; &#; &#xZ; &#-1;", "&unknown; &; &#; &#xZ; &#-1;"),
        ("&#0;&#1114112;", "\u{FFFD}\u{FFFD}"), ("&amp", "&amp"), ("&lt;*a*", "<<e:a>"),
    ])
    func characterReferences(_ text: String, _ expected: String) { #expect(inlines(text) == expected) }

    @Test func adjacentTextsOfOneStyleAreOneRun() {
        let document = MarkdownDocument("a &amp; b \\* c\nd *e* f")
        guard case .paragraph(let text) = document.blocks[0].content else {
            Issue.record("not a paragraph")
            return
        }
        #expect(text.runs.map(\.text) == ["a & b * c d ", "e", " f"])
        #expect(text.plainText == "a & b * c d e f")
    }
}
