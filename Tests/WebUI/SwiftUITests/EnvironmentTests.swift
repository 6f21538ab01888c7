import SwiftUI
import Testing

private struct FlavourKey: EnvironmentKey { static let defaultValue = "plain" }
private struct ActionKey: EnvironmentKey { static var defaultValue: () -> Void { {} } }

extension EnvironmentValues {
    fileprivate var flavour: String {
        get { self[FlavourKey.self] }
        set { self[FlavourKey.self] = newValue }
    }
    fileprivate var action: () -> Void {
        get { self[ActionKey.self] }
        set { self[ActionKey.self] = newValue }
    }
}

/// Environment values: visibility, and evaluation after a change.
@MainActor
@Suite struct EnvironmentTests {
    @Observable final class Model { var name = "model" }

    struct Taste: View {
        @Environment(\.flavour) private var flavour
        var body: some View { Text(verbatim: flavour) }
    }

    @Test func environmentValuesAreOverriddenByInnerOnes() {
        struct Root: View {
            var body: some View {
                Taste()
                VStack {
                    Taste()
                    Taste().environment(\.flavour, "mint")
                    Taste().transformEnvironment(\.flavour) { $0 += " and cream" }
                }
                .environment(\.flavour, "cherry")
            }
        }
        #expect(ViewDriver(Root()).texts == ["plain", "cherry", "mint", "cherry and cream"])
    }

    @Test func environmentObjectsAreFoundByType() {
        struct Reader: View {
            @Environment(Model.self) private var model
            var body: some View { Text(verbatim: model.name) }
        }
        struct Possible: View {
            @Environment(Model.self) private var model: Model?
            var body: some View { Text(verbatim: model?.name ?? "none") }
        }
        struct Root: View {
            let model: Model
            var body: some View {
                Possible()
                VStack {
                    Reader()
                    Possible()
                    Possible().environment(Model?.none)
                }
                .environment(model)
            }
        }
        let model = Model()
        let screen = ViewDriver(Root(model: model))
        #expect(screen.texts == ["none", "model", "model", "none"])
        model.name = "changed"
        #expect(screen.texts == ["none", "changed", "changed", "none"])
    }

    @Test func environmentObjectsAllowSkipping() throws {
        struct Reader: View {
            let tally: Tally
            @Environment(Model.self) private var model
            @Environment(Model.self) private var possible: Model?
            @Environment(\.dismiss) private var dismiss
            @Environment(\.flavour) private var flavour
            @State private var own = 0
            var body: some View {
                let _ = tally.add("reader")
                Text(verbatim: model.name)
            }
        }
        struct Root: View {
            let tally: Tally
            let model: Model
            @State private var count = 0
            var body: some View {
                Button("count \(count)") { count += 1 }
                Reader(tally: tally).environment(\.flavour, "mint").environment(model)
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally, model: Model()))
        try screen.tap("count 0")
        try screen.tap("count 1")
        #expect(screen.has("count 2"))
        #expect(tally.count("reader") == 1)
    }

