import SwiftUI
import Testing

/// Tabs: selection, tags, state of hidden tabs.
@MainActor
@Suite struct TabTests {
    struct Counter: View {
        let name: String
        @State private var count = 0
        var body: some View { Button("\(name) \(count)") { count += 1 } }
    }

    @Test func tabsWithoutABindingStartWithTheFirst() throws {
        struct Root: View {
            var body: some View {
                TabView {
                    Counter(name: "a").tabItem { Label("First", systemImage: "house") }
                    Counter(name: "b").tabItem { Label("Second", systemImage: "gear") }
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("a 0")
        #expect(!screen.has("b 0"))
        try screen.tap("Second")
        #expect(!screen.has("a 1"))
        try screen.tap("b 0")
        try screen.tap("First")
        #expect(screen.has("a 1"))
        #expect(try screen.find("First", .tabitem).attributes[.selected] == .on)
        #expect(try screen.find("Second", .tabitem).attributes[.selected] == .off)
    }

    enum Part: Hashable { case chat, settings }

    @Test func aBindingIsFollowedAndSet() throws {
        struct Root: View {
            @State private var part = Part.settings
            var body: some View {
                TabView(selection: $part) {
                    Button("to settings") { part = .settings }.tabItem { Text("Chat") }.tag(Part.chat)
                    // The tag may stand inside as well.
                    Button("to chat") { part = .chat }.tag(Part.settings).tabItem { Text("Settings") }
                }
                Text(verbatim: "\(part)")
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.has("settings"))
        try screen.tap("to chat")
        #expect(screen.has("chat"))
        try screen.tap("to settings")
        #expect(screen.has("to chat"))
        try screen.tap("Chat")
        #expect(screen.has("chat"))
        #expect(screen.has("to settings"))
    }

    @Test func tabsComeAndGoWithoutMixingUpTheOthers() throws {
        struct Root: View {
            @State private var showsMiddle = false
            var body: some View {
                TabView(selection: .constant("last")) {
                    Counter(name: "a").tabItem { Text("First") }.tag("first")
                    if showsMiddle { Counter(name: "m").tabItem { Text("Middle") }.tag("middle") }
                    Group {
                        Counter(name: "z")
                        Button("toggle") { showsMiddle.toggle() }
                    }
                    .wrapped()
                    .tabItem { Text("Last") }
                    .tag("last")
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("z 0")
        try screen.tap("toggle")
        #expect(screen.visible.filter { $0.kind == .tabitem }.compactMap(\.label) == ["First", "Middle", "Last"])
        #expect(screen.has("z 1"))
        try screen.tap("toggle")
        #expect(screen.visible.filter { $0.kind == .tabitem }.compactMap(\.label) == ["First", "Last"])
        #expect(screen.has("z 1"))
    }

    @Test func anUnknownTagShowsTheFirstTab() {
        struct Root: View {
            var body: some View {
                TabView(selection: .constant(9)) {
                    Text("one").tabItem { Text("First") }.tag(1)
                    Text("two").tabItem { Text("Second") }.tag(2)
                }
            }
        }
        #expect(ViewDriver(Root()).has("one"))
    }

    @Test func badgesAreShownOnTheirTab() throws {
        struct Root: View {
            @State private var count = 3
            var body: some View {
                TabView {
                    Button("read") { count = 0 }.badge(count).tabItem { Text("Inside") }
                    Text("two").tabItem { Text("Outside") }.badge(count)
                }
            }
        }
        let screen = ViewDriver(Root())
        func badges() -> [String?] { screen.visible.filter { $0.kind == .tabitem }.map { $0.attributes[.badge]?.text } }
        #expect(badges() == ["3", "3"])
        #expect(try screen.find("read", .button).attributes[.badge] == nil)
        try screen.tap("read")
        #expect(badges() == [nil, nil])
    }

    @Test func eachTabCanHaveAStackOfItsOwn() throws {
        struct Root: View {
            var body: some View {
                TabView {
                    NavigationStack {
                        NavigationLink("go", value: 1).navigationTitle("A").navigationDestination(for: Int.self) { _ in Text("deep")
                        }
                    }
                    .tabItem { Text("First") }
                    NavigationStack { Text("b").navigationTitle("B") }.tabItem { Text("Second") }
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("go")
        try screen.tap("Second")
        #expect(screen.title == "B")
        #expect(throws: DriverError.self) { try screen.back() }
        try screen.tap("First")
        #expect(screen.has("deep"))
    }

    /// As on an iPhone: the path of the stack too, and pages that a view has pushed by itself.
    @Test func selectedTabShowsTheRootOfItsStack() throws {
        struct Root: View {
            @State private var path: [Int] = []
            @State private var isDeep = false
            @State private var showsSheet = false
            var body: some View {
                TabView {
                    NavigationStack(path: $path) {
                        List {
                            NavigationLink("to one", value: 1)
                            Button("sheet") { showsSheet = true }
                        }
                        .navigationDestination(for: Int.self) { number in
                            Button("deeper \(number)") { isDeep = true }
                                .navigationDestination(isPresented: $isDeep) { Text("the depth") }
                        }
                    }
                    .sheet(isPresented: $showsSheet) { NavigationStack { Text("in the sheet") } }
                    .tabItem { Text("First") }
                    Text("second").tabItem { Text("Second") }
                }
                Text(verbatim: "path \(path) \(isDeep)")
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("First")
        #expect(screen.has("to one"))
        try screen.tap("sheet")
        try screen.dismiss()
        try screen.tap("to one")
        try screen.tap("deeper 1")
        #expect(screen.has("the depth"))
        try screen.tap("Second")
        try screen.tap("First")
        #expect(screen.has("the depth"), "another tab keeps its pages")
        try screen.tap("First")
        #expect(screen.has("to one") && screen.has("path [] false"))
    }
}

extension View {
    fileprivate func wrapped() -> some View { VStack { self } }
}
