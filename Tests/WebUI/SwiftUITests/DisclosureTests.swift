import SwiftUI
import Testing

/// Disclosure groups, and views for missing content.
@MainActor
@Suite struct DisclosureTests {
    @Test func aGroupOpensAndCloses() throws {
        struct Root: View {
            var body: some View {
                DisclosureGroup("Details") {
                    Text("first")
                    Text("second")
                }
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.texts == ["Details"])
        #expect(try screen.find("Details", .button).attributes[.expanded] == .off)
        try screen.tap("Details")
        #expect(screen.texts == ["Details", "first", "second"])
        #expect(try screen.find("Details", .button).attributes[.expanded] == .on)
        try screen.tap("Details")
        #expect(screen.texts == ["Details"])
    }

    @Test func aBindingOpensAndIsSet() throws {
        struct Root: View {
            @State private var isOpen = true
            var body: some View {
                DisclosureGroup("Details", isExpanded: $isOpen) { Text("inside") }
                Button("close") { isOpen = false }
                Text(isOpen ? "open" : "closed")
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.has("inside"))
        try screen.tap("Details")
        #expect(screen.texts == ["Details", "close", "closed"])
        try screen.tap("Details")
        try screen.tap("close")
        #expect(!screen.has("inside"))
    }

    @Test func theContentKeepsNoStateWhileItIsHidden() throws {
        struct Counter: View {
            @State private var count = 0
            var body: some View { Button("count \(count)") { count += 1 } }
        }
        let screen = ViewDriver(DisclosureGroup("Details") { Counter() })
        try screen.tap("Details")
        try screen.tap("count 0")
        #expect(screen.has("count 1"))
        for _ in 0..<2 { try screen.tap("Details") }
        #expect(screen.has("count 0"))
    }

    @Test func inAListTheLabelAndTheContentAreRows() throws {
        let screen = ViewDriver(
            List {
                DisclosureGroup("Details") {
                    Text("first")
                    Text("second")
                }
                Text("other")
            })
        func rows() -> [String?] { screen.visible.filter { $0.kind == .row }.map(\.label) }
        #expect(rows() == ["Details", "other"])
        try screen.tap("Details")
        #expect(rows() == ["Details", "first", "second", "other"])
    }

    @Test func missingContentHasALabelADescriptionAndActions() throws {
        struct Root: View {
            @State private var count = 0
            var body: some View {
                ContentUnavailableView {
                    Label("No Sessions", systemImage: "terminal")
                } description: {
                    Text("Started \(count)")
                } actions: {
                    Button("Start") { count += 1 }
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("Start")
        #expect(screen.texts == ["No Sessions", "Started 1", "Start"])
        // The label is read once, and the symbol is decoration.
        #expect(screen.visible.filter { $0.kind == .symbol }.isEmpty)
        let short = ViewDriver(ContentUnavailableView("Nothing", systemImage: "tray", description: Text("yet")))
        #expect(short.texts == ["Nothing", "yet"])
        let bare = ViewDriver(ContentUnavailableView("Nothing", systemImage: "tray"))
        #expect(bare.texts == ["Nothing"])
    }

    @Test func aSearchWithoutResultsIsInTheLanguageOfThePhone() {
        let english = ViewDriver(ContentUnavailableView.search(text: "100%@"))
        #expect(english.texts == ["No Results for “100%@”", "Check the spelling or try a new search."])
        let scene = SceneModel()
        scene.languages = ["ko-KR"]
        let korean = ViewDriver(ContentUnavailableView.search, scene: scene)
        #expect(korean.texts == ["결과 없음", "맞춤법을 확인하거나 새로 검색해 보십시오."])
    }
}
