import SwiftUI
import Testing

/// Who is evaluated, how often, and who is not.
@MainActor
@Suite struct TrackingTests {
    final class Counts {
        var evaluations: [String: Int] = [:]
        func note(_ name: String) { evaluations[name, default: 0] += 1 }
        func taken() -> [String: Int] {
            defer { evaluations = [:] }
            return evaluations
        }
    }

    @MainActor @Observable
    final class Model {
        var first = 0
        var second = 0
    }

    @MainActor @Observable final class Other {}

    @MainActor @Observable
    final class Message: Identifiable {
        let id: Int
        var text = "m"
        init(id: Int) { self.id = id }
    }

    struct First: View {
        let model: Model
        let counts: Counts
        var body: some View {
            let _ = counts.note("first")
            Text("first \(model.first)")
        }
    }

    struct Second: View {
        let model: Model
        let counts: Counts
        var body: some View {
            let _ = counts.note("second")
            Text("second \(model.second)")
        }
    }

    struct Root: View {
        let model: Model
        let counts: Counts
        @State private var title = "root"
        var body: some View {
            let _ = counts.note("root")
            Button(title) { title += "!" }
            First(model: model, counts: counts)
            Second(model: model, counts: counts)
        }
    }

    @Test func onlyTheReadersOfAPropertyAreEvaluated() throws {
        let (model, counts) = (Model(), Counts())
        let screen = ViewDriver(Root(model: model, counts: counts))
        #expect(counts.taken() == ["root": 1, "first": 1, "second": 1])
        model.first = 1
        #expect(screen.texts == ["root", "first 1", "second 0"])
        #expect(counts.taken() == ["first": 1])
        model.second = 5
        model.second = 6
        #expect(screen.texts == ["root", "first 1", "second 6"])
        #expect(counts.taken() == ["second": 1])
    }

    @Test func aChildWithTheSameValueIsNotEvaluatedWithItsParent() throws {
        let (model, counts) = (Model(), Counts())
        let screen = ViewDriver(Root(model: model, counts: counts))
        _ = counts.taken()
        try screen.tap("root")
        #expect(screen.has("root!"))
        #expect(counts.taken() == ["root": 1])
    }

    @Test func aTokenEvaluatesTheRowOfItsMessageOnly() {
        struct Row: View {
            let message: Message
            let counts: Counts
            var body: some View {
                let _ = counts.note("row")
                Text(message.text)
            }
        }
        struct Chat: View {
            let messages: [Message]
            let counts: Counts
            var body: some View {
                let _ = counts.note("chat")
                List(messages) { Row(message: $0, counts: counts) }
            }
        }
        let counts = Counts()
        let messages = (0..<100).map { Message(id: $0) }
        let screen = ViewDriver(Chat(messages: messages, counts: counts))
        _ = counts.taken()
        var changes: [Change] = []
        screen.host.onChanges = { new, _ in changes += new }
        messages[57].text += " token"
        screen.host.flush()
        #expect(counts.taken() == ["row": 1])
        guard changes.count == 1, case .appended(_, " token") = changes[0] else {
            Issue.record("\(changes)")
            return
        }
    }

    @Test func theWorldIsReadByThoseThatAskForIt() {
        struct Scheme: View {
            let counts: Counts
            @Environment(\.colorScheme) private var scheme
            var body: some View {
                let _ = counts.note("scheme")
                Text("\(String(describing: scheme))")
            }
        }
        struct Both: View {
            let counts: Counts
            var body: some View {
                let _ = counts.note("both")
                Scheme(counts: counts)
            }
        }
        let (counts, scene) = (Counts(), SceneModel())
        let screen = ViewDriver(Both(counts: counts), scene: scene)
        _ = counts.taken()
        scene.colorScheme = .dark
        #expect(screen.texts == ["dark"])
        #expect(counts.taken() == ["scheme": 1])
        scene.phase = .background
        _ = screen.texts
        #expect(counts.taken() == [:])
    }

    @Test func anObjectInTheEnvironmentIsTrackedToo() {
        struct Inner: View {
            @Environment(Model.self) private var model
            @Environment(Other.self) private var missing: Other?
            var body: some View { Text("\(model.first) \(missing == nil ? "none" : "some")") }
        }
        let model = Model()
        let screen = ViewDriver(VStack { Inner() }.environment(model))
        model.first = 3
        #expect(screen.texts == ["3 none"])
    }

    @Test func aValueFurtherInWins() {
        struct Reader: View {
            @Environment(\.name) private var name
            var body: some View { Text(name) }
        }
        let screen = ViewDriver(
            VStack {
                Reader()
                Reader().environment(\.name, "inner")
            }
            .environment(\.name, "outer"))
        #expect(screen.texts == ["outer", "inner"])
        #expect(ViewDriver(Reader()).texts == ["default"])
    }
}

private struct NameKey: EnvironmentKey { static var defaultValue: String { "default" } }

extension EnvironmentValues {
    fileprivate var name: String {
        get { self[NameKey.self] }
        set { self[NameKey.self] = newValue }
    }
}
