import SwiftUI
import Testing

/// Sheets and covers: presentation, content, dismissal.
@MainActor
@Suite struct SheetTests {
    struct Leave: View {
        @Environment(\.dismiss) private var dismiss
        var body: some View { Button("leave") { dismiss() } }
    }

    private func top(_ screen: ViewDriver) -> Element? { screen.visible.first { $0.kind.isPresentation } }

    @Test func sheetsFollowTheirFlagAndEveryDismissal() throws {
        struct Root: View {
            let tally: Tally
            @State private var isShown = false
            var body: some View {
                Button("show") { isShown = true }
                    .sheet(isPresented: $isShown, onDismiss: { tally.add("dismissed \(isShown)") }) {
                        Button("set false") { isShown = false }
                        Leave()
                    }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("show")
        #expect(!screen.has("show"))
        try screen.tap("set false")
        #expect(tally.log == ["dismissed false"])
        try screen.tap("show")
        try screen.tap("leave")
        #expect(tally.log.count == 2)
        try screen.tap("show")
        try screen.dismiss()
        #expect(tally.log.count == 3)
        #expect(screen.has("show"))
        #expect(throws: DriverError.self) { try screen.dismiss() }
    }

    @Test func aNewItemPresentsANewSheet() throws {
        struct Item: Identifiable { let id: Int }
        struct Content: View {
            let item: Item
            @State private var count = 0
            var body: some View { Button("item \(item.id) count \(count)") { count += 1 } }
        }
        struct Root: View {
            @State private var item: Item?
            var body: some View {
                Button("one") { item = Item(id: 1) }
                    .sheet(item: $item) { shown in
                        Content(item: shown)
                        Button("next") { item = Item(id: shown.id + 1) }
                    }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("one")
        try screen.tap("item 1 count 0")
        try screen.tap("next")
        #expect(screen.has("item 2 count 0"))
        try screen.dismiss()
        #expect(screen.has("one"))
    }

    @Test func sheetsSeeCurrentCaptures() throws {
        struct Root: View {
            @State private var isShown = true
            @State private var count = 0
            var body: some View {
                Text("below \(count)").sheet(isPresented: $isShown) { Button("count \(count)") { count += 1 } }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("count 0")
        try screen.tap("count 1")
        #expect(screen.has("count 2"))
    }

    @Test func sheetsReportTheirDetents() throws {
        struct Root: View {
            @State private var isShown = true
            @State private var stays = true
            var body: some View {
                Text("a").sheet(isPresented: $isShown) {
                    Button("release") { stays = false }
                        .presentationDetents([.large, .medium, .fraction(0.3)])
                        .presentationDragIndicator(.visible)
                        .interactiveDismissDisabled(stays)
                }
            }
        }
        let screen = ViewDriver(Root())
        #expect(top(screen)?.attributes[.detents] == .list(["0.3", "medium", "large"]))
        #expect(top(screen)?.attributes[.grab] == .on)
        #expect(top(screen)?.attributes[.stay] == .on)
        #expect(throws: DriverError.self) { try screen.dismiss() }
        // Not even if the page reports it.
        let sheet = try #require(top(screen))
        screen.host.send(.dismiss, to: sheet.id)
        #expect(screen.has("release"))
        try screen.tap("release")
        #expect(top(screen)?.attributes[.stay] == nil)
        try screen.dismiss()
        #expect(top(screen) == nil)
    }

    @Test func aCoverCannotBeSwipedAway() throws {
        struct Item: Identifiable { let id = 1 }
        struct Root: View {
            @State private var isShown = true
            @State private var item: Item?
            var body: some View {
                Button("item") { item = Item() }
                    .fullScreenCover(isPresented: $isShown) { Leave() }
                    .fullScreenCover(item: $item) { item in
                        Text("item \(item.id)")
                        Leave()
                    }
            }
        }
        let screen = ViewDriver(Root())
        #expect(top(screen)?.attributes[.cover] == .on)
        #expect(throws: DriverError.self) { try screen.dismiss() }
        try screen.tap("leave")
        try screen.tap("item")
        #expect(screen.has("item 1"))
        try screen.tap("leave")
        #expect(screen.has("item"))
    }

    @Test func theInnerSheetIsDismissedFirst() throws {
        struct Root: View {
            @State private var first = true
            @State private var second = false
            @State private var alert = false
            var body: some View {
                Text("root").sheet(isPresented: $first) {
                    VStack {
                        Button("second") { second = true }
                        Leave()
                    }
                    .sheet(isPresented: $second) {
                        Text("inner")
                        Button("alert") { alert = true }.alert("Alert", isPresented: $alert) {}
                        Leave()
                    }
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("second")
        #expect(!screen.has("second"))
        try screen.tap("alert")
        #expect(screen.title == "Alert")
        try screen.tap("OK")
        try screen.tap("leave")
        #expect(screen.has("second"))
        try screen.tap("leave")
        #expect(screen.has("root"))
    }

    @Test func aSheetStaysPresentedOverCoveredPagesAndHiddenTabs() async throws {
        struct Root: View {
            let tally: Tally
            @State private var tab = 0
            @State private var path: [Int] = []
            @State private var isPresented = false
            var body: some View {
                TabView(selection: $tab) {
                    NavigationStack(path: $path) {
                        Button("open") { isPresented = true }
                            .sheet(isPresented: $isPresented, onDismiss: { tally.add("dismissed") }) {
                                VStack {
                                    Button("push") { path.append(1) }
                                    Button("tab") { tab = 1 }
                                }
                                .onDisappear { tally.add("gone") }
                            }
                            .navigationDestination(for: Int.self) { Text("page \($0)") }
                    }
                    .tabItem { Text("first") }
                    .tag(0)
                    Text("second page").tabItem { Text("second") }.tag(1)
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("open")
        try screen.tap("push")
        try screen.tap("tab")
        #expect(screen.has("tab") && !screen.has("second page"))
        #expect(tally.log == [])
        try screen.dismiss()
        #expect(screen.has("second page"))
        #expect(tally.log.sorted() == ["dismissed", "gone"])
    }

    @Test func aSheetInARowIsOutsideTheRow() throws {
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

    @Test func sheetsCanBeDismissedAfterTheBlockingViewIsGone() throws {
        struct Root: View {
            @State private var isPresented = true
            @State private var isEditing = true
            var body: some View {
                Text("root").sheet(isPresented: $isPresented) {
                    if isEditing { Text("draft").interactiveDismissDisabled() }
                    Button("done") { isEditing = false }
                }
            }
        }
        let screen = ViewDriver(Root())
        #expect(throws: DriverError.self) { try screen.dismiss() }
        try screen.tap("done")
        try screen.dismiss()
        #expect(screen.texts == ["root"])
    }

    @Test func presentedContentResetsLocalValues() throws {
        struct Custom: ButtonStyle {
            func makeBody(configuration: Configuration) -> some View { configuration.label.opacity(0.1) }
        }
        struct Reader: View {
            @Environment(\.isEnabled) private var isEnabled
            @Environment(\.lineLimit) private var lineLimit
            @Environment(\.locale) private var locale
            var body: some View { Text(verbatim: "\(isEnabled) \(lineLimit ?? 0) \(locale.identifier)") }
        }
        struct Root: View {
            @State private var isShown = true
            @State private var asks = false
            var body: some View {
                List {
                    Text("row").sheet(isPresented: $isShown) {
                        Text("in the sheet")
                        List { Button("in the list") {} }
                        Reader()
                        Button("ask") { asks = true }
                            .alert("Question", isPresented: $asks) {
                                Button("Yes") {}
                            } message: {
                                Text("message")
                            }
                            .disabled(false)
                    }
                }
                .foregroundStyle(.red)
                .font(.title)
                .bold()
                .textCase(.uppercase)
                .lineLimit(1)
                .listStyle(.plain)
                .buttonStyle(Custom())
                .environment(\.locale, Locale(identifier: "ko"))
            }
        }
        let screen = ViewDriver(Root())
        #expect(try screen.find("in the sheet").style == [])
        #expect(try screen.find("in the list", .button).attributes[.look] == "borderless")
        #expect(screen.visible.first { $0.kind == .list }?.attributes[.look] == "inset")
        #expect(screen.has("true 0 ko"))
        try screen.tap("ask")
        #expect(try screen.find("message", .text).style == [])
        try screen.tap("Yes")
        #expect(screen.has("ask"))
    }
}
