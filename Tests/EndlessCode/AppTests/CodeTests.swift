import Foundation
import HighlightKit
import SwiftUI
import Testing
import ViewKit

@testable import EndlessCodeApp

/// Diffs, figures and the colours of code.
@MainActor
@Suite struct CodeTests {
    @Test func anEditIsDividedIntoWhatStaysAndWhatDiffers() {
        let rows = DiffRows.rows(replacing: "a\nb\nc\n", with: "a\nB\nc\nd\n", .swift)
        #expect(rows.map(\.kind) == [.context, .deleted, .inserted, .context, .inserted])
        #expect(rows.map { $0.runs.map(\.text).joined() } == ["a", "b", "B", "c", "d"])
        #expect(DiffRows.rows(replacing: "", with: "", nil).isEmpty)
        #expect(DiffRows.rows(replacing: "", with: "x", nil).map(\.kind) == [.inserted])
    }

    @Test func changesOfLineEndingsAreMarked() throws {
        func rows(_ old: String, _ new: String) -> [String] {
            DiffRows.rows(replacing: old, with: new, nil).map { row in
                let sign = row.kind == .context ? " " : row.kind == .inserted ? "+" : "-"
                let ending = row.ending.map { $0 == .lineFeed ? " LF" : $0 == .carriageReturnLineFeed ? " CRLF" : " none" } ?? ""
                return sign + row.runs.map(\.text).joined() + ending
            }
        }
        #expect(rows("a\r\nb\r\n", "a\nb\n") == ["-a CRLF", "-b CRLF", "+a LF", "+b LF"])
        #expect(rows("a\nb\n", "a\r\nb\n") == ["-a LF", "+a CRLF", " b"])
        #expect(rows("a\n", "a") == ["-a", "+a none"] && rows("a", "a\n") == ["-a none", "+a"])
        // Parts of a file that end inside of a line, and files with one kind of ending: nothing is marked.
        #expect(rows("a\nb", "a\nc\nb") == [" a", "+c", " b"] && rows("a\r\nb\r\n", "a\r\nc\r\n") == [" a", "-b", "+c"])
        #expect(rows("", "a") == ["+a"])
        let patch = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\r\n-b\n\\ No newline at end of file\n+a\n+b\n"
        let hunk = try #require(UnifiedDiff(patch).files.first?.hunks.first)
        #expect(DiffRows.rows(of: hunk, nil).map(\.ending) == [.carriageReturnLineFeed, .missing, .lineFeed, .lineFeed])
    }

    @Test func noCharacterTurnsALineAround() throws {
        let hunk = try #require(
            UnifiedDiff("--- a\n+++ b\n@@ -1 +1 @@\n-a\n+if \u{202e}} x {\u{2066} //\n").files.first?.hunks.first)
        for language in [nil, CodeLanguage.swift] {
            let rows = DiffRows.rows(of: hunk, language)
            #expect(rows.last?.runs.map(\.text).joined() == "if \\u{202E}} x {\\u{2066} //")
        }
    }

    @Test func longLinesAreDividedIntoRows() async throws {
        let long = String(repeating: "가나다라 x👨‍👩‍👧", count: 5_000)
        let lines = await FileLines.make("first\n\(long)\nlast \u{202e}x\n", language: .swift)
        let rows = lines.rows.map(\.text)
        let numbers = lines.rows.map(\.number)
        // Everything is there, in rows that divide no character.
        #expect(rows.first == "first" && rows.last == "last \\u{202E}x")
        #expect(rows.dropFirst().dropLast().joined() == long)
        #expect(
            rows.allSatisfy { $0.utf8.count <= FileLines.rowLimit }
                && rows.dropFirst().dropLast().map(\.count).reduce(0, +) == long.count)
        #expect(numbers.count == rows.count && numbers.filter { !$0.isEmpty } == ["1", "2", "3"] && numbers[2] == "")
        #expect(await lines.runs(of: lines.rows[0])?.map(\.text).joined() == "first")
        #expect(await lines.runs(of: lines.rows[1]) == nil)
    }

    @Test func aHugeEditIsNotCompared() {
        let lines = Array(repeating: "line", count: DiffRows.lineLimit + 1).joined(separator: "\n")
        let rows = DiffRows.rows(replacing: lines, with: "other", nil)
        #expect(rows.count == DiffRows.lineLimit + 2)
    }

    @Test func equalEndsOfAHugeEditStay() {
        let lines = (0..<10_000).map(String.init)
        var other = lines
        other[5_000] = "other"
        let rows = DiffRows.rows(replacing: lines.joined(separator: "\n"), with: other.joined(separator: "\n"), nil)
        #expect(rows.count == 10_001 && rows[5_000].kind == .deleted && rows[5_001].kind == .inserted)
        #expect(rows.count { $0.kind == .context } == 9_999)
        #expect(DiffRows.rows(replacing: "a\na", with: "a\na\na", nil).map(\.kind) == [.context, .context, .inserted])
    }

    @Test func figuresAreShort() {
        #expect(Figures.duration(900) == "0.9 s" && Figures.duration(12_345) == "12 s" && Figures.duration(125_000) == "2 min 5 s")
        #expect(Figures.duration(-5) == "0.0 s")
        #expect(
            Figures.cost(0.0123) == "$0.0123" && Figures.cost(1.5) == "$1.50" && Figures.cost(.infinity) == "$?"
                && Figures.cost(-1e300) == "$?")
        #expect(Figures.tokens(12_345, 678) == "↑12.3k ↓678" && Figures.tokens(nil, 5) == nil && Figures.tokens(0, 0) == nil)
        #expect(Figures.short(123_456) == "123k" && Figures.short(1_250_000) == "1.2M")
    }
}

/// All text has a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3).
@Suite struct PaletteTests {
    private func contrast(_ color: Color, on ground: Color) throws -> Double { try #require(color.contrast(on: ground)) }

    @Test(arguments: ColorScheme.allCases) func textHasEnoughContrast(_ scheme: ColorScheme) throws {
        let palette = Theme.endlessCode.palette(scheme)
        for ground in [palette.background, palette.card] {
            for color in [palette.text, palette.secondary, palette.accent, palette.error, palette.warning, palette.success] {
                #expect(try contrast(color, on: ground) >= 4.5)
            }
        }
        #expect(try contrast(palette.text, on: palette.prompt) >= 4.5)
        #expect(try contrast(palette.onAccent, on: palette.accent) >= 4.5)
        #expect(try contrast(palette.background, on: palette.text) >= 4.5)
    }

    @Test(arguments: ColorScheme.allCases) func codeHasEnoughContrast(_ scheme: ColorScheme) throws {
        let palette = Theme.endlessCode.palette(scheme)
        for kind in Token.Kind.allCases {
            for ground in [palette.card, palette.code.inserted, palette.code.deleted] {
                #expect(try contrast(palette.code.color(of: kind) ?? palette.text, on: ground) >= 4.5, "\(kind)")
            }
        }
    }
}
