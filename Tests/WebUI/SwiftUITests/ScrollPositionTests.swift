import SwiftUI
import Testing

/// The id of the view at the edge of a scrolling view.
@MainActor
@Suite struct ScrollPositionTests {
    private struct Root: View {
        let tally: Tally
        var anchor: UnitPoint?
        @State private var row: Int?
        var body: some View {
            ScrollView {
                LazyVStack {
                    ForEach(0..<20) { number in
                        HStack { Text("row \(number)") }.padding()
                    }
                }
                .scrollTargetLayout()
            }
            .scrollPosition(id: $row, anchor: anchor)
            .onChange(of: row) { old, new in tally.add("\(old ?? -1) to \(new ?? -1)") }
            Button("jump") { row = 12 }
            Button("forget") { row = nil }
        }
    }

    private func scroller(_ screen: ViewDriver) throws -> Element { try #require(screen.host.root.first(.scroll)) }

    /// The child of the scroll targets around a text.
    private func child(_ name: String, _ screen: ViewDriver) throws -> Element {
        let text = try screen.find(name)
        let targets = try #require(screen.host.root.all.first { $0.attributes[.targets] == .on })
        return try #require(targets.pageChildren.first { $0.all.contains { $0 === text } })
    }

    private func report(_ name: String, _ screen: ViewDriver) throws {
        screen.host.send(.place, to: try scroller(screen).id, .number(Double(try child(name, screen).id)))
        screen.host.flush()
    }

    @Test func thePageReportsTheRow() throws {
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try report("row 3", screen)
        try report("row 3", screen)
        try report("row 1", screen)
        #expect(tally.log == ["-1 to 3", "3 to 1"])
        // The page scrolled by itself.
        #expect(try scroller(screen).attributes[.scrollTarget] == nil)
    }

    @Test(arguments: [(UnitPoint?.none, "start"), (.center, "center"), (.bottom, "end")])
    func aValueScrollsToTheRow(_ anchor: UnitPoint?, _ edge: String) throws {
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally, anchor: anchor))
        #expect(try scroller(screen).attributes[.position]?.text == edge)
        try screen.tap("jump")
        screen.host.flush()
        #expect(try scroller(screen).attributes[.scrollTarget] == .number(Double(try child("row 12", screen).id)))
        #expect(try scroller(screen).attributes[.scrollAlignment]?.text == edge)
        #expect(tally.log == ["-1 to 12"])
    }

    @Test func aTargetOutlivesFurtherChangesOfTheSameFlush() throws {
        struct Bars: View {
            @State private var row: Int?
            @State private var isShown = true
            var body: some View {
                ScrollView { LazyVStack { ForEach(0..<20) { Text("row \($0)") } }.scrollTargetLayout() }
                    .scrollPosition(id: $row)
                    .onChange(of: row) { isShown = false }
                    .safeAreaInset(edge: .bottom) { if isShown { Text("bar") } }
                Button("jump") { row = 12 }
                Button("show") { isShown = true }
            }
        }
        let screen = ViewDriver(Bars())
        let mirror = Mirror(of: screen.host)
        try screen.tap("jump")
        #expect(!screen.has("bar"))
        let target = AttributeValue.number(Double(try screen.find("row 12").id))
        #expect(targets(mirror) == [target])
        // It is no target of the next flush.
        try screen.tap("show")
        #expect(targets(mirror) == [target, nil])
    }

    @Test func lastTargetIsScrolledToAgain() throws {
        struct Log: View {
            @State private var count = 3
            var body: some View {
                ScrollViewReader { proxy in
                    ScrollView {
                        ForEach(0..<count, id: \.self) { Text("row \($0)") }
                        Text("last").id("end")
                    }
                    .onChange(of: count) { proxy.scrollTo("end") }
                    Button("end") { proxy.scrollTo("end") }
                    Button("add") { count += 1 }
                }
            }
        }
        let screen = ViewDriver(Log())
        let mirror = Mirror(of: screen.host)
        let target = AttributeValue.number(Double(try screen.find("last").id))
        for (count, name) in ["end", "end", "add", "add"].enumerated() {
            try screen.tap(name)
            #expect(targets(mirror) == Array(repeating: target, count: count + 1))
        }
    }

    private func targets(_ mirror: Mirror) -> [AttributeValue?] {
        mirror.changes.flatMap { change -> [AttributeValue?] in
            if case .updated(_, _, let attributes) = change { attributes.filter { $0.0 == .scrollTarget }.map(\.1) } else { [] }
        }
    }

    @Test func reportsOfOtherElementsAreIgnored() throws {
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        for number in [-1, 0, 1e9, 0.5, Double(try scroller(screen).id)] {
            screen.host.send(.place, to: try scroller(screen).id, .number(number))
        }
        screen.host.send(.place, to: try scroller(screen).id, .text("x"))
        screen.host.flush()
        #expect(tally.log == [])
    }

    @Test func anchorsOfAReaderReachThePage() throws {
        struct Reader: View {
            var body: some View {
                ScrollViewReader { proxy in
                    Button("top") { proxy.scrollTo(5, anchor: .top) }
                    Button("near") { proxy.scrollTo(5) }
                    ScrollView { ForEach(0..<10) { Text("row \($0)") } }
                }
            }
        }
        let screen = ViewDriver(Reader())
        try screen.tap("top")
        screen.host.flush()
        #expect(try scroller(screen).attributes[.scrollAlignment]?.text == "start")
        try screen.tap("near")
        screen.host.flush()
        #expect(try scroller(screen).attributes[.scrollAlignment] == nil)
    }
}
