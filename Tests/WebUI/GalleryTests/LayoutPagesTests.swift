import SwiftUI
import Testing

@testable import gallery

/// Arrangement, drawing, containers.
@Suite struct LayoutPagesTests {
    @Test func theAlignmentOfAStackChanges() throws {
        let screen = try ViewDriver(page: .stacks)
        for name in ["center", "trailing", "leading"] {
            try screen.tap("Change the alignment")
            #expect(screen.value("alignment") == name)
        }
    }

    @Test func tilesComeAndGo() throws {
        let screen = try ViewDriver(page: .grid)
        try screen.tap("Add")
        #expect(screen.value("count") == "Tiles: 8")
        #expect(screen.all("8", .text).count == 3)
        for _ in 0..<10 { try screen.tap("Remove") }
        #expect(screen.value("count") == "Tiles: 0")
    }

    @Test func aFrameChangesItsWidth() throws {
        let screen = try ViewDriver(page: .spacing)
        try screen.tap("Change the width")
        #expect(screen.has("Wide"))
    }

    @Test func anOverlayComesAndGoes() throws {
        let screen = try ViewDriver(page: .layers)
        #expect(screen.has("Badge"))
        try screen.tap("Remove the badge")
        #expect(!screen.has("Badge"))
        try screen.tap("Add a badge")
        #expect(screen.has("Badge"))
    }

    @Test func colorsShapesAndGradientsAreNamed() throws {
        #expect(try ViewDriver(page: .colors).has("indigo"))
        #expect(try ViewDriver(page: .shapes).has("Uneven"))
        #expect(try ViewDriver(page: .shapes).has("Even-odd"))
        #expect(try ViewDriver(page: .gradients).has("Angular"))
    }

    @Test func appendedLinesStickToTheEnd() throws {
        let screen = try ViewDriver(page: .scrollView)
        try screen.tap("Add a line")
        #expect(screen.value("count") == "Lines: 41")
        #expect(screen.has("Line 41"))
        #expect(try screen.find("growing").attributes[.stick]?.text == "bottom")
    }

    @Test func movedRowsKeepTheirState() throws {
        let screen = try ViewDriver(page: .list)
        try screen.tap("Banana: 0")
        try screen.tap("Reverse")
        try screen.tap("Add at the top")
        let rows = screen.texts.filter { $0.contains(": ") }
        #expect(rows == ["Date: 0", "Cherry: 0", "Banana: 1", "Apple: 0"])
        try screen.tap("Remove the last")
        #expect(!screen.has("Apple: 0"))
    }

    @Test func theLastVisibleRowLoadsMore() throws {
        let screen = ViewDriver(GalleryScreen(), scrolls: true)
        try screen.tap("Rows in sight")
        try screen.tap("Rows of a list")
        #expect(screen.value("rows") == "Rows: 30" && screen.value("seen") == "Seen: 0")
        try screen.scroll(to: "Row 29")
        #expect(screen.value("rows") == "Rows: 30" && screen.value("seen") == "Seen: 29")
        for row in [30, 60, 90] { try screen.scroll(to: "Row \(row)") }
        #expect(screen.value("rows") == "Rows: 90" && screen.value("seen") == "Seen: 90")
    }

    @Test(arguments: [("Plain", "plain"), ("Grouped", "grouped"), ("Inset grouped", "inset")])
    func aListHasThreeStyles(name: String, look: String) throws {
        let screen = try ViewDriver(page: .list)
        try screen.tap(name)
        #expect(screen.title == name)
        #expect(screen.visible.last { $0.kind == .list }?.attributes[.look]?.text == look)
        try screen.back()
        #expect(screen.title == "List")
    }
}
