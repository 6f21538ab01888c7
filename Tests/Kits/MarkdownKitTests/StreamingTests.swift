import Testing

@testable import MarkdownKit

@Suite struct StreamingTests {
    @Test func openFenceGrows() {
        #expect(unfinished("```") == "")
        #expect(unfinished("```sw") == "code open \"\"\n")
        #expect(unfinished("```swift\n") == "code open swift \"\"\n")
        #expect(unfinished("```swift\nlet a") == "code open swift \"let a\"\n")
        #expect(unfinished("```swift\nlet a\n``") == "code open swift \"let a\"\n")
        #expect(unfinished("```swift\nlet a\n```\n") == "code swift \"let a\"\n")
    }

    @Test func unfinishedStrongTextAndCodeHaveTheirStyle() {
        for text in ["a *", "a **"] { #expect(unfinished(text) == "p a\n") }
        for text in ["a **b", "a **b*", "a **b**"] { #expect(unfinished(text) == "p a <s:b>\n") }
        #expect(unfinished("a **b *c") == "p a <s:b *c>\n")
        #expect(unfinished("**a\nb") == "p <s:a b>\n")
        for text in ["a `b", "a `b`"] { #expect(unfinished(text) == "p a <c:b>\n") }
        #expect(unfinished("`a` b `c **d") == "p <c:a> b <c:c **d>\n")
        // The end of the paragraph decides.
        #expect(unfinished("a **b\n\nc") == "p a **b\np c\n")
        #expect(outline("a **b") == "p a **b\n")
        #expect(outline("a `b") == "p a `b\n")
        #expect(outline("a *") == "p a *\n")
    }

    @Test func unfinishedFormulaKeepsItsCharacters() {
        #expect(unfinished("so \\(a_1 * b_1") == "p so \\(a_1 * b_1\n")
        #expect(unfinished("\\[\n- a") == "p \\[⏎- a\n")
    }

    @Test func signsThatOpenNothingStayText() {
        for text in ["2 ** 3", "2**3", "2 * 3 = 6", "a \\*", "it ` s", "*a"] {
            #expect(unfinished(text) == "p \(text.replacing("\\", with: ""))\n")
        }
    }

    @Test func unfinishedLinkShowsItsText() {
        #expect(unfinished("see [the bo") == "p see [the bo\n")
        #expect(unfinished("see [the box](https://bo") == "p see the box\n")
        #expect(unfinished("see ![the box](https://bo") == "p see the box\n")
        #expect(unfinished("see [the box](https://box \"ti") == "p see the box\n")
        #expect(unfinished("see [a](not a link") == "p see [a](not a link\n")
        #expect(outline("see [the box](https://bo") == "p see [the box](<:https://bo>(https://bo)\n")
    }

    @Test(arguments: ["#", "##", "-", "- ", "*", "**", "1", "12.", "`", "```", "~~", ">", "--", "- -", "+", "___"])
    func startOfAMarkerIsNotShown(_ text: String) {
        #expect(unfinished(text) == "")
        #expect(unfinished("above\n" + text) == "p above\n")
        #expect(unfinished("- above\n" + text) == "list\n  item\n    p above\n")
    }

    @Test func indentationIsNotShown() {
        #expect(unfinished("[a](https://x\n   ") == "p a\n")
        #expect(unfinished("| a\n ") == "table -\n  a\n")
        #expect(unfinished("a\n\n    ") == "p a\n")
    }

    @Test func boxOfATaskIsNotShownAsText() {
        for box in ["[", "[ ", "[ ]", "[x", "[x]"] { #expect(unfinished("- " + box) == "list\n  item\n") }
        #expect(unfinished("- [x] a") == "list\n  item done\n    p a\n")
    }

    @Test func tableBeginsWithItsHeader() {
        #expect(unfinished("| a | b") == "table --\n  a | b\n")
        #expect(unfinished("| a | b |\n|--") == "table --\n  a | b\n")
        #expect(unfinished("| a | b |\n|---|--:|\n| 1") == "table -t\n  a | b\n  1 | \n")
    }

    @Test func finishShowsWhatWasLeftOut() {
        for (text, expected) in [("a\n#", "p a\nh1 \n"), ("**", "p **\n"), ("- [x]", "list\n  item\n    p [x]\n")] {
            var document = MarkdownDocument()
            document.append(text)
            document.finish()
            #expect(outline(document.blocks) == expected)
            document.append("more")
            document.finish()
            #expect(outline(document.blocks) == expected)
        }
    }

    /// Random pieces give the same blocks as the whole text, also before its end, and leave closed blocks alone.
    @Test func blocksDoNotDependOnThePieces() {
        var generator = SplitMix(seed: 17)
        for number in 0..<150 {
            let text = number < Self.samples.count ? Self.samples[number] : Self.randomText(&generator)
            let whole = MarkdownDocument(text)
            for longest in [1, 3, 40] {
                var document = MarkdownDocument()
                var closed: [MarkdownBlock] = []
                var rest = text.unicodeScalars[...]
                while !rest.isEmpty {
                    let length = Int.random(in: 1...longest, using: &generator)
                    document.append(String(rest.prefix(length)))
                    rest = rest.dropFirst(length)
                    #expect(Array(document.blocks.prefix(closed.count)) == closed, "\(text.debugDescription)")
                    closed = Array(document.blocks.prefix(document.closedBlockCount))
                    #expect(document.sections.flatMap(\.blocks) == document.blocks)
                    #expect(document.blocks.map(\.id) == Array(document.blocks.indices))
                    if Int.random(in: 0..<12, using: &generator) == 0 {
                        var other = MarkdownDocument()
                        other.append(String(text.unicodeScalars[..<rest.startIndex]))
                        #expect(other.blocks == document.blocks, "\(text.debugDescription)")
                    }
                }
                document.finish()
                #expect(document.blocks == whole.blocks, "\(text.debugDescription)")
                #expect(document.closedBlockCount == document.blocks.count)
            }
        }
    }

    /// A view that compares storage skips them.
    @Test func fullSectionsKeepTheirStorage() {
        var document = MarkdownDocument()
        var storage: [Int: Int] = [:]
        for number in 0..<200 {
            document.append("Paragraph \(number)\n\n")
            let sections = document.sections
            #expect(sections.map(\.id) == Array(sections.indices))
            #expect(sections.dropLast().allSatisfy { $0.blocks.count == 32 })
            for section in sections.dropLast() {
                let start = section.blocks.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
                #expect(storage.updateValue(start, forKey: section.id) ?? start == start)
            }
        }
        #expect(storage.count == 6)
        document.finish()
        #expect(document.sections.flatMap(\.blocks) == document.blocks)
        #expect(MarkdownDocument().sections == [])
    }

    @Test func codeIsClosedAtTheEndOfTheText() {
        var document = MarkdownDocument()
        document.append("```\na")
        #expect(outline(document.blocks) == "code open \"a\"\n")
        document.finish()
        #expect(outline(document.blocks) == "code \"a\"\n")
    }

    /// Lines and paragraphs at the limits are divided at the same places.
    @Test func longLinesDoNotDependOnThePieces() {
        var generator = SplitMix(seed: 18)
        let long = String(repeating: "ab é한 ", count: 8000)
        for text in [long, "```\n" + long + "\nx\n```\n", "- " + long + "\n- b", "    " + long, "| a |\n|---|\n|" + long + "|\n"] {
            let whole = MarkdownDocument(text)
            var document = MarkdownDocument()
            var rest = text.unicodeScalars[...]
            while !rest.isEmpty {
                let length = Int.random(in: 1...4000, using: &generator)
                document.append(String(rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
            document.finish()
            #expect(document.blocks == whole.blocks)
        }
    }

    @Test func longLineOfCodeIsNotDivided() {
        let line = String(repeating: "ab é한 ", count: 8000)
        guard case .code(let code) = MarkdownDocument("```\n\(line)\nend\n```\n").blocks[0].content else {
            Issue.record("not code")
            return
        }
        #expect(code.text == line + "\nend")
        #expect(code.isClosed)
    }

    private static let samples = [
        "# Plan\n\nFirst **install** it:\n\n1. Get `swift`\n   ```sh\n   apt-get install swift\n   ```\n2. Run it\n   - [ ] once\n   - [x] twice\n\n> Note: *slow*\n> at first\n\n| a | b |\n|:--|--:|\n| 1 | [x](https://x) |\n\n---\nEnd.",
        "안녕하세요! **\"링크\"**를 눌러 주세요: https://box.example/한국어\n\n- 하나\n- 둘\n\n끝 👩‍👩‍👧‍👦 e\u{301}\r\nnext\r\n",
        "````\n```\n````\n\n\tcode\n\n\n\tcode\n\ntext\n",
    ]

    /// Text of fragments that mean something in Markdown.
    static func randomText(_ generator: inout SplitMix) -> String {
        let fragments = [
            "\n", "\n", "\n\n", "\n", " ", "  ", "    ", "\t", "- ", "* ", "1. ", "2) ", "> ", ">", "# ", "## ", "```", "```swift",
            "~~~", "---",
            "***", "**", "*", "_", "~~", "`", "``", "[", "]", "](", "![", ")", "(https://x)", "https://x.example/a", "<https://y>",
            "<br>", "<",
            "|", "| a | b |", "|---|---|", "\n|---|\n", "[ ] ", "[x] ", "\\", "&amp;", "&#65;", "word", "word ", "한국어", "👩‍👩‍👧‍👦", "é",
            "\r\n", "\"", ":",
            "1", "9.", "+ ", "=", "===",
        ]
        return (0..<Int.random(in: 1...60, using: &generator)).map { _ in fragments.randomElement(using: &generator)! }.joined()
    }
}
