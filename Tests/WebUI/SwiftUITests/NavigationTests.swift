import SwiftUI
import Testing

/// Pages, their bars, tabs.
@MainActor
@Suite struct NavigationTests {
    struct Page: View {
        let number: Int
        @Environment(\.dismiss) private var dismiss
        var body: some View {
            VStack {
                Text("page \(number)")
                NavigationLink("deeper", value: number + 1)
                Button("leave") { dismiss() }
            }
            .navigationTitle("Title \(number)")
        }
    }

    struct Stack: View {
        @State private var path: [Int] = []
        @State private var suffix = ""
        var body: some View {
            NavigationStack(path: $path) {
                VStack {
                    NavigationLink("first", value: 1)
                    Button("jump") { path = [5, 6, 7] }
                    Text("depth \(path.count)")
                }
                .navigationTitle("Root\(suffix)")
                .navigationDestination(for: Int.self) { number in
                    VStack {
                        Page(number: number)
                        Button("rename \(suffix)") { suffix += "!" }
                        Button("home") { path = [] }
                    }
                }
            }
        }
    }

    @Test func valuesBecomePagesAndBackTakesThemAway() throws {
        let screen = ViewDriver(Stack())
        try screen.tap("first")
        #expect(screen.has("page 1") && !screen.has("depth 1"))
        try screen.tap("deeper")
        #expect(screen.texts.contains("page 2"))
        try screen.back()
        #expect(screen.texts.contains("page 1"))
        try screen.tap("leave")
        #expect(screen.has("depth 0"))
        #expect(throws: DriverError.self) { try screen.back() }
    }

    @Test func aPathIsSetAtOnceAndEmptiedAtOnce() throws {
        let screen = ViewDriver(Stack())
        try screen.tap("jump")
        #expect(screen.has("page 7"))
        try screen.back()
        #expect(screen.has("page 6"))
        try screen.tap("home")
        #expect(screen.has("depth 0"))
    }

    @Test func titlesAndBackButtonsFollow() throws {
        let screen = ViewDriver(Stack())
        func bar() throws -> [String?] {
            let page = try #require(screen.visible.last { $0.kind == .page })
            return [page.attributes[.title]?.text, page.attributes[.back]?.text]
        }
        #expect(try bar() == ["Root", nil])
        try screen.tap("first")
        #expect(try bar() == ["Title 1", "Root"])
        // What the page was made with changes, and with it what is below.
        try screen.tap("rename ")
        #expect(screen.has("rename !"))
        #expect(try bar() == ["Title 1", "Root!"])
    }

    @Test func aPageOfAViewStandsAboveWhatWasThere() throws {
        struct Root: View {
            @State private var isPresented = false
            @State private var item: String?
            @State private var path = NavigationPath()
            var body: some View {
                NavigationStack(path: $path) {
                    VStack {
                        Text("root")
                        NavigationLink("link") { Text("linked") }
                        Button("present") { isPresented = true }
                        Button("item") { item = "a" }
                    }
                    .navigationDestination(isPresented: $isPresented) {
                        VStack {
                            Text("presented")
                            Button("push") { path.append("value") }
                            Button("withdraw") { isPresented = false }
                        }
                    }
                    .navigationDestination(item: $item) { Text("item \($0)") }
                    .navigationDestination(for: String.self) { Text("string \($0)") }
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("link")
        #expect(screen.texts == ["linked"])
        try screen.back()
        try screen.tap("item")
        #expect(screen.texts == ["item a"])
        try screen.back()
        try screen.tap("present")
        try screen.tap("push")
        #expect(screen.texts == ["string value"])
        try screen.back()
        #expect(screen.texts.first == "presented")
        try screen.tap("withdraw")
        #expect(screen.texts.first == "root")
    }

    @Test func aPageThatDeclaresItsOwnKindDoesNotRenderItselfForEver() throws {
        struct Folder: View {
            let depth: Int
            var body: some View {
                NavigationLink("folder \(depth)", value: depth)
                    .navigationDestination(for: Int.self) { Folder(depth: $0 + 1) }
            }
        }
        let screen = ViewDriver(NavigationStack { Folder(depth: 0) })
        try screen.tap("folder 0")
        try screen.tap("folder 1")
        #expect(screen.has("folder 2"))
    }

    @Test func aValueWithoutADestinationShowsAWarning() throws {
        let screen = ViewDriver(NavigationStack { NavigationLink("x", value: 1.5) })
        try screen.tap("x")
        #expect(screen.has("No destination"))
    }

    @Test func toolbarItemsComeAndGoWithTheirConditions() throws {
        struct Root: View {
            @State private var isEditing = false
            @State private var count = 0
            var body: some View {
                NavigationStack {
                    Text("count \(count)")
                        .toolbar {
                            ToolbarItem(placement: .topBarLeading) { Button("more") { count += 1 } }
                            if isEditing {
                                ToolbarItem(placement: .confirmationAction) { Button("done") { isEditing = false } }
                            } else {
                                ToolbarItem(placement: .primaryAction) { Button("edit") { isEditing = true } }
                            }
                        }
                }
            }
        }
        let screen = ViewDriver(Root())
        func slots() -> [String] {
            screen.visible.filter { $0.kind == .items }.map {
                "\($0.attributes[.slot]?.text ?? ""):\($0.pageChildren.compactMap(\.label))"
            }
        }
        #expect(slots() == [#"leading:["more"]"#, #"trailing:["edit"]"#])
        try screen.tap("edit")
        try screen.tap("more")
        #expect(screen.has("count 1"))
        #expect(slots() == [#"leading:["more"]"#, #"trailing:["done"]"#])
    }

    @Test func tabsAreChosenByTagAndByTheirBinding() throws {
        struct Root: View {
            @State private var tab = "two"
            @State private var showsThird = false
            var body: some View {
                VStack {
                    Text("tab \(tab)")
                    Button("set") { tab = "one" }
                    Button("third") { showsThird = true }
                    TabView(selection: $tab) {
                        Text("first page").tabItem { Label("One", systemImage: "star") }.tag("one")
                        Text("second page").tag("two").tabItem { Text("Two") }
                        if showsThird { Text("third page").tabItem { Text("Three") }.tag("three") }
                    }
                }
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.has("second page") && !screen.has("first page"))
        try screen.tap("One")
        #expect(screen.has("tab one") && screen.has("first page"))
        try screen.tap("third")
        try screen.tap("Three")
        #expect(screen.has("tab three") && screen.has("third page"))
        try screen.tap("set")
        #expect(screen.has("first page"))
    }
}
