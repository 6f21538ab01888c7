import SwiftUI
import Testing

/// Grids with rows.
@MainActor
@Suite struct GridTests {
    @Test func aRowHasItsCellsAndOtherViewsAreRows() throws {
        let screen = ViewDriver(
            Grid(alignment: .topLeading, horizontalSpacing: 12, verticalSpacing: 6) {
                GridRow {
                    Text("a")
                    Text("b").gridColumnAlignment(.trailing)
                }
                Divider()
                ForEach(1..<3) { row in
                    GridRow(alignment: .bottom) { ForEach(0..<row, id: \.self) { Text("\(row).\($0)") } }
                }
            })
        let grid = try #require(screen.host.root.first(.cells))
        #expect(grid.pageChildren.map(\.kind) == [.cellrow, .divider, .cellrow, .cellrow])
        #expect(grid.pageChildren.map(\.pageChildren.count) == [2, 0, 1, 2])
        #expect(grid.style == [.layerAlignment(.topLeading), .cellSpacing(horizontal: 12, vertical: 6)])
        #expect(try screen.find("b").style == [.cellAlignment(.trailing)])
        #expect(grid.pageChildren[2].style == [.stack(spacing: nil, alignment: Alignment(horizontal: .center, vertical: .bottom))])
    }

    @Test func aGridIsAsWideAsItsCellsWant() throws {
        let narrow = ViewDriver(Grid { GridRow { Text("a") } })
        #expect(narrow.host.root.first(.cells)?.flags == [])
        let wide = ViewDriver(Grid { GridRow { Text("a").frame(maxWidth: .infinity) } })
        #expect(wide.host.root.first(.cells)?.flags == .width)
    }
}
