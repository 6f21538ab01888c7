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
