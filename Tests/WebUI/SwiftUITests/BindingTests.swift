import SwiftUI
import Synchronization
import Testing

/// `@State`, `@Binding`, `@Bindable`: ownership, tracking and lifetime of values.
@MainActor
@Suite struct BindingTests {
    @Observable final class Person: Identifiable {
        let id: Int
        var name: String
        init(_ name: String, id: Int = 0) {
            self.name = name
            self.id = id
        }
    }

    @Test func aBindingToAPropertyChangesTheWholeValue() throws {
        struct Point: Equatable { var x = 1, y = 2 }
        struct Inner: View {
            @Binding var x: Int
            var body: some View { Button("x \(x)") { x += 10 } }
        }
        struct Root: View {
            @State private var point = Point()
            var body: some View {
                Inner(x: $point.x)
                Text("\(point.x),\(point.y)")
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("x 1")
        #expect(screen.texts == ["x 11", "11,2"])
    }

    @Test func aBindingToAnOptionalCanBeUnwrappedAndWrapped() throws {
        struct Root: View {
            @State private var name: String? = "a"
            @State private var sure = 1
            var body: some View {
                if let name = Binding($name) { Button("append to \(name.wrappedValue)") { name.wrappedValue += "b" } }
                Button("clear") { name = nil }
                let possible = Binding<Int?>($sure)
                Button("sure \(possible.wrappedValue ?? -1)") { possible.wrappedValue = 5 }
                Button("nothing") { possible.wrappedValue = nil }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("append to a")
        #expect(screen.has("append to ab"))
        try screen.tap("clear")
        #expect(!screen.has("append to ab"))
        try screen.tap("sure 1")
        try screen.tap("nothing")
        #expect(screen.has("sure 5"))
    }

    @Test func forEachBindingsFollowTheirElements() throws {
        struct Item: Identifiable {
            let id: String
            var count = 0
        }
        struct Root: View {
            @State private var items = [Item(id: "a"), Item(id: "b")]
            var body: some View {
                Button("reverse") { items.reverse() }
                ForEach($items) { $item in Button("\(item.id) \(item.count)") { item.count += 1 } }
                Text(verbatim: items.map { "\($0.id)\($0.count)" }.joined(separator: " "))
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("a 0")
        try screen.tap("reverse")
        try screen.tap("a 1")
        try screen.tap("b 0")
        #expect(screen.texts.last == "b1 a2")
    }

    @Test func aBindingToARemovedElementChangesNothing() throws {
        struct Item: Identifiable {
            let id: Int
            var name = ""
        }
        final class Box { var binding: Binding<Item>? }
        struct Root: View {
            let box: Box
            @State private var items = [Item(id: 1), Item(id: 2)]
            var body: some View {
                Button("drop") { items.removeLast() }
                ForEach($items) { $item in
                    let _ = item.id == 2 ? box.binding = $item : ()
                    Text("\(item.id)")
                }
            }
        }
        let box = Box()
        let screen = ViewDriver(Root(box: box))
        try screen.tap("drop")
        box.binding?.wrappedValue.name = "late"
        #expect(box.binding?.wrappedValue.id == 2)
        #expect(screen.texts == ["drop", "1"])
    }

    @Test func bindableMakesBindingsToPropertiesOfAModel() throws {
        struct Editor: View {
            @Bindable var person: Person
            var body: some View { TextField("Name", text: $person.name) }
        }
        struct Root: View {
            @State private var person = Person("Ann")
            var body: some View {
                Editor(person: person)
                Text(verbatim: "hello \(person.name)")
            }
        }
        let screen = ViewDriver(Root())
        try screen.type("Bob", into: "Name")
        #expect(screen.has("hello Bob"))
    }

    @Test func aConstantBindingStaysAsItIs() throws {
        struct Root: View {
            var body: some View { Toggle("on", isOn: .constant(true)) }
        }
        let screen = ViewDriver(Root())
        try screen.tap("on")
        #expect(try screen.find("on", .toggle).attributes[.selected] == .on)
    }

    @Test func stateSetOnAnotherThreadIsShown() async throws {
        struct Root: View {
            @State private var count = 0
            var body: some View {
                Text("count \(count)").task {
                    let count = $count
                    await Self.work { count.wrappedValue = 7 }
                }
            }
            @concurrent static func work(_ body: @Sendable () -> Void) async { body() }
        }
        let screen = ViewDriver(Root())
        try await screen.wait(for: "count 7")
    }

    @Test func writesFromManyThreadsAreNeitherLostNorTorn() async throws {
        final class Box { var binding: Binding<[Int]>? }
        struct Root: View {
            let box: Box
            @State private var numbers: [Int] = []
            var body: some View {
                let _ = box.binding = $numbers
                Text(verbatim: "sum \(numbers.reduce(0, +)) of \(numbers.count)")
            }
        }
        let box = Box()
        let screen = ViewDriver(Root(box: box))
        let binding = try #require(box.binding)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask { for round in 1...200 { binding.wrappedValue = Array(repeating: number, count: round) } }
            }
        }
        let last = binding.wrappedValue
        #expect(last.count == 200 && Set(last).count == 1)
        try await screen.wait(for: "sum \((last.first ?? 0) * 200) of 200")
    }

    @Test func stateSetWhileAppearingIsShownAtOnce() {
        struct Root: View {
            @State private var text = "before"
            @State private var echoes = 0
            var body: some View {
                Text(verbatim: "\(text) \(echoes)")
                    .onAppear { text = "after" }
                    .onChange(of: text) { echoes += 1 }
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.texts == ["after 1"])
    }

    @Test func stateEndsWithItsView() throws {
        struct Inner: View {
            @State private var person = Person("inner")
            let note: (Person) -> Void
            var body: some View {
                let _ = note(person)
                Text(verbatim: person.name)
            }
        }
        struct Root: View {
            @State private var isShown = true
            let note: (Person) -> Void
            var body: some View {
                Button("toggle") { isShown.toggle() }
                if isShown { Inner(note: note) }
            }
        }
        weak var person: Person?
        let screen = ViewDriver(Root { person = $0 })
        #expect(person?.name == "inner")
        try screen.tap("toggle")
        #expect(!screen.has("inner"))
        #expect(person == nil)
    }

    @Test func settingAnEqualStateEvaluatesNothing() throws {
        struct Root: View {
            let tally: Tally
            @State private var isOn = true
            var body: some View {
                let _ = tally.add("body")
                Button(isOn ? "on" : "off") { isOn = true }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("on")
        #expect(tally.count("body") == 1)
    }

    @Test func anInitialValueCountsOnlyTheFirstTime() throws {
        struct Inner: View {
            @State private var value: Int
            init(_ value: Int) { _value = State(initialValue: value) }
            var body: some View { Text("inner \(value)") }
        }
        struct Root: View {
            @State private var value = 1
            var body: some View {
                Button("next") { value += 1 }
                Inner(value)
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("next")
        #expect(screen.has("inner 1"))
    }

    @Test func nestedDynamicPropertiesAreConnected() throws {
        @propertyWrapper struct Clicks: DynamicProperty {
            @State private var count = 0
            @Environment(\.isEnabled) private var isEnabled
            var wrappedValue: String { "\(count) \(isEnabled)" }
            var projectedValue: () -> Void { { count += 1 } }
        }
        struct Root: View {
            @Clicks private var clicks
            var body: some View { Button(clicks) { $clicks() } }
        }
        let screen = ViewDriver(Root())
        try screen.tap("0 true")
        #expect(screen.has("1 true"))
    }

    @Test func stateOutsideOfABodyIsItsInitialValue() {
        let state = State(initialValue: 4)
        state.wrappedValue = 9
        #expect(state.wrappedValue == 4)
        #expect(state.projectedValue.wrappedValue == 4)
    }
}
