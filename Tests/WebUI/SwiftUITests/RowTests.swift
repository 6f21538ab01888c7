import SwiftUI
import Testing

/// Rows of lazy containers: their content appears when they become visible.
@MainActor
@Suite struct RowTests {
    /// A text that records its appearance and disappearance.
    struct Noted: View {
        let name: String
        let tally: Tally
        var body: some View {
            Text(verbatim: name)
                .onAppear { tally.add("\(name) appears") }
                .onDisappear { tally.add("\(name) disappears") }
        }
    }

    enum Container: CaseIterable { case list, form, sections, stack, line, grid }

    struct Rows: View {
        let container: Container
        var count = 4
        let tally: Tally
        var body: some View {
            switch container {
            case .list: List { rows }
            case .form: Form { rows }
            case .sections: List { Section("head") { rows } }
            case .stack: ScrollView { LazyVStack { rows } }
            case .line: ScrollView(.horizontal) { LazyHStack { rows } }
            case .grid: ScrollView { LazyVGrid(columns: [GridItem(), GridItem()]) { rows } }
            }
        }
        private var rows: some View { ForEach(1...count, id: \.self) { Noted(name: "row \($0)", tally: tally) } }
    }

    private func asking(_ screen: ViewDriver) -> [Element] { screen.host.root.all.filter { $0.events.contains(.appear) } }

    @Test(arguments: Container.allCases)
    func aRowAppearsOnceWhenItIsScrolledTo(container: Container) throws {
        let tally = Tally()
        let screen = ViewDriver(Rows(container: container, tally: tally), scrolls: true)
        let mirror = Mirror(of: screen.host)
        #expect(tally.log == [])
        #expect(asking(screen).count == 4)
        try screen.scroll(to: "row 2")
        #expect(tally.log == ["row 1 appears", "row 2 appears"])
        #expect(asking(screen).count == 2)
        try screen.scroll(to: "row 2")
        try screen.scroll(to: "row 4")
        #expect(tally.log == (1...4).map { "row \($0) appears" })
        #expect(asking(screen).isEmpty)
        #expect(mirror.differences(from: screen.host.root) == [])
    }

    @Test(arguments: Container.allCases)
    func unlimitedScreensShowAllRows(container: Container) {
        let tally = Tally()
        let screen = ViewDriver(Rows(container: container, tally: tally))
        #expect(tally.log == (1...4).map { "row \($0) appears" })
        #expect(asking(screen).isEmpty)
    }

    @Test func rowsWithoutLifetimeAreNotTracked() throws {
        let tally = Tally()
        let screen = ViewDriver(
            VStack {
                List { ForEach(0..<3, id: \.self) { number in Button("row \(number)") {}.padding() } }.onAppear {
                    tally.add("list")
                }
                ScrollView { VStack { ForEach(0..<3, id: \.self) { Noted(name: "text \($0)", tally: tally) } } }
            }, scrolls: true)
        #expect(Set(tally.log) == ["list", "text 0 appears", "text 1 appears", "text 2 appears"])
        #expect(asking(screen).isEmpty)
    }

    @Test func aRowsTaskStartsWhenTheRowIsVisible() async throws {
        let tally = Tally()
        let screen = ViewDriver(
            List { ForEach(1...2, id: \.self) { number in Text("row \(number)").task { tally.add("task \(number)") } } },
            scrolls: true)
        try screen.scroll(to: "row 1")
        for _ in 0..<10_000 where tally.log.isEmpty { await Task.yield() }
        #expect(tally.log == ["task 1"])
        try screen.scroll(to: "row 2")
        for _ in 0..<10_000 where tally.log.count < 2 { await Task.yield() }
        #expect(tally.log == ["task 1", "task 2"])
    }

