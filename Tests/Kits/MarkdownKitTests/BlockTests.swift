import MarkdownKit
import Testing

@Suite struct BlockTests {
    @Test func linesOfAFormulaBeginNoBlocks() {
        let formula = "\\[\na\n=\n- b\n+ c\n> 0\n# d\n\\]"
        #expect(outline(formula) == "p \(formula.replacing("\n", with: "⏎"))\n")
        #expect(outline("Thus\n" + formula + "\n- e") == "p Thus \(formula.replacing("\n", with: "⏎"))\nlist\n  item\n    p e\n")
        #expect(outline("- so\n  \\[\n  - a\n  \\]\n- b") == "list\n  item\n    p so \\[⏎- a⏎\\]\n  item\n    p b\n")
        // Blank lines divide a formula; its marks stay.
        #expect(outline("\\[\n\na\n\n\\]") == "p \\[\np a\np \\]\n")
        // Without an end it is an escape, and the next paragraph is none of it.
        #expect(outline("\\[a\n\n- b") == "p [a\nlist\n  item\n    p b\n")
    }

    @Test func emptyTextsHaveNoBlocks() {
        for text in ["", "\n", "  \n\t\n", "\r\n"] { #expect(outline(text) == "") }
    }

    @Test func blankLinesSeparateParagraphs() {
        #expect(outline("The box\nanswers.\n\n\n  Then it waits.\n") == "p The box answers.\np Then it waits.\n")
    }

    @Test func idsAreIndices() {
        let document = MarkdownDocument("a\n\n# b\n> c\n>\n> d\n\n- e\n- f\n")
        #expect(document.blocks.map(\.id) == [0, 1, 2, 3])
        guard case .quote(let inner) = document.blocks[2].content, case .list(let list) = document.blocks[3].content else {
            Issue.record("not a quote and a list")
            return
        }
        #expect(inner.map(\.id) == [0, 1])
        #expect(list.items.map(\.id) == [0, 1])
    }

    @Test func headingsHaveSixLevels() {
        #expect(outline("# One\n### Three ###\n###### Six\n####### Seven\n") == "h1 One\nh3 Three\nh6 Six\np ####### Seven\n")
        #expect(outline("#Tag\n\n## C#\n\n#\n\n## a *b* #\n") == "p #Tag\nh2 C#\nh1 \nh2 a <e:b>\n")
    }

    @Test func headingInterruptsAParagraph() {
        #expect(outline("before\n## now\nafter\n") == "p before\nh2 now\np after\n")
    }

    /// A line never turns the text above it into a heading.
    @Test func dashesBelowTextAreABreak() {
        #expect(outline("Title\n---\ntext\n===\n") == "p Title\nbreak\np text ===\n")
    }

    @Test(arguments: ["---", "***", "___", " - - -", "*  *  * *", "----------"])
    func thematicBreaks(_ line: String) { #expect(outline(line) == "break\n") }

    @Test(arguments: ["--", "-*-", "a---", "--- a"])
    func otherDashesAreText(_ line: String) { #expect(!outline(line).contains("break")) }

    @Test func fencesKeepLinesAndLanguage() {
        #expect(
            outline("```swift\nlet a = 1\n\n    indented **not bold**\n```\nafter\n")
                == "code swift \"let a = 1\\n\\n    indented **not bold**\"\np after\n")
        #expect(outline("~~~\n```\n~~~~\n") == "code \"```\"\n")
        #expect(outline("````md\n```\na\n```\n````\n") == "code md \"```\\na\\n```\"\n")
        #expect(outline("``` python title=\"a.py\"\n```\n") == "code python \"\"\n")
    }

    @Test func fenceEndsWithTheText() {
        #expect(outline("```\na\n``\n") == "code \"a\\n``\"\n")
        #expect(outline("```") == "code \"\"\n")
    }

    @Test func fenceRemovesItsOwnIndentation() {
        #expect(outline("  ```\n  a\n    b\n c\n  ```\n") == "code \"a\\n  b\\nc\"\n")
    }

    @Test func fenceInterruptsAParagraph() {
        #expect(outline("Run:\n```\nls\n```\n") == "p Run:\ncode \"ls\"\n")
    }

    @Test func backticksInALineAreNotAFence() {
        #expect(outline("```ls``` lists files\n") == "p <c:ls> lists files\n")
    }

    @Test func longLanguagesAreLeftOut() {
        #expect(outline("```" + String(repeating: "x", count: 65) + "\na\n```\n") == "code \"a\"\n")
    }

    @Test func indentationMakesCode() {
        #expect(outline("    a\n\n\tb\n      c\n\ntext\n") == "code \"a\\n\\nb\\n  c\"\np text\n")
        #expect(outline("text\n    more\n") == "p text more\n")
    }

    @Test func quotesNestAndContinueLazily() {
        #expect(outline("> a\nb\n>> c\n\nd\n") == "quote\n  p a b\n  quote\n    p c\np d\n")
        #expect(outline("> ```\n> code\nafter\n") == "quote\n  code \"code\"\np after\n")
        #expect(outline(">a\n>\n># b\n") == "quote\n  p a\n  h1 b\n")
    }

    @Test func htmlIsText() {
        #expect(outline("<div>\n<script>alert(1)</script>\n") == "p <div> <script>alert(1)</script>\n")
        #expect(inlines("a <b>c</b> <!-- d -->") == "a <b>c</b> <!-- d -->")
    }

    @Test func lineEndingsOfWindowsAreRead() {
        #expect(outline("# a\r\nb\r\n\r\n```\r\nc\r\n```\r\n") == "h1 a\np b\ncode \"c\"\n")
    }
}
