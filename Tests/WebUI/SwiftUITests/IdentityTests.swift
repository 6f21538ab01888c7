import SwiftUI
import Testing

/// State belongs to a structural position, a type and an id.
@MainActor
@Suite struct IdentityTests {
    struct Counter: View {
        let name: String
        @State private var count = 0
        var body: some View { Button("\(name) \(count)") { count += 1 } }
    }

    @Test func stateStaysWhenTheParentIsRenderedAgain() throws {
        struct Root: View {
            @State private var title = "A"
            var body: some View {
                Button("rename") { title = "B" }
                Counter(name: title)
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("A 0")
        try screen.tap("A 1")
        try screen.tap("rename")
        #expect(screen.has("B 2"))
    }

    @Test func theTwoSidesOfAnIfAreDifferentViews() throws {
        struct Root: View {
            @State private var isFirst = true
            var body: some View {
                Button("switch") { isFirst.toggle() }
                if isFirst { Counter(name: "one") } else { Counter(name: "two") }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("one 0")
        try screen.tap("switch")
        #expect(screen.has("two 0"))
        try screen.tap("switch")
        #expect(screen.has("one 0"))
    }

    @Test func stateFollowsForEachIDsThroughInsertionsAndMoves() throws {
        struct Root: View {
            @State private var names = ["a", "b", "c"]
            var body: some View {
                Button("insert") { names.insert("x", at: 0) }
                Button("reverse") { names.reverse() }
                Button("drop") { names.removeAll { $0 == "b" } }
                ForEach(names, id: \.self) { Counter(name: $0) }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("a 0")
        try screen.tap("b 0")
        try screen.tap("b 1")
        try screen.tap("insert")
        try screen.tap("reverse")
        #expect(screen.texts.suffix(4) == ["c 0", "b 2", "a 1", "x 0"])
        try screen.tap("drop")
        #expect(screen.texts.suffix(3) == ["c 0", "a 1", "x 0"])
    }

    @Test func duplicateIdsShareNoState() throws {
        struct Root: View {
            var body: some View { ForEach(["a", "a"], id: \.self) { Counter(name: $0) } }
        }
        let screen = ViewDriver(Root())
        try screen.tap("a 0")
        #expect(screen.texts.sorted() == ["a 0", "a 1"])
    }

    @Test func aNewIdIsANewView() throws {
        struct Root: View {
            @State private var number = 0
            var body: some View {
                Button("next") { number += 1 }
                Counter(name: "it").id(number)
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("it 0")
        #expect(screen.has("it 1"))
        try screen.tap("next")
        #expect(screen.has("it 0"))
    }

    @Test func theTypeInAnAnyViewBelongsToTheIdentity() throws {
        struct Other: View {
            @State private var count = 10
            var body: some View { Text("other \(count)") }
        }
        struct Root: View {
            @State private var isOther = false
            var body: some View {
                Button("switch") { isOther.toggle() }
                isOther ? AnyView(Other()) : AnyView(Counter(name: "it"))
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("it 0")
        try screen.tap("switch")
        #expect(screen.has("other 10"))
        try screen.tap("switch")
        #expect(screen.has("it 0"))
    }
}
