import SwiftUI
import Testing

/// Navigation stacks: pushing, leaving, bars.
@MainActor
@Suite struct StackTests {
    struct Leave: View {
        @Environment(\.dismiss) private var dismiss
        var body: some View { Button("leave") { dismiss() } }
    }

    private func page(_ screen: ViewDriver) -> Element? { screen.visible.last { $0.kind == .page } }

    @Test func aPathOfValuesIsAPathOfPages() throws {
        struct Root: View {
            @State private var path: [Int] = []
            var body: some View {
                NavigationStack(path: $path) {
                    List { NavigationLink("one", value: 1) }
                        .navigationTitle("Root")
                        .navigationDestination(for: Int.self) { number in
                            VStack {
                                NavigationLink("deeper", value: number + 1)
                                Button("to three") { path = [1, 2, 3] }
                                Button("to root") { path.removeAll() }
                                Button("replace") { path[path.count - 1] = 9 }
                                Text(verbatim: path.description)
                                Leave()
                            }
                            .navigationTitle("Page \(number)")
                        }
                }
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.title == "Root")
        try screen.tap("one")
        #expect(screen.title == "Page 1")
        #expect(page(screen)?.attributes[.back] == "Root")
        try screen.tap("deeper")
        #expect(screen.title == "Page 2")
        #expect(page(screen)?.attributes[.back] == "Page 1")
        #expect(screen.has("[1, 2]"))
        try screen.back()
        #expect(screen.has("[1]"))
        try screen.tap("to three")
        #expect(screen.title == "Page 3")
        try screen.tap("leave")
        #expect(screen.has("[1, 2]"))
        try screen.tap("replace")
        #expect(screen.title == "Page 9")
        try screen.tap("to root")
        #expect(screen.title == "Root")
        #expect(throws: DriverError.self) { try screen.back() }
        #expect(page(screen)?.attributes[.back] == nil)
    }

    @Test func coveredPagesKeepTheirState() throws {
        struct Page: View {
            let number: Int
            @State private var count = 0
            var body: some View {
                Button("count \(number): \(count)") { count += 1 }
                NavigationLink("next", value: number + 1)
            }
        }
        struct Root: View {
            var body: some View {
                NavigationStack { Page(number: 0).navigationDestination(for: Int.self) { Page(number: $0) } }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("count 0: 0")
        try screen.tap("next")
        try screen.tap("count 1: 0")
        try screen.tap("next")
        try screen.back()
        #expect(screen.has("count 1: 1"))
        try screen.back()
        #expect(screen.has("count 0: 1"))
        try screen.tap("next")
        #expect(screen.has("count 1: 0"))
    }

    @Test func aPathOfAnythingHoldsValuesOfDifferentTypes() throws {
        struct Root: View {
            @State private var path = NavigationPath()
            var body: some View {
                NavigationStack(path: $path) {
                    VStack {
                        Button("both") {
                            path.append(1)
                            path.append("x")
                        }
                        NavigationLink("number", value: 5)
                    }
                    .navigationDestination(for: Int.self) { Text("number \($0)") }
                    .navigationDestination(for: String.self) { text in
                        Text("text \(text) at \(path.count)")
                        Button("pop two") { path.removeLast(2) }
                    }
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("both")
        #expect(screen.has("text x at 2"))
        try screen.back()
        #expect(screen.has("number 1"))
        try screen.back()
        try screen.tap("number")
        #expect(screen.has("number 5"))
        try screen.back()
        try screen.tap("both")
        try screen.tap("pop two")
        #expect(screen.has("both"))
    }

    @Test func flagsAndItemsPresentPages() throws {
        struct Item: Hashable, Identifiable { let id: Int }
        struct Root: View {
            @State private var isShown = false
            @State private var item: Item?
            var body: some View {
                NavigationStack {
                    VStack {
                        Button("flag") { isShown = true }
                        Button("item") { item = Item(id: 3) }
                        Text(verbatim: "\(isShown) \(item?.id ?? 0)")
                    }
                    .navigationDestination(isPresented: $isShown) {
                        Button("take away") { isShown = false }
                    }
                    .navigationDestination(item: $item) { item in
                        Text("item \(item.id)")
                        Button("other") { self.item = Item(id: 4) }
                        Leave()
                    }
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("flag")
        try screen.tap("take away")
        #expect(screen.has("false 0"))
        try screen.tap("flag")
        try screen.back()
        #expect(screen.has("false 0"))
        try screen.tap("item")
        #expect(screen.has("item 3"))
        try screen.tap("other")
        #expect(screen.has("item 4"))
        try screen.tap("leave")
        #expect(screen.has("false 0"))
    }

    @Test func linksToViewsCanPushValues() throws {
        struct Root: View {
            @State private var path: [Int] = []
            @State private var name = "Ann"
            var body: some View {
                NavigationStack(path: $path) {
                    List {
                        NavigationLink("profile") {
                            VStack {
                                Text("name \(name)")
                                Button("rename") { name = "Bob" }
                                NavigationLink("number", value: 7)
                            }
                            .navigationTitle("Profile")
                        }
                        Button("all away") { path = [] }
                    }
                    .navigationTitle("Home")
                    .navigationDestination(for: Int.self) { number in
                        Text("number \(number)")
                        Button("all away") { path = [] }
                    }
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("profile")
        #expect(screen.title == "Profile")
        #expect(page(screen)?.attributes[.back] == "Home")
        try screen.tap("rename")
        #expect(screen.has("name Bob"))
        try screen.tap("number")
        #expect(screen.has("number 7"))
        try screen.back()
        #expect(screen.title == "Profile")
        try screen.tap("number")
        try screen.tap("all away")
        #expect(screen.title == "Profile")
        try screen.back()
        #expect(screen.title == "Home")
    }

    @Test func destinationsSeeCurrentCaptures() throws {
        struct Root: View {
            @State private var count = 0
            var body: some View {
                NavigationStack {
                    VStack { NavigationLink("go", value: 1) }
                        .navigationDestination(for: Int.self) { _ in
                            Button("count \(count)") { count += 1 }
                                .navigationTitle("Title \(count)")
                        }
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("go")
        try screen.tap("count 0")
        try screen.tap("count 1")
        #expect(screen.has("count 2"))
        #expect(screen.title == "Title 2")
    }

    @Test func pagesThatDeclareTheirOwnTypeTerminate() throws {
        struct Page: View {
            let number: Int
            let tally: Tally
            @State private var count = 0
            var body: some View {
                let _ = tally.add("page \(number)")
                VStack {
                    Button("count \(count)") { count += 1 }
                    NavigationLink("next", value: number + 1)
                }
                .navigationDestination(for: Int.self) { number in
                    let _ = count
                    Page(number: number, tally: tally)
                }
            }
        }
        struct Root: View {
            let tally: Tally
            @State private var declares = true
            @State private var path: [Int] = []
            var body: some View {
                NavigationStack(path: $path) {
                    VStack {
                        NavigationLink("next", value: 1)
                        if declares {
                            Text("declares").navigationDestination(for: Int.self) { number in
                                Button("stop declaring") { declares = false }
                                Page(number: number, tally: tally)
                            }
                        }
                    }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("next")
        try screen.tap("next")
        try screen.tap("count 0")
        #expect(screen.has("count 1"))
        try screen.tap("stop declaring")
        #expect(tally.log.count < 20)
        #expect(screen.visible.contains { $0.kind == .symbol || $0.attributes[.text] == "count 1" })
    }

    @Test func aValueWithoutADestinationIsReported() throws {
        struct Root: View {
            var body: some View { NavigationStack { NavigationLink("go", value: 1.5) } }
        }
        let screen = ViewDriver(Root())
        try screen.tap("go")
        #expect(try screen.find("No destination").kind == .symbol)
        try screen.back()
        #expect(screen.has("go"))
    }

    @Test func aLinkWithoutAValueIsDisabled() throws {
        struct Root: View {
            var body: some View { NavigationStack { NavigationLink("go", value: Int?.none) } }
        }
        let screen = ViewDriver(Root())
        #expect(throws: DriverError.self) { try screen.tap("go") }
    }

    @Test func titlesSurviveRendering() throws {
        struct Inner: View {
            @State private var count = 0
            var body: some View { Button("inner \(count)") { count += 1 } }
        }
        struct Root: View {
            @State private var count = 0
            @State private var title = "Title"
            @State private var showsTitle = true
            var body: some View {
                NavigationStack {
                    VStack {
                        Inner()
                        Button("outer \(count)") { count += 1 }
                        Button("rename") { title = "Other" }
                        Button("forget") { showsTitle = false }
                        if showsTitle { Text("x").navigationTitle(title) }
                    }
                }
            }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.tap("inner 0")
        #expect(screen.title == "Title")
        try screen.tap("outer 0")
        #expect(screen.title == "Title")
        #expect(
            mirror.changes.allSatisfy { change in
                if case .updated(let element, _, _) = change { element.kind != .page } else { true }
            })
        try screen.tap("rename")
        #expect(screen.title == "Other")
        try screen.tap("forget")
        #expect(screen.title == nil)
    }

    @Test func largeTitlesAreInheritedUntilOverridden() throws {
        struct Root: View {
            @State private var mode = NavigationBarItem.TitleDisplayMode.automatic
            var body: some View {
                NavigationStack(path: .constant([1, 2])) {
                    Text("root")
                        .navigationBarTitleDisplayMode(mode)
                        .navigationDestination(for: Int.self) { number in
                            Button("switch") { mode = .inline }
                                .navigationBarTitleDisplayMode(number == 1 ? .automatic : .large)
                        }
                }
            }
        }
        let screen = ViewDriver(Root())
        func large() -> [Bool] { screen.host.root.all.filter { $0.kind == .page }.map { $0.attributes[flag: .large] } }
        #expect(large() == [true, true, true])
        try screen.tap("switch")
        #expect(large() == [false, false, true])
    }

    @Test func aBarAndItsWayBackCanBeHidden() throws {
        struct Root: View {
            @State private var isHidden = true
            var body: some View {
                NavigationStack(path: .constant([1])) {
                    Text("root").navigationDestination(for: Int.self) { _ in
                        Button("show") { isHidden = false }
                            .navigationBarBackButtonHidden(isHidden)
                            .toolbar(isHidden ? .hidden : .visible, for: .navigationBar, .tabBar)
                    }
                }
            }
        }
        let screen = ViewDriver(Root())
        #expect(page(screen)?.attributes[.noBack] == .on)
        #expect(page(screen)?.attributes[.bar] == .off)
        #expect(page(screen)?.attributes[.tabBar] == .off)
        #expect(throws: DriverError.self) { try screen.back() }
        try screen.tap("show")
        #expect(page(screen)?.attributes[.noBack] == nil)
        #expect(page(screen)?.attributes[.bar] == nil)
        #expect(page(screen)?.attributes[.tabBar] == nil)
    }

    @Test func theBackButtonIsLocalized() {
        struct Root: View {
            var body: some View {
                NavigationStack(path: .constant([1])) {
                    Text("root").navigationDestination(for: Int.self) { _ in Text("page") }
                }
            }
        }
        let scene = SceneModel()
        let screen = ViewDriver(Root(), scene: scene)
        #expect(page(screen)?.attributes[.back] == "Back")
        scene.languages = ["ko-KR"]
        #expect(page(screen)?.attributes[.back] == "뒤로")
    }

    @Test func toolbarItemsFollowTheirPlacement() throws {
        struct Root: View {
            @State private var isEditing = false
            var body: some View {
                NavigationStack {
                    Text("content")
                        .toolbar {
                            ToolbarItem(placement: .cancellationAction) { Button("Cancel") { isEditing = false } }
                            if isEditing {
                                ToolbarItem(placement: .confirmationAction) { Button("Save") { isEditing = false } }
                            } else {
                                ToolbarItem(placement: .primaryAction) { Button("Edit") { isEditing = true } }
                            }
                            ToolbarItem(placement: .principal) { Text("Middle") }
                            ToolbarItemGroup(placement: .bottomBar) {
                                Button("Left") {}
                                Spacer()
                                Button {
                                    isEditing.toggle()
                                } label: {
                                    Label("Trash", systemImage: "trash")
                                }
                            }
                        }
                }
            }
        }
        let screen = ViewDriver(Root())
        func slots() -> [String] {
            screen.visible.filter { $0.kind == .items }.map { items in
                "\(items.attributes[.slot]?.text ?? "") \(items.pageChildren.compactMap(\.label).joined(separator: "+"))"
            }
        }
        #expect(slots() == ["leading Cancel", "trailing Edit", "principal Middle", "bottom Left+Trash"])
        try screen.tap("Edit")
        #expect(slots() == ["leading Cancel", "trailing Save", "principal Middle", "bottom Left+Trash"])
        // In a bar a label shows its icon; its title is for screen readers.
        let title = try screen.find("Trash", .text)
        #expect(title.attributes[.speechOnly] == .on)
        try screen.tap("Save")
        #expect(slots()[1] == "trailing Edit")
    }

    @Test func itemsAreShownOnTheirOwnPageOnly() throws {
        struct Root: View {
            var body: some View {
                NavigationStack {
                    NavigationLink("go", value: 1)
                        .toolbar { Button("root item") {} }
                        .navigationDestination(for: Int.self) { _ in
                            Text("page").toolbar { Button("page item") {} }
                        }
                }
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.has("root item"))
        try screen.tap("go")
        #expect(screen.has("page item"))
        #expect(!screen.has("root item"))
    }

    @Test func contentOfToolbarsCanBeAViewOfItsOwn() throws {
        struct Items: ToolbarContent {
            @Binding var count: Int
            @State private var own = 0
            var body: some ToolbarContent {
                ToolbarItem { Button("count \(count)") { count += 1 } }
                ToolbarItem { Button("own \(own)") { own += 1 } }
            }
        }
        struct Root: View {
            @State private var count = 0
            var body: some View { NavigationStack { Text("count is \(count)").toolbar { Items(count: $count) } } }
        }
        let screen = ViewDriver(Root())
        try screen.tap("count 0")
        try screen.tap("own 0")
        #expect(screen.has("count 1"))
        #expect(screen.has("own 1"))
        #expect(screen.has("count is 1"))
    }
}
