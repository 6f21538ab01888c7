import SwiftUI
import Testing

/// What is said to a page, followed to the letter, gives the tree.
@MainActor
@Suite struct ChangesTests {
    /// A page that knows only what it was told.
    @MainActor
    final class Page {
        private(set) var children: [Int: [Int]] = [:]
        private(set) var texts: [Int: String] = [:]
        private(set) var moves = 0

        func show(_ root: Element) {
            children = [:]
            texts = [:]
            add(root)
        }

        private func add(_ element: Element) {
            texts[element.id] = element.attributes[.text]?.text
            children[element.id] = element.pageChildren.map(\.id)
            for child in element.pageChildren { add(child) }
        }

        func apply(_ changes: [Change]) {
            for change in changes {
                switch change {
                case .replaced(let root): show(root)
                case .appended(let element, let suffix): texts[element.id, default: ""] += suffix
                case .updated(let element, _, let attributes):
                    for (name, value) in attributes where name == .text { texts[element.id] = value?.text }
                case .flags: break
                case .inserted(let element, let parent, let before):
                    add(element)
                    put(element.id, in: parent.id, before: before?.id)
                case .moved(let element, let parent, let before):
                    moves += 1
                    children[parent.id]?.removeAll { $0 == element.id }
                    put(element.id, in: parent.id, before: before?.id)
                case .removed(let id):
                    for parent in children.keys { children[parent]?.removeAll { $0 == id } }
                    remove(id)
                }
            }
        }

        private func put(_ id: Int, in parent: Int, before: Int?) {
            let siblings = children[parent] ?? []
            let place = before.flatMap { siblings.firstIndex(of: $0) } ?? siblings.endIndex
            if let before { #expect(siblings.contains(before)) }
            children[parent, default: []].insert(id, at: place)
        }

        private func remove(_ id: Int) {
            for child in children.removeValue(forKey: id) ?? [] { remove(child) }
            texts[id] = nil
        }

        func check(_ element: Element) {
            #expect(children[element.id] == element.pageChildren.map(\.id))
            #expect(texts[element.id] == element.attributes[.text]?.text)
            for child in element.pageChildren { check(child) }
        }
    }

    @MainActor @Observable
    final class Model {
        var numbers: [Int] = []
        var showsSection = false
        var title = "t"
    }

    struct Root: View {
        let model: Model
        var body: some View {
            NavigationStack {
                List {
                    if model.showsSection { Section("s") { Text("in section") } }
                    ForEach(model.numbers, id: \.self) { number in
                        Text("n\(number)")
                        if number.isMultiple(of: 3) { Text("three") }
                    }
                }
                .navigationTitle(model.title)
                .toolbar {
                    if model.numbers.count > 4 { ToolbarItem(placement: .cancellationAction) { Text("many") } }
                    ToolbarItem { Text("count \(model.numbers.count)") }
                }
            }
        }
    }

    @Test(arguments: 0..<20) func randomChangesArriveInTheRightPlaces(_ seed: UInt64) throws {
        var random = Random(state: seed &* 0x9e37_79b9_7f4a_7c15 &+ 1)
        let model = Model()
        let host = ViewHost(Root(model: model))
        defer { host.close() }
        let page = Page()
        page.show(host.root)
        host.onChanges = { changes, _ in page.apply(changes) }
        for _ in 0..<60 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: model.numbers.shuffle(using: &random)
            case 1:
                model.numbers.insert(
                    Int.random(in: 100..<10_000, using: &random), at: Int.random(in: 0...model.numbers.count, using: &random))
            case 2: if !model.numbers.isEmpty { model.numbers.remove(at: Int.random(in: 0..<model.numbers.count, using: &random)) }
            case 3: model.showsSection.toggle()
            case 4: model.title += "x"
            default: model.numbers = Array(0..<Int.random(in: 0..<12, using: &random)).shuffled(using: &random)
            }
            host.flush()
            page.check(host.root)
        }
    }

    @Test func whatIsStillInOrderIsNotMoved() {
        let model = Model()
        model.numbers = [1, 2, 4, 5, 7, 8]
        let host = ViewHost(Root(model: model))
        defer { host.close() }
        let page = Page()
        page.show(host.root)
        host.onChanges = { changes, _ in page.apply(changes) }
        model.numbers = [8, 1, 2, 4, 5, 7]
        host.flush()
        #expect(page.moves == 1)
        page.check(host.root)
    }

    @Test func onlyAGrowingTextIsAppendedTo() {
        let model = Model()
        struct TextView: View {
            let model: Model
            var body: some View { Text(model.title) }
        }
        let host = ViewHost(TextView(model: model))
        defer { host.close() }
        var seen: [String] = []
        host.onChanges = { changes, _ in
            for change in changes {
                switch change {
                case .appended(_, let suffix): seen.append("+\(suffix)")
                case .updated(_, _, let attributes): seen.append("=\(attributes.compactMap { $0.1?.text }.joined())")
                default: seen.append("?")
                }
            }
        }
        for text in ["te", "te\u{301}", "te\u{301}", "x", ""] {
            model.title = text
            host.flush()
        }
        // An accent that joins the letter before it is still a suffix of the bytes.
        #expect(seen == ["+e", "+\u{301}", "=x", "="])
    }

    @Test func longestIncreasingIsTheLongest() {
        #expect(longestIncreasing([]) == [])
        #expect(longestIncreasing([3, 1, 2, 0, 4]) == [1, 2, 4])
        #expect(longestIncreasing(Array((0..<100).reversed())).count == 1)
    }

    @Test func aViewThatWantsRoomMakesItsAncestorsWantIt() throws {
        let screen = ViewDriver(
            VStack {
                HStack {
                    Text("a")
                    Spacer()
                }
                .padding()
                ScrollView { Text("b") }
                ScrollView { Text("c") }.frame(height: 100)
                Text("d")
            })
        let stack = try #require(screen.visible.first { $0.kind == .vstack })
        #expect(stack.flags == .both)
        #expect(stack.pageChildren.map(\.flags) == [.width, .both, .width, []])
    }

    struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
