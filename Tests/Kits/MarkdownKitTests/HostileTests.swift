import Testing

@testable import MarkdownKit

/// The effort is counted in visited bytes and tokens, so that a busy machine does not matter.
@Suite struct HostileTests {
    static let patterns = [
        "[", "]", "*", "_", "**a ", "*a _b ", "a**", "> ", ">", "- ", "1. ", "`", "`a``b```c", "``a` ", "[a](", "[a](b", "[a](<b",
        "[a](b \"", "![",
        "[a](https://x)", "<", "<a", "<https://", "&", "&#", "~~", "~~a", "\\", "|", "| a ", "|-", "h", "https://", "https://?",
        "(", ")", "a ", "\n",
        " ", "\t", "- a\n", "- \n", "> a\n", ">\n", "#", "# ", "\n- a\n\n", "    ", "a\n    ", "*a*", "_a ", "***a** ",
        "a*b_c**d__", "[[a](b)](c)",
        "[a](b 'c ", "[a](b (", "é", "[*a](x)*", "\r", "\u{0}", "**[a](b** ", "| a | b |\n|---|---|\n", "```\n", "~~~a\n", "- - ",
        "> - ",
        "\n  - a", "*\n", "**\n", "a `b\n", "<br>", "[a]: b\n", "![a](", "](", "`\\", "~~a**b", "    a\n\n\n\n",
    ]

    /// Four times the text takes little more than four times the effort.
    @Test(arguments: patterns)
    func effortGrowsWithTheLength(_ pattern: String) {
        let (short, long) = (Self.effort(pattern, 1000), Self.effort(pattern, 4000))
        #expect(long < short * 6, "\(pattern.debugDescription): \(short), \(long)")
        #expect(long < pattern.utf8.count * 4000 * 40, "\(pattern.debugDescription): \(long)")
    }

    private static func effort(_ pattern: String, _ count: Int) -> Int {
        MarkdownDocument(String(repeating: pattern, count: count)).workCount
    }

    /// Within one paragraph, up to the limit of its length.
    @Test(arguments: patterns.filter { !$0.contains("\n") })
    func effortGrowsWithTheLengthOfAParagraph(_ pattern: String) {
        func effort(_ length: Int) -> Int {
            var parser = InlineParser(Array(String(repeating: pattern, count: length / pattern.utf8.count).utf8), isOpen: true)
            _ = parser.parse()
            return parser.workCount
        }
        let (short, long) = (effort(4000), effort(16_000))
        #expect(long <= short * 5, "\(pattern.debugDescription): \(short), \(long)")
    }

    @Test(arguments: ["[", "*", ">", "`", "_", "~", "!["])
    func tenThousandMarkersAreReadOnce(_ marker: String) {
        let text = String(repeating: marker, count: 10_000)
        #expect(MarkdownDocument(text).workCount < text.utf8.count * 10)
        var document = MarkdownDocument()
        document.append("a " + text)
        let before = document.workCount
        document.append("b")
        #expect(document.workCount - before < text.utf8.count * 10)
    }

    /// A piece costs the same at the end of a long document as at its beginning.
    @Test func effortDoesNotDependOnClosedBlocks() {
        func effort(after count: Int) -> Int {
            var document = MarkdownDocument()
            document.append(String(repeating: "# A heading\n\nA paragraph with **bold** text.\n\n- item\n- item\n\n", count: count))
            let before = document.workCount
            for word in ["Now ", "some ", "*more* ", "words.\n", "```\n", "code", "\n```\n"] { document.append(word) }
            return document.workCount - before
        }
        #expect(effort(after: 1000) == effort(after: 1))
    }

    /// One endless block is divided, so that each piece has a bounded cost.
    @Test(arguments: [
        ("", "word "), ("", "- a\n"), ("", "> a\n"), ("", "    a\n"), ("```\n", "code\n"),
        ("| a | b |\n|---|---|\n", "| a | b |\n"), ("", "a\n"),
        ("", "["), ("", "*a"), ("- a\n", "  - b\n"), ("> ```\n", "> code\n"),
    ])
    func effortOfAPieceIsBounded(_ start: String, _ piece: String) {
        let maximum = start.contains("`") ? Limits.codeLength : Limits.blockLength
        var document = MarkdownDocument()
        document.append(start)
        document.append(String(repeating: piece, count: 3 * maximum / 2 / piece.utf8.count))
        for _ in 0..<3 {
            let before = document.workCount
            document.append(piece)
            #expect(document.workCount - before < 2 * maximum)
        }
        #expect(document.blocks.count > 1)
    }

    /// The parts of a divided block are of the same kind.
    @Test func dividedCodeAndTablesContinue() {
        let code = MarkdownDocument("```swift\n" + String(repeating: "let a = 1\n", count: 120_000) + "```\nend\n")
        #expect(code.blocks.count == 3)
        guard case .code(let first) = code.blocks[0].content, case .code(let second) = code.blocks[1].content else {
            Issue.record("not code")
            return
        }
        #expect((first.language, second.language) == ("swift", "swift"))
        #expect((first.text + "\n" + second.text).split(separator: "\n").count == 120_000)
        let table = MarkdownDocument("| a | b |\n|---|---|\n" + String(repeating: "| c | d |\n", count: 10_000))
        let rows = table.blocks.map { block in
            if case .table(let table) = block.content, table.header.cells.count == 2 { table.rows.count } else { 0 }
        }
        #expect(rows.count == 2)
        #expect(rows.reduce(0, +) == 10_000)
    }

    @Test func nestingIsLimited() {
        func depth(_ blocks: [MarkdownBlock]) -> Int {
            blocks.map { block in
                switch block.content {
                case .quote(let blocks): 1 + depth(blocks)
                case .list(let list): 1 + (list.items.map { depth($0.blocks) }.max() ?? 0)
                default: 0
                }
            }.max() ?? 0
        }
        for pattern in [">", "> ", "- ", "1. ", "> - ", "* > "] {
            let document = MarkdownDocument(String(repeating: pattern, count: 1000) + "end")
            #expect(depth(document.blocks) == Limits.depth)
        }
        let lists = (0..<100).map { String(repeating: "  ", count: $0) + "- a\n" }.joined()
        #expect(depth(MarkdownDocument(lists).blocks) <= Limits.depth)
    }

    @Test func runsAreLimited() {
        let document = MarkdownDocument(String(repeating: "*a*b", count: 4000))
        guard case .paragraph(let text) = document.blocks[0].content else {
            Issue.record("not a paragraph")
            return
        }
        #expect(text.runs.count == Limits.runCount)
        #expect(text.plainText == String(repeating: "ab", count: 4000))
    }

    /// Any bytes are accepted, and text outside of markers survives.
    @Test func randomTextsDoNotTrap() {
        var generator = SplitMix(seed: 19)
        for number in 0..<1000 {
            var text = StreamingTests.randomText(&generator)
            if number % 3 == 0 {
                var bytes = Array(text.utf8)
                for _ in 0..<5 {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                }
                text = String(decoding: bytes, as: UTF8.self)
            }
            let count = text.utf8.count
            let document = MarkdownDocument(text)
            #expect(document.workCount < 400 + count * 60, "\(text.debugDescription)")
            var open = MarkdownDocument()
            open.append(text)
            #expect(open.closedBlockCount <= open.blocks.count)
        }
    }
}
