import SwiftUI
import Testing

/// Sheets, alerts, dialogs.
@MainActor
@Suite struct PresentationTests {
    struct Sheets: View {
        @State private var isPresented = false
        @State private var dismissals = 0
        @State private var number = 1
        var body: some View {
            VStack {
                Text("root \(dismissals)").foregroundStyle(.red)
                Button("open") { isPresented = true }
            }
            .font(.title)
            .sheet(isPresented: $isPresented, onDismiss: { dismissals += 1 }) {
                Content(number: number) { number += 1 }
            }
        }

        struct Content: View {
            let number: Int
            let next: () -> Void
            @State private var inner = false
            @Environment(\.dismiss) private var dismiss
            var body: some View {
                VStack {
                    Text("sheet \(number)")
                    Button("next") { next() }
                    Button("close") { dismiss() }
                    Button("inner") { inner = true }
                }
                .presentationDetents([.large, .medium])
                .sheet(isPresented: $inner) { Text("inner sheet").interactiveDismissDisabled() }
            }
        }
    }

    @Test func aSheetIsAllThatCanBeUsedUntilItGoes() throws {
        let screen = ViewDriver(Sheets())
        try screen.tap("open")
        #expect(!screen.has("root 0") && screen.has("sheet 1"))
        try screen.tap("next")
        #expect(screen.has("sheet 2"))
        try screen.tap("close")
        #expect(screen.has("root 1"))
        try screen.tap("open")
        try screen.dismiss()
        #expect(screen.has("root 2"))
    }

    @Test func aSheetSaysHowHighItStandsAndDoesNotInheritFonts() throws {
        let screen = ViewDriver(Sheets())
        try screen.tap("open")
        let sheet = try #require(screen.visible.first { $0.kind == .sheet })
        #expect(sheet.attributes[.detents] == .list(["medium", "large"]))
        #expect(try screen.find("sheet 1", .text).style == [])
        try screen.tap("inner")
        #expect(screen.texts == ["inner sheet"])
        #expect(try #require(screen.visible.first { $0.kind == .sheet }).attributes[.stay] == .on)
    }

    @Test func aSheetOfAnItemFollowsTheItem() throws {
        struct Item: Identifiable { let id: Int }
        struct Root: View {
            @State private var item: Item?
            var body: some View {
                Button("one") { item = Item(id: 1) }
                    .sheet(item: $item) { shown in
                        Text("item \(shown.id)")
                        Button("two") { item = Item(id: 2) }
                        Button("none") { item = nil }
                    }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("one")
        try screen.tap("two")
        #expect(screen.has("item 2"))
        try screen.tap("none")
        #expect(screen.has("one"))
    }

    @Test func anAlertsButtonClosesItAndThenActs() throws {
        struct Root: View {
            @State private var asks = false
            @State private var second = false
            @State private var log = ""
            var body: some View {
                Button("ask \(log)") { asks = true }
                    .alert("Sure?", isPresented: $asks) {
                        Button("Delete", role: .destructive) {
                            log += asks ? "open" : "deleted"
                            second = true
                        }
                        Button("Keep", role: .cancel) {}
                    } message: {
                        Text("It is gone then.")
                    }
                    .alert("Done", isPresented: $second) {}
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("ask ")
        #expect(screen.title == "Sure?" && screen.has("It is gone then."))
        try screen.tap("Delete")
        #expect(screen.title == "Done")
        // Without a button of its own it has one that closes it.
        try screen.tap("OK")
        #expect(screen.has("ask deleted"))
    }

    @Test func aDialogHasAWayOutInThePhonesLanguage() throws {
        struct Root: View {
            @State private var asks = false
            var body: some View {
                Button("ask") { asks = true }
                    .confirmationDialog("What?", isPresented: $asks) { Button("This") {} }
            }
        }
        let scene = SceneModel()
        scene.languages = ["ko-KR"]
        let screen = ViewDriver(Root(), scene: scene)
        try screen.tap("ask")
        #expect(screen.title == nil)
        try screen.tap("취소")
        #expect(screen.has("ask"))
    }

    @Test func buttonsOfAForEachCountToo() throws {
        struct Root: View {
            @State private var asks = true
            @State private var chosen = "-"
            var body: some View {
                Text("chosen \(chosen)")
                    .alert("Which?", isPresented: $asks) {
                        ForEach(["a", "b"], id: \.self) { name in Button(name) { chosen = name } }
                    }
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.visible.filter { $0.kind == .button }.compactMap(\.label) == ["a", "b"])
        try screen.tap("b")
        #expect(screen.has("chosen b"))
    }

    @Test func anAlertCanAskForAText() throws {
        struct Root: View {
            @State private var asks = false
            @State private var name = ""
            @State private var saved = "-"
            var body: some View {
                Button("name \(saved)") { asks = true }
                    .alert("Name", isPresented: $asks) {
                        TextField("Your name", text: $name)
                        Button("Save") { saved = name }
                    }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("name -")
        try screen.type("Ada", into: "Your name")
        try screen.tap("Save")
        #expect(screen.has("name Ada"))
    }

    @Test func aSheetInARowStandsBesideIt() throws {
        struct Row: View {
            @State private var isPresented = false
            var body: some View { Button("row") { isPresented = true }.sheet(isPresented: $isPresented) { Text("sheet") } }
        }
        let screen = ViewDriver(List { Row() })
        try screen.tap("row")
        #expect(screen.texts == ["sheet"])
        try screen.dismiss()
        #expect(screen.visible.filter { $0.kind == .row }.count == 1)
    }
}
