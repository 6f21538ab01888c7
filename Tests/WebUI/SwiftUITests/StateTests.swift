import SwiftUI
import Testing

/// State, bindings, and who is evaluated when they change.
@MainActor
@Suite struct StateTests {
    struct Item: Identifiable, Equatable {
        let id: Int
        var name: String
    }

    @MainActor @Observable final class Model { var name = "a" }

    struct Child: View {
        @Binding var value: Int
        var body: some View { Button("child \(value)") { value += 1 } }
    }

    @Test func aBindingWritesToItsOwner() throws {
        struct Root: View {
            @State private var value = 1
            var body: some View {
                Text("root \(value)")
                Child(value: $value)
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("child 1")
        #expect(screen.texts == ["root 2", "child 2"])
    }

    @Test func aBindingToAPartChangesOnlyThatPart() throws {
        struct Root: View {
            @State private var item = Item(id: 1, name: "a")
            var body: some View {
                Text(item.name)
                TextField("name", text: $item.name)
            }
        }
        let screen = ViewDriver(Root())
        try screen.type("b", into: "name")
        #expect(screen.texts == ["b"])
    }

    @Test func rowsOfACollectionAreEditedThroughTheirBindings() throws {
        struct Root: View {
            @State private var items = [Item(id: 1, name: "a"), Item(id: 2, name: "b")]
            var body: some View {
                Text(items.map(\.name).joined(separator: ","))
                Button("swap") { items.swapAt(0, 1) }
                ForEach($items) { $item in TextField("field \(item.id)", text: $item.name) }
            }
        }
        let screen = ViewDriver(Root())
        try screen.type("x", into: "field 2")
        #expect(screen.has("a,x"))
        try screen.tap("swap")
        try screen.type("y", into: "field 2")
        #expect(screen.has("y,a"))
    }

    @Test func aBindingToAnOptionalIsThereWhileTheValueIs() throws {
        struct Root: View {
            @State private var name: String? = "a"
            var body: some View {
                Button("clear") { name = nil }
                if let name = Binding($name) { TextField("name", text: name) } else { Text("none") }
            }
        }
        let screen = ViewDriver(Root())
        try screen.type("b", into: "name")
        try screen.tap("clear")
        #expect(screen.texts.contains("none"))
    }

    @Test func aChangeFromAnotherThreadArrives() async throws {
        struct Root: View {
            @State private var value = 0
            var body: some View {
                Text("value \(value)").task {
                    let binding = $value
                    await Task { @concurrent in binding.wrappedValue = 7 }.value
                }
            }
        }
        let screen = ViewDriver(Root())
        try await screen.wait(for: "value 7")
    }

    @Test func changesInOnAppearAndOnChangeSettleInOneFlush() throws {
        struct Root: View {
            @State private var first = 0
            @State private var second = 0
            var body: some View {
                Text("\(first) \(second)")
                    .onAppear { first = 1 }
                    .onChange(of: first) { old, new in second = new * 10 + old }
                Button("more") { first += 1 }
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.texts.first == "1 10")
        try screen.tap("more")
        #expect(screen.texts.first == "2 21")
    }

    @Test func stateGoesWithItsView() throws {
        final class Model {}
        final class Weak { weak var model: Model? }
        struct Holder: View {
            @State private var model = Model()
            let weak: Weak
            var body: some View { Text("here").onAppear { weak.model = model } }
        }
        struct Root: View {
            @State private var isShown = true
            let weak: Weak
            var body: some View {
                Button("hide") { isShown = false }
                if isShown { Holder(weak: weak) }
            }
        }
        let weak = Weak()
        let screen = ViewDriver(Root(weak: weak))
        #expect(weak.model != nil)
        try screen.tap("hide")
        #expect(weak.model == nil)
    }

    @Test func aBindableObjectGivesBindings() throws {
        struct Root: View {
            @Bindable var model: Model
            var body: some View {
                Text(model.name)
                TextField("name", text: $model.name)
            }
        }
        let model = Model()
        let screen = ViewDriver(Root(model: model))
        try screen.type("b", into: "name")
        #expect(model.name == "b" && screen.texts == ["b"])
    }

    @Test func aFieldThatRejectsWhatWasTypedIsSentBack() throws {
        struct Root: View {
            @State private var text = "12"
            var body: some View {
                TextField("digits", text: Binding(projectedValue: $text).digits)
            }
        }
        let screen = ViewDriver(Root())
        var sent: [String] = []
        screen.host.onChanges = { changes, _ in
            for case .updated(_, _, let attributes) in changes {
                sent += attributes.filter { $0.0 == .value }.compactMap { $0.1?.text }
            }
        }
        try screen.type("123", into: "digits")
        #expect(sent == [])
        try screen.type("123x", into: "digits")
        #expect(sent == ["123"])
        #expect(try screen.find("digits").attributes[.value] == .text("123"))
    }
}

extension String {
    fileprivate var digits: String {
        get { self }
        set { self = newValue.filter(\.isNumber) }
    }
}
