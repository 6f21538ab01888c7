import Testing

@testable import MarkdownKit

/// The beginning of a long document.
@Suite struct ExcerptTests {
    @Test func shortDocumentIsWhole() {
        let document = MarkdownDocument("# Title\n\n- a\n- b\n\n> quoted\n\n| a |\n|---|\n| 1 |\n")
        let excerpt = document.excerpt(partLimit: 100)
        #expect(!excerpt.isCut && excerpt.sections == document.sections)
        #expect(MarkdownDocument("").excerpt(partLimit: 100) == MarkdownExcerpt(sections: [], isCut: false))
    }

    @Test(arguments: [
        "# a\n", "a\n\n", "- a\n", "- - - - a\n", "> a\n>\n", "> > > > > > > > > a\n\n", "1. a\n\n   b\n\n", "**a** `b` ", "---\n",
        "    a\n\nb\n\n",
    ])
    func longDocumentIsCutNearTheLimit(_ piece: String) {
        let document = MarkdownDocument(String(repeating: piece, count: 40_000 / piece.utf8.count))
        let excerpt = document.excerpt(partLimit: 500)
        #expect(excerpt.isCut)
        // The last paragraph is whole, and has at most a thousand runs.
        let count = Self.parts(excerpt.sections.flatMap(\.blocks))
        #expect((500...1_600).contains(count), "\(count)")
        // It is the beginning: ids, and the sections before the last one.
        #expect(excerpt.sections.dropLast().elementsEqual(document.sections.prefix(excerpt.sections.count - 1)))
        #expect(excerpt.sections.flatMap(\.blocks).map(\.id) == Array(0..<excerpt.sections.flatMap(\.blocks).count))
    }

    @Test func documentWithAWholeLastBlockIsNotCut() {
        let code = "```\n" + String(repeating: "a\n", count: 20_000) + "```\n"
        #expect(!MarkdownDocument(code).excerpt(partLimit: 500).isCut)
        #expect(MarkdownDocument(code + "\nb").excerpt(partLimit: 500).isCut)
    }

    @Test func tableKeepsItsFirstRows() throws {
        let row = "| " + (0..<60).map { "\($0)" }.joined(separator: " | ") + " |\n"
        let document = MarkdownDocument(
            row + "|" + String(repeating: "---|", count: 60) + "\n" + String(repeating: row, count: 300))
        let excerpt = document.excerpt(partLimit: 500)
        guard case .table(let table)? = excerpt.sections.first?.blocks.first?.content else { return #expect(Bool(false)) }
        #expect(excerpt.isCut && (3...5).contains(table.rows.count) && table.rows.allSatisfy { $0.cells.count == 60 })
    }

    @Test func longerExcerptBeginsWithTheShorter() {
        let document = MarkdownDocument(String(repeating: "# a\n\n- b\n- c\n\n", count: 1_000))
        let (short, long) = (document.excerpt(partLimit: 300), document.excerpt(partLimit: 600))
        #expect(long.sections.count > short.sections.count)
        #expect(Array(long.sections.prefix(short.sections.count - 1)) == Array(short.sections.dropLast()))
    }

    private static func parts(_ blocks: [MarkdownBlock]) -> Int {
        blocks.reduce(0) { count, block in
            switch block.content {
            case .paragraph(let text), .heading(_, let text): count + 1 + text.runs.count
            case .code(let code): count + 21 + code.text.utf8.count / 16
            case .thematicBreak: count + 1
            case .quote(let blocks): count + 1 + parts(blocks)
            case .list(let list): count + 1 + list.items.reduce(0) { $0 + 1 + parts($1.blocks) }
            case .table(let table): count + 1 + table.rows.count * table.header.cells.count
            }
        }
    }
}

/// Text that arrives in pieces of any length.
@MainActor
@Suite struct ReaderTests {
    /// Waits until the reader has parsed what it was given.
    private func settled(_ reader: MarkdownReader, _ act: () -> Void) async {
        let (parsed, continuation) = AsyncStream.makeStream(of: Void.self)
        reader.didParse = { continuation.yield() }
        act()
        for await _ in parsed where reader.isIdle { return }
    }

    private let long = String(repeating: "# Heading\n\nA *paragraph*.\n\n", count: 1_000)

    @Test func shortPiecesAreParsedAtOnce() {
        let reader = MarkdownReader()
        reader.append("# Tit")
        reader.append("le")
        #expect(reader.document.blocks.count == 1 && !reader.document.isFinished)
        reader.finish()
        #expect(reader.document.blocks == MarkdownDocument("# Title").blocks && reader.document.isFinished)
    }

    @Test func longPiecesAreParsedInTheOrderOfTheText() async {
        let reader = MarkdownReader()
        await settled(reader) {
            reader.append("Before.\n\n")
            reader.append(long)
            #expect(reader.document.blocks.count == 1, "not on the main actor")
            reader.append("After")
            reader.append(", the end")
            reader.finish()
        }
        #expect(reader.document.blocks == MarkdownDocument("Before.\n\n" + long + "After, the end").blocks)
        reader.append("ignored")
        #expect(reader.document.isFinished)
    }

    @Test func anotherTextTakesThePlaceOfALongOne() async {
        let reader = MarkdownReader()
        reader.append(long)
        reader.restart()
        reader.append("short")
        #expect(reader.document.blocks.count == 1)
        await settled(reader) { reader.append(long) }
        #expect(reader.document.blocks == MarkdownDocument("short" + long).blocks)
    }
}