    @Test func theLastRowLoadsMoreUntilTheEnd() throws {
        struct Root: View {
            @State private var count = 3
            let tally: Tally
            var body: some View {
                List {
                    ForEach(1...count, id: \.self) { number in
                        Text("row \(number)").onAppear {
                            guard number == count, count < 9 else { return }
                            tally.add("more")
                            count += 3
                        }
                    }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally), scrolls: true)
        for (seen, rows) in [(2, 3), (3, 6), (3, 6), (6, 9), (9, 9), (9, 9)] {
            try screen.scroll(to: "row \(seen)")
            #expect(screen.texts == (1...rows).map { "row \($0)" })
        }
        #expect(tally.log == ["more", "more"])
    }

    @Test func visibleRowsAppearOnce() throws {
        struct Root: View {
            @State private var identity = 0
            @State private var weight = Font.Weight.regular
            let tally: Tally
            var body: some View {
                List {
                    Button("bold") { weight = .bold }
                    Button("another") { identity += 1 }
                    Noted(name: "row", tally: tally).fontWeight(weight).id(identity)
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally), scrolls: true)
        // The row changed before it was visible: it still requests the report.
        try screen.tap("bold")
        #expect(asking(screen).count == 1)
        try screen.scroll(to: "row")
        try screen.tap("bold")
        try screen.scroll(to: "row")
        #expect(tally.log == ["row appears"])
        try screen.tap("another")
        #expect(tally.log == ["row appears", "row disappears"])
        try screen.scroll(to: "row")
        #expect(tally.log == ["row appears", "row disappears", "row appears"])
    }

    @Test func sectionHeadersAppearWithTheirFirstRow() throws {
        struct Content: View {
            @State private var isLoaded = false
            var body: some View {
                if isLoaded { ForEach(1...3, id: \.self) { Text("row \($0)") } } else { Button("load") { isLoaded = true } }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(
            List {
                Section { Text("inside") }.onAppear { tally.add("section") }
                Content().onAppear { tally.add("content") }
                EmptyView().onAppear { tally.add("nothing") }
            }, scrolls: true)
        // A view without a row does not wait.
        #expect(tally.log == ["nothing"])
        try screen.scroll(to: "inside")
        try screen.tap("load")
        #expect(tally.log == ["nothing", "section"])
        try screen.scroll(to: "row 2")
        #expect(tally.log == ["nothing", "section", "content"])
    }

    @Test func rowContentAppearsWithItsRow() throws {
        struct Root: View {
            @State private var showsMore = false
            @State private var showsSheet = true
            let tally: Tally
            var body: some View {
                List {
                    VStack {
                        ScrollView(.horizontal) {
                            HStack { ForEach(1...2, id: \.self) { Noted(name: "picture \($0)", tally: tally) } }
                        }
                        Button("more") { showsMore = true }
                        if showsMore { Noted(name: "more words", tally: tally) }
                    }
                    .sheet(isPresented: $showsSheet) {
                        Noted(name: "sheet", tally: tally)
                        Button("close") { showsSheet = false }
                    }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally), scrolls: true)
        #expect(tally.log == ["sheet appears"])
        try screen.tap("close")
        #expect(asking(screen).map(\.kind) == [.row])
        tally.clear()
        try screen.scroll(to: "more")
        #expect(tally.log.sorted() == ["picture 1 appears", "picture 2 appears"])
        try screen.tap("more")
        #expect(tally.log.last == "more words appears")
    }

    @Test func aCoveredPageRemembersVisibleRows() throws {
        let tally = Tally()
        let screen = ViewDriver(
            NavigationStack {
                List {
                    NavigationLink("go") { Text("page") }
                    ForEach(1...3, id: \.self) { Noted(name: "row \($0)", tally: tally) }
                }
            }, scrolls: true)
        try screen.scroll(to: "row 1")
        let second = try #require(asking(screen).first { $0.label == "row 2" })
        try screen.tap("go")
        #expect(tally.log == ["row 1 appears", "row 1 disappears"])
        tally.clear()
        // The row was visible before the page was covered; only the report is late.
        #expect(screen.host.send(.appear, to: second.id))
        #expect(tally.log == [])
        try screen.back()
        #expect(tally.log.sorted() == ["row 1 appears", "row 2 appears"])
    }

    @Test func unrequestedVisibilityReportsAreIgnored() throws {
        let tally = Tally()
        let screen = ViewDriver(
            List {
                Noted(name: "row", tally: tally)
                Button("tap") { tally.add("tapped") }
            }, scrolls: true)
        let ids = screen.host.root.all.filter { !$0.events.contains(.appear) }.map(\.id)
        for id in ids + [0, -1, 10_000, .max, .min] { #expect(!screen.host.send(.appear, to: id)) }
        #expect(tally.log == [])
        let row = try #require(asking(screen).first)
        #expect(!screen.host.send(.tap, to: row.id))
        #expect(screen.host.send(.appear, to: row.id))
        #expect(!screen.host.send(.appear, to: row.id))
        #expect(tally.log == ["row appears"])
    }
}
