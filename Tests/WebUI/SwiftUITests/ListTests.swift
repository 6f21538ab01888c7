import SwiftUI
import Testing

/// Lists and forms: rows, sections, pull to refresh.
@MainActor
@Suite struct ListTests {
    private func outline(_ element: Element) -> String {
        switch element.kind {
        case .list, .section: "\(element.kind)(\(element.pageChildren.map(outline).joined(separator: " ")))"
        case .row, .header, .footer: "\(element.kind):\(element.label ?? "")"
        default: element.kind.rawValue
        }
    }

    private func outline(_ view: some View) -> String {
        let screen = ViewDriver(view)
        return screen.host.root.first(.list).map(outline) ?? ""
    }

    struct Pair: View {
        var body: some View {
            Text("left")
            Text("right")
        }
    }

    @Test func eachFirstElementIsARow() {
        #expect(outline(List { Text("a") }) == "list(row:a)")
        #expect(
            outline(
                List {
                    Pair()
                    HStack { Pair() }
                    Group { Text("x").padding() }
                    if true { Button("y") {} }
                    EmptyView()
                }) == "list(row:left row:right row:left right row:x row:y)")
        #expect(outline(List(0..<3, id: \.self) { Text("row \($0)") }) == "list(row:row 0 row:row 1 row:row 2)")
    }

    /// As on an iPhone.
    @Test func modifiersOfASectionApplyToEachRow() throws {
        struct Part: View {
            let tally: Tally
            let names: [String]
            var body: some View {
                Section {
                    ForEach(names, id: \.self) { Text($0) }
                } header: {
                    Text("head")
                }
                .onAppear { tally.add("appear") }
            }
        }
        struct Root: View {
            let tally: Tally
            @State private var names = ["a", "b"]
            @State private var asks = false
            var body: some View {
                List {
                    Part(tally: tally, names: names).onChange(of: names) { tally.add("change") }
                    Section { Button("add") { names.append("c") } }
                    Section {
                        Text("x")
                        Text("y")
                    }
                    .font(.title)
                    .alert("Sure?", isPresented: $asks) {}
                    .onAppear { tally.add("inner") }
                    Button("ask") { asks = true }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        #expect(tally.log.sorted() == ["appear", "appear", "inner", "inner"])
        let list = try #require(screen.host.root.first(.list))
        #expect(
            outline(list)
                == "list(section(header:head row:a row:b) section(row:add) section(row:x row:y) row:ask)")
        tally.clear()
        try screen.tap("add")
        #expect(tally.log == ["change", "change", "appear"] || tally.log == ["appear", "change", "change"])
        try screen.tap("ask")
        #expect(screen.title == "Sure?")
        try screen.tap("OK")
        #expect(screen.has("x"), "the alert of the other row goes with its value")
    }

    @Test func sectionsHaveHeadersAndFooters() {
        #expect(
            outline(
                Form {
                    Section("Names") { ForEach(["a", "b"], id: \.self) { Text($0) } }
                    Section {
                        Pair()
                    } header: {
                        Text("Head")
                    } footer: {
                        Text("Foot")
                    }
                    Section { Text("bare") }
                    Text("loose")
                })
                == "list(section(header:Names row:a row:b) section(header:Head row:left row:right footer:Foot) section(row:bare) row:loose)"
        )
    }

    @Test func rowsComeAndGoInTheirSections() throws {
        struct Root: View {
            @State private var names = ["a", "b"]
            @State private var hasFooter = false
            var body: some View {
                List {
                    Section {
                        ForEach(names, id: \.self) { name in Button(name) { names.removeAll { $0 == name } } }
                    } header: {
                        Text("Head")
                    }
                    Button("add") { names.insert("new", at: 0) }
                }
            }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.tap("add")
        try screen.tap("a")
        #expect(outline(try #require(screen.host.root.first(.list))) == "list(section(header:Head row:new row:b) row:add)")
        #expect(mirror.differences(from: screen.host.root) == [])
    }

    @Test func aLinkFillsItsRowAndHasAChevron() throws {
        struct Root: View {
            var body: some View {
                NavigationStack {
                    List {
                        NavigationLink("link", value: 1)
                        Text("text")
                        VStack { NavigationLink("inside", value: 2) }
                    }
                    .navigationDestination(for: Int.self) { Text("page \($0)") }
                }
            }
        }
        let screen = ViewDriver(Root())
        let rows = screen.visible.filter { $0.kind == .row }
        #expect(rows.map { $0.attributes[flag: .chevron] } == [true, false, false])
        #expect(try screen.find("link", .text).style == [])
        #expect(try screen.find("link", .button).attributes[.role] == "link")
        try screen.tap("link")
        #expect(screen.has("page 1"))
    }

    @Test func rowsReportTheirStyle() throws {
        struct Root: View {
            var body: some View {
                List {
                    Text("a").listRowSeparator(.hidden).listRowBackground(Color.red).listRowInsets(EdgeInsets())
                    Section { Pair() }.listRowSeparator(.hidden)
                    Text("c")
                }
                .listStyle(.plain)
                .scrollContentBackground(.hidden)
            }
        }
        let screen = ViewDriver(Root())
        let rows = screen.visible.filter { $0.kind == .row }
        #expect(rows.map { $0.attributes[.separator] == .off } == [true, true, true, false])
        #expect(rows[0].style == [.rowInsets(EdgeInsets()), .background(.color(.red))])
        #expect(rows[1].style == [])
        #expect(screen.host.root.first(.list)?.attributes[.look] == "plain")
    }

    @Test func pullingRefreshesOnceAtATime() async throws {
        struct Root: View {
            let tally: Tally
            let gate: AsyncStream<Void>
            var body: some View {
                List { Text("row") }.refreshable {
                    tally.add("starts")
                    for await _ in gate { break }
                    tally.add("ends")
                }
            }
        }
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally, gate: gate))
        let list = try #require(screen.visible.first { $0.kind == .list })
        #expect(list.attributes[.busy] == nil)
        try screen.pull()
        try screen.pull()
        #expect(list.attributes[.busy] == .on)
        open.yield()
        try await screen.wait("the end") { list.attributes[.busy] == nil }
        #expect(tally.log == ["starts", "ends"])
        try screen.pull()
        #expect(list.attributes[.busy] == .on)
    }

    @Test func aReaderScrollsToAViewByItsId() throws {
        struct Root: View {
            var body: some View {
                ScrollViewReader { proxy in
                    Button("down") { proxy.scrollTo(30) }
                    Button("end") { proxy.scrollTo("end") }
                    ScrollView {
                        ForEach(0..<40) { Text(verbatim: "row \($0)") }
                        Text("last").id("end")
                    }
                }
            }
        }
        let screen = ViewDriver(Root())
        func target() -> AttributeValue? { screen.host.root.first(.scroll)?.attributes[.scrollTarget] }
        #expect(target() == nil)
        try screen.tap("down")
        #expect(target() == .number(Double(try screen.find("row 30").id)))
        try screen.tap("end")
        #expect(target() == .number(Double(try screen.find("last").id)))
    }

    @Test func onlyTheOutermostScrollerIsPulled() throws {
        struct Root: View {
            var body: some View {
                ScrollView { ScrollView(.horizontal) { Text("x") } }.refreshable {}
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.visible.filter { $0.kind == .scroll }.map { $0.events == [.refresh] } == [true, false])
        #expect(throws: DriverError.self) { try ViewDriver(List { Text("a") }).pull() }
    }

    @Test func scrollViewsReportAxisAndAnchor() {
        struct Root: View {
            var body: some View {
                ScrollView(.horizontal, showsIndicators: false) { Text("a") }
                ScrollView { Text("b") }.defaultScrollAnchor(.bottom)
                ScrollView([.horizontal, .vertical]) { Text("c") }.scrollIndicators(.hidden)
            }
        }
        let screen = ViewDriver(Root())
        let scrollers = screen.visible.filter { $0.kind == .scroll }.map(\.attributes)
        #expect(scrollers.map { $0[.axis]?.text } == ["h", "v", "both"])
        #expect(scrollers.map { $0[.bars] } == [.off, nil, .off])
        #expect(scrollers.map { $0[.stick]?.text } == [nil, "bottom", nil])
    }
}
