import SwiftUI
import Testing

/// Changes for the page. Replayed on a plain model, they must reproduce the tree.
@MainActor
@Suite struct ReplayTests {
    @Observable final class Model {
        var numbers: [Int] = []
        var others: Set<Int> = []
        var flags: [Bool] = Array(repeating: true, count: 6)
        var text = ""
    }

    struct Rows: View {
        let model: Model
        var body: some View {
            VStack {
                Text("first")
                ForEach(model.numbers, id: \.self) { number in
                    Text(verbatim: "\(number)")
                    if model.others.contains(number) {
                        Spacer()
                        Button("button \(number)") {}
                    }
                }
                Text("last")
            }
        }
    }

    @Test(arguments: 0..<20)
    func randomChangesOfAListReplayedGiveTheTree(seed: Int) {
        var dice = Dice(state: UInt64(seed))
        let model = Model()
        let screen = ViewDriver(Rows(model: model))
        let mirror = Mirror(of: screen.host)
        for _ in 0..<60 {
            switch Int.random(in: 0..<7, using: &dice) {
            case 0: model.numbers.shuffle(using: &dice)
            case 1: model.numbers.reverse()
            case 2: model.numbers.removeAll { _ in Bool.random(using: &dice) }
            case 3:
                let number = Int.random(in: 0..<40, using: &dice)
                if model.others.remove(number) == nil { model.others.insert(number) }
            default:
                // With duplicate ids, which must not break anything.
                for _ in 0..<Int.random(in: 1...6, using: &dice) {
                    model.numbers.insert(
                        Int.random(in: 0..<40, using: &dice), at: Int.random(in: 0...model.numbers.count, using: &dice))
                }
            }
            screen.host.flush()
            #expect(mirror.differences(from: screen.host.root) == [])
        }
    }

