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

    @Test func aTextInPiecesHasTheChunksOfTheWhole() {
        let whole = CodeLines().chunks(of: source, .swift)
        #expect(whole.map { $0.runs.map(\.text).joined().split(separator: "\n").count } == [40, 40, 40, 40, 40])
        let lines = CodeLines()
        var text = ""
        for piece in stride(from: 0, to: source.utf8.count, by: 37).map({ start in
            String(decoding: source.utf8.dropFirst(start).prefix(37), as: UTF8.self)
        }) {
            text += piece
            #expect(lines.chunks(of: text, .swift) == CodeLines().chunks(of: text, .swift))
        }
        #expect(lines.chunks(of: source, .swift) == whole)
    }

    @Test func aGrowingTextCostsItsLastLines() {
        let lines = CodeLines()
        _ = lines.chunks(of: source, .swift)
        let before = lines.workCount
        _ = lines.chunks(of: source + "x", .swift)
        #expect(lines.workCount - before <= CodeLines.chunkLength)
    }

    @Test(arguments: ["", "\n", "a", "a\n", "a\r\nb", "\r\n\r\n", "🍋\n가나다"])
    func linesAreThoseOfTheText(_ text: String) {
        let chunks = CodeLines().chunks(of: text, .swift)
        let shown = chunks.flatMap(\.runs).map(\.text).joined()
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
