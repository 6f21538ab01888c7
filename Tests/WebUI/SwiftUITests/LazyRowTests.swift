import SwiftUI
import Testing

/// Many rows: those far out of sight are created later.
@MainActor
@Suite struct LazyRowTests {
    @MainActor @Observable
    final class Numbers {
        var all: [Int]
        var weight = Font.Weight.regular
        var wanted: Int?
        @ObservationIgnored var evaluated: [Int] = []
        init(_ all: some Sequence<Int>) { self.all = Array(all) }
    }

    private struct Row: View {
        let number: Int
        let numbers: Numbers
        @State private var count = 0
        var body: some View {
            let _ = numbers.evaluated.append(number)
            Button(String("row \(number) \(count)")) { count += 1 }.fontWeight(numbers.weight)
        }
    }

    private struct Root: View {
        let numbers: Numbers
        var isList = false
        var fromEnd = false
        @State private var other = 0
        var body: some View {
            ScrollViewReader { proxy in
                Button("other \(other)") { other += 1 }
                if isList {
                    List { Section("head") { rows } }
                } else {
                    ScrollView { LazyVStack { rows } }.defaultScrollAnchor(fromEnd ? .bottom : .top)
                }
                Text("end").onChange(of: numbers.wanted) { if let wanted = numbers.wanted { proxy.scrollTo(wanted) } }
            }
        }
        private var rows: some View { ForEach(numbers.all, id: \.self) { Row(number: $0, numbers: numbers) } }
    }

    private func gaps(_ screen: ViewDriver) -> [Element] { screen.visible.filter { $0.kind == .gap } }
    private func lengths(_ screen: ViewDriver) -> [Double] { gaps(screen).compactMap { $0.attributes[.rowCount]?.number } }
    private func rows(_ screen: ViewDriver) -> [String] { screen.texts.filter { $0.hasPrefix("row") } }
    private func names(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "row \($0) 0" } }

    @Test(arguments: [false, true])
    func aHundredRowsAreCreatedAndGapsStandForTheOthers(isList: Bool) {
        let numbers = Numbers(0..<1_000)
        let screen = ViewDriver(Root(numbers: numbers, isList: isList), scrolls: true)
        let mirror = Mirror(of: screen.host)
        #expect(rows(screen) == names(0..<100))
        #expect(lengths(screen) == [25, 25, 25, 25, 500, 200, 25, 25, 25, 25])
        #expect(gaps(screen).allSatisfy { $0.events == [.appear] })
        numbers.evaluated = []
        #expect(screen.host.send(.appear, to: gaps(screen)[1].id))
        #expect(rows(screen) == names(Array(0..<100) + Array(125..<150)))
        // Rows that were there cost nothing.
        #expect(numbers.evaluated == Array(125..<150))
        #expect(mirror.differences(from: screen.host.root) == [])
    }

    @Test func unlimitedScreensHaveAllRows() {
        #expect(rows(ViewDriver(Root(numbers: Numbers(0..<150)))) == names(0..<150))
    }

    @Test func contentThatStartsAtItsEndCreatesTheLastRows() {
        let screen = ViewDriver(Root(numbers: Numbers(0..<1_000), fromEnd: true), scrolls: true)
        #expect(rows(screen) == names(900..<1_000))
        #expect(lengths(screen).reduce(0, +) == 900)
    }

    @Test(arguments: [false, true])
    func aLargeGapIsDividedAndItsPartsBecomeRows(hasEqualIDs: Bool) throws {
        let numbers = Numbers((hasEqualIDs ? [0] : []) + Array(0..<5_000))
        let screen = ViewDriver(Root(numbers: numbers), scrolls: true)
        let mirror = Mirror(of: screen.host)
        #expect(Array(lengths(screen).prefix(6)) == [25, 25, 25, 25, 500, 500])
        numbers.evaluated = []
        screen.host.send(.appear, to: gaps(screen)[4].id)
        // The page tells of the parts anew: they are other elements.
        #expect(Array(lengths(screen).prefix(25)) == Array(repeating: 25, count: 24) + [500])
        #expect(numbers.evaluated == [])
        screen.host.send(.appear, to: gaps(screen)[5].id)
        #expect(numbers.evaluated == Array(numbers.all[225..<250]))
        #expect(rows(screen) == names(numbers.all[..<100] + numbers.all[225..<250]))
        #expect(mirror.differences(from: screen.host.root) == [])
    }

    @Test func rowsKeepTheirStateWhenOthersComeAndGo() throws {
        let numbers = Numbers(0..<90)
        let screen = ViewDriver(Root(numbers: numbers), scrolls: true)
        try screen.tap("row 3 0")
        // Beyond the limit, and in front.
        numbers.all = Array(-500..<200)
        screen.host.flush()
        #expect(screen.has("row 3 1"))
        #expect(rows(screen).first == "row -500 0")
        #expect(rows(screen).count == 190)
        numbers.all.removeAll { $0 != 3 && $0 > -490 }
        screen.host.flush()
        #expect(rows(screen) == names(-500...(-490)) + ["row 3 1"])
        #expect(gaps(screen).isEmpty)
    }

    @Test func aNewRowAtTheEndIsThereAtOnce() throws {
        let numbers = Numbers(0..<1_000)
        let screen = ViewDriver(Root(numbers: numbers, fromEnd: true), scrolls: true)
        numbers.all.append(1_000)
        screen.host.flush()
        #expect(rows(screen) == names(900...1_000))
    }

    @Test func changesReachAllCreatedRows() throws {
        let numbers = Numbers(0..<300)
        let screen = ViewDriver(Root(numbers: numbers), scrolls: true)
        screen.host.send(.appear, to: try #require(gaps(screen).last).id)
        let before = try screen.find("row 299 0").style
        numbers.weight = .bold
        screen.host.flush()
        #expect(try screen.find("row 299 0").style != before)
        try screen.tap("row 299 0")
        #expect(screen.has("row 299 1"))
        try screen.tap("other 0")
        #expect(screen.has("row 299 1"))
    }

    @Test func scrollingToARowCreatesIt() throws {
        let numbers = Numbers(0..<1_000)
        let screen = ViewDriver(Root(numbers: numbers), scrolls: true)
        numbers.wanted = 777
        screen.host.flush()
        #expect(rows(screen) == names(Array(0..<100) + Array(775..<800)))
        let target = try #require(screen.visible.first { $0.attributes[.scrollTarget] != nil })
        #expect(target.attributes[.scrollTarget]?.number == Double(try screen.find("row 777 0", .button).id))
        numbers.wanted = 5_000
        screen.host.flush()
    }

    @Test func theDriverScrollsThroughGaps() throws {
        let screen = ViewDriver(Root(numbers: Numbers(0..<1_000)), scrolls: true)
        try screen.scroll(to: "row 500 0")
        #expect(screen.has("row 500 0") && !screen.has("row 990 0"))
    }
}