    @Test func dismissAndStylesDoNotBreakSkipping() throws {
        struct Row: View {
            let tally: Tally
            @Environment(\.dismiss) private var dismiss
            var body: some View {
                let _ = tally.add("row")
                Button("row") { dismiss() }
            }
        }
        struct Page: View {
            let tally: Tally
            @State private var count = 0
            var body: some View {
                Button("count \(count)") { count += 1 }
                Row(tally: tally)
                    .buttonStyle(.plain)
                    .font(.title)
                    .foregroundStyle(.red)
                    .onSubmit {}
            }
        }
        struct Root: View {
            let tally: Tally
            var body: some View {
                NavigationStack(path: .constant([1])) {
                    Text("root").navigationDestination(for: Int.self) { _ in Page(tally: tally) }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("count 0")
        try screen.tap("count 1")
        #expect(screen.has("count 2"))
        #expect(tally.count("row") == 1)
    }

    @Test func onlyIdenticalClosuresInTheEnvironmentAllowSkipping() throws {
        struct Reader: View {
            let tally: Tally
            @Environment(\.action) private var action
            var body: some View {
                let _ = tally.add("reader")
                Button("act") { action() }
            }
        }
        struct Root: View {
            let tally: Tally
            @State private var count = 0
            var body: some View {
                Text("count \(count)")
                Reader(tally: tally).environment(\.action) { count += 1 }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("act")
        try screen.tap("act")
        #expect(screen.has("count 2"))
    }

    @Test func innerViewsCannotUndoDisabled() throws {
        struct Reader: View {
            @Environment(\.isEnabled) private var isEnabled
            var body: some View { Text(verbatim: isEnabled ? "enabled" : "disabled") }
        }
        struct Root: View {
            var body: some View {
                Reader()
                VStack {
                    Reader().disabled(false)
                    Button("press") {}
                }
                .disabled(true)
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.texts == ["enabled", "disabled", "press"])
        let button = try screen.find("press", .button)
        #expect(button.attributes[.disabled] == .on)
        #expect(button.events == [])
        #expect(button.attributes[.events] == nil)
    }

    @Test func sceneChangesEvaluateTheirReadersOnly() {
        struct Scheme: View {
            let tally: Tally
            @Environment(\.colorScheme) private var colorScheme
            var body: some View {
                let _ = tally.add("scheme")
                Text(verbatim: colorScheme == .dark ? "dark" : "light")
            }
        }
        struct Phase: View {
            let tally: Tally
            @Environment(\.scenePhase) private var phase
            var body: some View {
                let _ = tally.add("phase")
                Text(verbatim: "\(phase)")
            }
        }
        struct Language: View {
            let tally: Tally
            @Environment(\.locale) private var locale
            var body: some View {
                let _ = tally.add("locale")
                Text(verbatim: locale.identifier)
            }
        }
        struct Root: View {
            let tally: Tally
            var body: some View {
                let _ = tally.add("root")
                Scheme(tally: tally)
                Phase(tally: tally)
                Language(tally: tally)
            }
        }
        let tally = Tally()
        let scene = SceneModel()
        let screen = ViewDriver(Root(tally: tally), scene: scene)
        #expect(screen.texts == ["light", "active", "en"])
        tally.clear()
        scene.colorScheme = .dark
        #expect(screen.texts == ["dark", "active", "en"])
        scene.phase = .background
        #expect(screen.texts == ["dark", "background", "en"])
        scene.locale = Locale(identifier: "ko")
        #expect(screen.texts == ["dark", "background", "ko"])
        scene.languages = ["en"]
        scene.phase = .background
        screen.host.flush()
        #expect(tally.log == ["scheme", "phase", "locale"])
    }

    @Test func aPreferredSchemeCountsForTheViewsInside() {
        struct Scheme: View {
            @Environment(\.colorScheme) private var colorScheme
            var body: some View { Text(verbatim: colorScheme == .dark ? "dark" : "light") }
        }
        struct Root: View {
            var body: some View { VStack { Scheme() }.preferredColorScheme(.dark) }
        }
        let screen = ViewDriver(Root())
        #expect(screen.texts == ["dark"])
        #expect(screen.host.root.first(.vstack)?.attributes[.colorScheme] == "dark")
    }

    @Test func linksOpenThroughTheScene() throws {
        struct Root: View {
            @Environment(\.openURL) private var openURL
            @State private var result = ""
            var body: some View {
                Button("open") {
                    if let url = URL(string: "https://example.org") { openURL(url) { result = $0 ? "opened" : "refused" } }
                }
                Text(verbatim: result)
            }
        }
        let scene = SceneModel()
        let tally = Tally()
        scene.open = {
            tally.add($0.absoluteString)
            return true
        }
        let screen = ViewDriver(Root(), scene: scene)
        try screen.tap("open")
        #expect(tally.log == ["https://example.org"])
        #expect(screen.has("opened"))
    }
}
