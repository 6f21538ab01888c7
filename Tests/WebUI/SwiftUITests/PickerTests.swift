import SwiftUI
import Testing

/// Menus and pickers.
@MainActor
@Suite struct PickerTests {
    private struct Actions: View {
        @State private var last = "none"
        var body: some View {
            Text("last \(last)")
            Menu("More") {
                Button("Copy") { last = "copy" }
                Button("Delete", role: .destructive) { last = "delete" }
                Button("Locked") { last = "locked" }.disabled(true)
            }
        }
    }

    @Test func aMenuOpensRunsAnActionAndCloses() throws {
        let screen = ViewDriver(Actions())
        #expect(screen.texts == ["last none", "More"])
        #expect(try screen.find("More", .button).attributes[.expanded] == .off)
        try screen.tap("More")
        #expect(screen.texts == ["Copy", "Delete", "Locked"])
        #expect(throws: DriverError.self) { try screen.tap("Locked") }
        try screen.tap("Delete")
        #expect(screen.texts == ["last delete", "More"])
    }

    @Test func aMenuIsLeftWithoutAnAction() throws {
        let screen = ViewDriver(Actions())
        try screen.tap("More")
        try screen.dismiss()
        #expect(screen.texts == ["last none", "More"])
    }

    private struct Choice: View {
        let style: Int
        @State private var fruit = "pear"
        var body: some View {
            Text("chosen \(fruit)")
            switch style {
            case 0: picker.pickerStyle(.segmented)
            case 1: List { picker }
            case 2: List { picker.pickerStyle(.inline) }
            case 3: Menu("Menu") { picker }
            default: picker
            }
            Button("reset") { fruit = "pear" }
        }
        private var picker: some View {
            Picker("Fruit", selection: $fruit) {
                ForEach(["apple", "pear"], id: \.self) { Text($0).tag($0) }
                Text("none")
            }
        }
    }

    private func selected(_ screen: ViewDriver) -> [String?] {
        screen.visible.filter { $0.kind == .button && $0.attributes[.selected] == .on }.map(\.label)
    }

    @Test(arguments: [0, 2])
    func anOptionIsSelectedByATap(style: Int) throws {
        let screen = ViewDriver(Choice(style: style))
        #expect(selected(screen) == ["pear"])
        try screen.tap("apple")
        #expect(screen.has("chosen apple"))
        #expect(selected(screen) == ["apple"])
        try screen.tap("reset")
        #expect(selected(screen) == ["pear"])
        // An option without a tag cannot be selected.
        #expect(throws: DriverError.self) { try screen.tap("none") }
    }

    @Test(arguments: [(1, "pear"), (3, "Menu"), (4, "pear")])
    func aMenuShowsTheOptions(style: Int, button: String) throws {
        let screen = ViewDriver(Choice(style: style))
        #expect(!screen.has("apple"))
        try screen.tap(button)
        #expect(screen.texts == ["apple", "pear", "none"])
        #expect(selected(screen) == ["pear"])
        try screen.tap("apple")
        #expect(screen.has("chosen apple") && !screen.has("none"))
        if style != 3 { #expect(screen.has("Fruit") && screen.has("apple") && !screen.has("pear")) }
    }

    @Test func aRowHasTheLabelBesideTheOption() throws {
        let screen = ViewDriver(Choice(style: 1))
        #expect(screen.visible.filter { $0.kind == .row }.map(\.label) == ["Fruit pear"])
    }

    @Test func aDisabledPickerTakesNoTaps() {
        let screen = ViewDriver(Choice(style: 0).disabled(true))
        #expect(throws: DriverError.self) { try screen.tap("apple") }
    }
}