    @Test func aRowAtTheFrontIsOneInsertion() throws {
        let model = Model()
        model.numbers = Array(1...50)
        let screen = ViewDriver(Rows(model: model))
        let mirror = Mirror(of: screen.host)
        model.numbers.insert(0, at: 0)
        screen.host.flush()
        #expect(mirror.changes.count == 1)
        guard case .inserted(let row, let parent, let before) = try #require(mirror.changes.first) else {
            Issue.record("no insertion")
            return
        }
        #expect(row.attributes[.text] == "0")
        #expect(parent.kind == .vstack)
        #expect(before?.attributes[.text] == "1")
    }

    @Test func aDistantMoveIsOneOperation() {
        let model = Model()
        model.numbers = Array(1...50)
        let screen = ViewDriver(Rows(model: model))
        let mirror = Mirror(of: screen.host)
        model.numbers.append(model.numbers.removeFirst())
        screen.host.flush()
        #expect(mirror.changes.count == 1)
        #expect(mirror.changes.count { $0.isMove } == mirror.changes.count)
        #expect(mirror.differences(from: screen.host.root) == [])
    }

    @Test func eachRemovalIsOneOperation() {
        let model = Model()
        model.numbers = Array(1...50)
        let screen = ViewDriver(Rows(model: model))
        let mirror = Mirror(of: screen.host)
        model.numbers.removeAll { $0 % 2 == 0 }
        screen.host.flush()
        #expect(mirror.changes.count == 25)
        #expect(mirror.changes.count { $0.isRemoval } == mirror.changes.count)
    }

    @Test func newElementsAreSentOnceAsAWhole() throws {
        struct Inner: View {
            @State private var name = "a"
            @State private var rows = 1
            var body: some View {
                VStack {
                    Text(verbatim: name)
                    ForEach(0..<rows, id: \.self) { Text("\($0)") }
                }
                .onAppear {
                    name = "ab"
                    rows = 3
                }
            }
        }
        struct Root: View {
            @State private var isShown = false
            var body: some View {
                Button("show") { isShown = true }
                if isShown { Inner() }
            }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.tap("show")
        #expect(mirror.changes.count == 1)
        #expect(mirror.changes.count { $0.isInsertion } == mirror.changes.count)
        #expect(mirror.differences(from: screen.host.root) == [])
        #expect(screen.texts == ["show", "ab", "0", "1", "2"])
    }

    @Test func elementsOfOneFlushOnlyAreNotSent() throws {
        struct Root: View {
            @State private var count = 0
            @State private var isShown = false
            var body: some View {
                Button("go") { isShown = true }
                if isShown { Text("short").onAppear { isShown = false } }
            }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.tap("go")
        #expect(mirror.flushes == 0)
        #expect(mirror.differences(from: screen.host.root) == [])
    }

    @Test func grownTextIsSentAsASuffix() {
        struct Root: View {
            let model: Model
            var body: some View { Text(verbatim: model.text) }
        }
        let model = Model()
        let screen = ViewDriver(Root(model: model))
        let mirror = Mirror(of: screen.host)
        for text in ["Hel", "Hello", "Hello 👩‍👩‍👧", "Hello 👩‍👩‍👧‍👦", "Help", "Help e", "Help e\u{301}"] {
            model.text = text
            screen.host.flush()
            #expect(mirror.differences(from: screen.host.root) == [])
        }
        #expect(mirror.changes.map { $0.suffix ?? "*" } == ["*", "lo", " 👩‍👩‍👧", "\u{200d}👦", "*", " e", "\u{301}"])
    }

    @Test func changedStylesAndAttributesAreSent() throws {
        struct Root: View {
            @State private var isOn = false
            var body: some View {
                VStack(spacing: isOn ? 4 : 8) {
                    Button("toggle") { isOn.toggle() }
                    Text("text").opacity(isOn ? 0.5 : 1).accessibilityLabel(isOn ? "on" : "off")
                    Text("other")
                }
            }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.tap("toggle")
        var told: [String] = []
        for change in mirror.changes {
            guard case .updated(let element, let isRestyled, let attributes) = change else { continue }
            told.append("\(element.kind) \(isRestyled) \(attributes.map(\.0))")
        }
        #expect(told.sorted() == ["text true [SwiftUI.AttributeName.accessibilityLabel]", "vstack true []"])
        #expect(mirror.differences(from: screen.host.root) == [])
    }

    // MARK: Wishes for room

    private func flags(_ view: some View, _ kind: ElementKind) -> LayoutFlags? {
        let screen = ViewDriver(view)
        return screen.host.root.first(kind)?.flags
    }

    @Test func fillingViewsMakeTheirAncestorsFill() {
        #expect(flags(VStack { Text("a") }, .vstack) == [])
        #expect(flags(VStack { ScrollView { Text("a") } }, .vstack) == .both)
        #expect(flags(VStack { ScrollView(.horizontal) { Text("a") } }, .vstack) == .width)
        #expect(flags(HStack { Spacer() }, .hstack) == .width)
        #expect(flags(VStack { HStack { Spacer() } }, .vstack) == .width)
        #expect(flags(VStack { Spacer() }, .vstack) == .height)
        #expect(flags(ZStack { Color.red }, .zstack) == .both)
        #expect(flags(VStack { Divider() }, .vstack) == .width)
        #expect(flags(HStack { Divider() }, .hstack) == .height)
        #expect(flags(VStack { TextField("t", text: .constant("")) }, .vstack) == .width)
        #expect(flags(LazyVStack { Text("a") }, .grid) == .width)
    }

    @Test func fixedAndLimitedFramesStopFilling() {
        #expect(flags(VStack { Color.red.frame(width: 10) }, .vstack) == .height)
        #expect(flags(VStack { Color.red.frame(width: 10, height: 10) }, .vstack) == [])
        #expect(flags(VStack { Text("a").frame(maxWidth: .infinity) }, .vstack) == .width)
        #expect(flags(VStack { ScrollView { Text("a") }.frame(height: 100) }, .vstack) == .width)
        #expect(flags(VStack { Color.red.fixedSize() }, .vstack) == [])
        #expect(flags(VStack { Text("a").background { Color.red } }, .vstack) == [])
        #expect(flags(VStack { Text("a").overlay { Color.red } }, .vstack) == [])
        #expect(flags(VStack { Color.red.padding() }, .vstack) == .both)
    }

    @Test(arguments: 0..<10)
    func changedLayoutFlagsPropagateUpwards(seed: Int) {
        struct Nested: View {
            let model: Model
            let level: Int
            var body: some View {
                if level == 6 {
                    Text("end")
                } else if level % 2 == 0 {
                    VStack {
                        Nested(model: model, level: level + 1)
                        if model.flags[level] { Spacer() }
                    }
                } else {
                    HStack {
                        if model.flags[level] { ScrollView { Text("scroll") } }
                        Nested(model: model, level: level + 1).frame(width: model.flags[level - 1] ? 10 : nil)
                    }
                }
            }
        }
        var dice = Dice(state: UInt64(seed))
        let model = Model()
        let screen = ViewDriver(Nested(model: model, level: 0))
        let mirror = Mirror(of: screen.host)
        for _ in 0..<30 {
            model.flags = model.flags.map { _ in Bool.random(using: &dice) }
            screen.host.flush()
            #expect(mirror.differences(from: screen.host.root) == [])
            // The same flags as in a new tree.
            let fresh = ViewDriver(Nested(model: model, level: 0))
            #expect(fresh.host.root.all.map(\.flags) == screen.host.root.all.map(\.flags))
        }
    }

    // MARK: Bars

    @Test(arguments: 0..<10)
    func barItemsFollowTheOrderOfTheTree(seed: Int) {
        struct Part: View {
            let model: Model
            let number: Int
            var body: some View {
                if model.flags[number] {
                    Text("part \(number)")
                        .toolbar {
                            ToolbarItem(placement: .topBarTrailing) { Button("item \(number)") {} }
                            if model.flags[(number + 1) % 6] { ToolbarItem { Button("more \(number)") {} } }
                        }
                }
            }
        }
        struct Root: View {
            let model: Model
            var body: some View {
                TabView {
                    NavigationStack {
                        VStack { ForEach(model.numbers, id: \.self) { Part(model: model, number: $0) } }.navigationTitle("Title")
                    }
                    .tabItem { Text("tab x") }
                    ForEach(model.numbers, id: \.self) { number in
                        if model.flags[number] { Text("tab content \(number)").tabItem { Text("tab \(number)") }.tag(number) }
                    }
                }
            }
        }
        var dice = Dice(state: UInt64(seed))
        let model = Model()
        model.numbers = Array(0..<6)
        let screen = ViewDriver(Root(model: model))
        let mirror = Mirror(of: screen.host)
        for round in 0..<25 {
            if round % 2 == 0 { model.flags = model.flags.map { _ in Bool.random(using: &dice) } }
            if round % 3 == 0 { model.numbers.shuffle(using: &dice) }
            screen.host.flush()
            #expect(mirror.differences(from: screen.host.root) == [])
            let items = screen.host.root.all.filter { $0.kind == .items }.compactMap { $0.pageChildren.first?.label }
            let expected = model.numbers.filter { model.flags[$0] }.flatMap {
                model.flags[($0 + 1) % 6] ? ["item \($0)", "more \($0)"] : ["item \($0)"]
            }
            #expect(items == expected)
            let tabs = screen.host.root.first(.tabbar)?.pageChildren.compactMap(\.label)
            #expect(tabs == ["tab x"] + model.numbers.filter { model.flags[$0] }.map { "tab \($0)" })
        }
    }

    @Test func longestIncreasingRunsAreFound() {
        for values in [[], [1], [2, 1], [3, 1, 2], [5, 1, 4, 2, 3], Array(0..<10), Array((0..<10).reversed())] as [[Int]] {
            var best = 0
            for mask in 0..<(1 << values.count) {
                let chosen = values.indices.filter { mask >> $0 & 1 == 1 }.map { values[$0] }
                if zip(chosen, chosen.dropFirst()).allSatisfy(<) { best = max(best, chosen.count) }
            }
            let model = Model()
            model.numbers = values.sorted()
            let screen = ViewDriver(Rows(model: model))
            let mirror = Mirror(of: screen.host)
            model.numbers = values
            screen.host.flush()
            #expect(mirror.changes.count == values.count - best, "\(values)")
        }
    }
}
