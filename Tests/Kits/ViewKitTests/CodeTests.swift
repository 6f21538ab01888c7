import Foundation
import HighlightKit
import SwiftUI
import Testing

@testable import ViewKit

/// Lines of code, and their size.
@MainActor
@Suite struct CodeTests {
    private let source = (1...100).map { "let a\($0) = \"text\"  // \($0)\n/* open" + ($0 % 3 == 0 ? " */" : "") }.joined(
        separator: "\n")

    private func chunks(of text: String) -> [CodeChunk] {
        var lines = HighlightedLines()
        lines.read(text, .swift)
        return lines.chunks
    }

    @Test func aTextInPiecesHasTheChunksOfTheWhole() {
        let whole = chunks(of: source)
        #expect(whole.map { $0.runs.map(\.text).joined() }.joined(separator: "\n") == source)
        var lines = HighlightedLines()
        var text = ""
        for piece in stride(from: 0, to: source.utf8.count, by: 37).map({ start in
            String(decoding: source.utf8.dropFirst(start).prefix(37), as: UTF8.self)
        }) {
            text += piece
            lines.read(text, .swift)
            #expect(lines.chunks == chunks(of: text))
        }
        #expect(lines.chunks == whole)
    }

    /// A chunk is one text of the page, which is evaluated in one turn.
    @Test func chunksAreShort() {
        let limit = HighlightedLines.chunkLimit
        let chunks = chunks(of: source + "\n" + String(repeating: "\n", count: 100) + String(repeating: "a+b;", count: 5000))
        for chunk in chunks.dropLast() {
            let lines = chunk.runs.map(\.text).joined().split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= limit.lines && chunk.runs.count < 2 * limit.runs)
        }
        // One line is one text, however long it is.
        #expect(chunks.allSatisfy { $0.runs.count <= 1000 })
    }

    @Test func aGrowingTextCostsItsLastLines() {
        var lines = HighlightedLines()
        lines.read(source, .swift)
        let before = lines.workCount
        lines.read(source + "x", .swift)
        #expect(lines.workCount - before <= HighlightedLines.chunkLimit.lines)
    }

    /// Highlighting a long text takes longer than a turn of the main actor may.
    @Test func longTextGetsItsColorsOffTheMainActor() async throws {
        let lines = CodeLines()
        let text = String(repeating: source + "\n", count: 3)
        func kinds(_ chunks: [CodeChunk]) -> Set<Token.Kind> { Set(chunks.flatMap(\.runs).map(\.kind)) }
        func words(_ chunks: [CodeChunk]) -> String { chunks.map { $0.runs.map(\.text).joined() }.joined(separator: "\n") + "\n" }
        // Before this test leaves the main actor nothing else can have run on it: these lines have no colours yet.
        let plain = lines.chunks(of: text, .swift)
        #expect(kinds(plain) == [.plain] && words(plain) == text)
        // It grows meanwhile.
        let longer = text + "let b = 2\n"
        #expect(kinds(lines.chunks(of: longer, .swift)) == [.plain])
        while lines.laterCount == 0 { await Task.yield() }
        let colored = lines.chunks(of: longer, .swift)
        #expect(colored == chunks(of: longer) && kinds(colored).count > 3 && lines.laterCount == 1)
        // A short addition has its colours at once, and another text begins anew.
        #expect(lines.chunks(of: longer + "let c = 3\n", .swift) == chunks(of: longer + "let c = 3\n"))
        #expect(kinds(lines.chunks(of: "// " + longer, .swift)) == [.plain])
        #expect(lines.chunks(of: "let d = 4", .swift) == chunks(of: "let d = 4"))
    }

    @Test(arguments: ["", "\n", "a", "a\n", "a\r\nb", "\r\n\r\n", "🍋\n가나다"])
    func linesAreThoseOfTheText(_ text: String) {
        let shown = chunks(of: text).flatMap(\.runs).map(\.text).joined()
        var expected = text.replacing("\r\n", with: "\n")
        if expected.hasSuffix("\n") { expected.removeLast() }
        #expect(shown == expected)
    }

    @Test func theBeginningOfALongTextHasWholeLinesAndCharacters() {
        #expect("a\nb\nc".beginning(lines: 2, bytes: 100) == "a\nb")
        #expect("a\nb".beginning(lines: 2, bytes: 100) == "a\nb")
        #expect("가나다".beginning(lines: 2, bytes: 4) == "가나")
        #expect("".beginning(lines: 2, bytes: 4) == "")
    }

    @Test func zoomHasLimitsAndSteps() {
        let zoom = CodeZoom()
        zoom.magnify(by: 1.5)
        #expect(zoom.percent == 150)
        zoom.endPinch()
        zoom.magnify(by: 1.01)
        #expect(zoom.percent == 150)
        for (scale, percent) in [(100.0, 300), (0, 50), (-1, 50), (.nan, 50), (.infinity, 50)] as [(CGFloat, Int)] {
            zoom.magnify(by: scale)
            #expect(zoom.percent == percent)
        }
        zoom.reset()
        #expect(zoom.percent == 100 && zoom.size == 13)
    }
}
