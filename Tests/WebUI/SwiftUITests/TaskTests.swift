import SwiftUI
import Testing

/// Tasks, and appearance and disappearance of views.
@MainActor
@Suite struct TaskTests {
    /// A view whose task records its start and cancellation.
    struct Worker: View {
        let name: String
        let tally: Tally
        var id = 0
        var body: some View {
            Text(verbatim: name)
                .onAppear { tally.add("\(name) appears") }
                .onDisappear { tally.add("\(name) disappears") }
                .task(id: id) {
                    tally.add("\(name) \(id) starts")
                    let stream = AsyncStream<Never> { _ in }
                    for await _ in stream {}
                    tally.add("\(name) \(id) ends")
                }
        }
    }

    private func wait(_ screen: ViewDriver, _ tally: Tally, for entry: String, times: Int = 1) async throws {
        for _ in 0..<10_000 where tally.count(entry) < times { await Task.yield() }
        try #require(tally.count(entry) == times, "\(entry) in \(tally.log)")
    }

    @Test func aTaskLivesAsLongAsItsView() async throws {
        struct Root: View {
            let tally: Tally
            @State private var isShown = true
            var body: some View {
                Button("toggle") { isShown.toggle() }
                if isShown { Worker(name: "a", tally: tally) }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        #expect(tally.log == ["a appears"])
        try await wait(screen, tally, for: "a 0 starts")
        try screen.tap("toggle")
        try await wait(screen, tally, for: "a 0 ends")
        #expect(tally.log == ["a appears", "a 0 starts", "a disappears", "a 0 ends"])
        try screen.tap("toggle")
        try await wait(screen, tally, for: "a 0 starts", times: 2)
    }

    @Test func aNewIDRestartsTheTask() async throws {
        struct Root: View {
            let tally: Tally
            @State private var id = 0
            @State private var other = 0
            var body: some View {
                Button("next") { id += 1 }
                Button("other \(other)") { other += 1 }
                Worker(name: "a", tally: tally, id: id)
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try await wait(screen, tally, for: "a 0 starts")
        try screen.tap("other 0")
        try screen.tap("next")
        try await wait(screen, tally, for: "a 0 ends")
        try await wait(screen, tally, for: "a 1 starts")
        #expect(tally.count("a appears") == 1)
        #expect(tally.count("a disappears") == 0)
        #expect(tally.count("a 0 starts") == 1)
    }

    @Test func aCoveredPagesTasksPause() async throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                NavigationStack {
                    VStack {
                        Worker(name: "root", tally: tally)
                        NavigationLink("go", value: 1)
                    }
                    .navigationDestination(for: Int.self) { _ in Worker(name: "page", tally: tally) }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try await wait(screen, tally, for: "root 0 starts")
        try screen.tap("go")
        try await wait(screen, tally, for: "root 0 ends")
        try await wait(screen, tally, for: "page 0 starts")
        #expect(tally.count("root disappears") == 1)
        try screen.back()
        try await wait(screen, tally, for: "page 0 ends")
        try await wait(screen, tally, for: "root 0 starts", times: 2)
        #expect(tally.count("root appears") == 2)
        #expect(tally.count("page disappears") == 1)
    }

    @Test func aHiddenTabStartsWhenSelected() async throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                TabView {
                    Worker(name: "one", tally: tally).tabItem { Text("First") }
                    Worker(name: "two", tally: tally).tabItem { Text("Second") }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try await wait(screen, tally, for: "one 0 starts")
        #expect(tally.count("two appears") == 0)
        try screen.tap("Second")
        try await wait(screen, tally, for: "one 0 ends")
        try await wait(screen, tally, for: "two 0 starts")
        try screen.tap("First")
        try await wait(screen, tally, for: "two 0 ends")
        try await wait(screen, tally, for: "one 0 starts", times: 2)
        #expect(
            tally.log.filter { $0.hasSuffix("appears") } == [
                "one appears", "one disappears", "two appears", "two disappears", "one appears",
            ])
    }

    @Test func aNewIDReplacesTheView() async throws {
        struct Root: View {
            let tally: Tally
            @State private var id = 0
            var body: some View {
                Button("next") { id += 1 }
                Worker(name: "a", tally: tally).id(id)
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try await wait(screen, tally, for: "a 0 starts")
        try screen.tap("next")
        try await wait(screen, tally, for: "a 0 starts", times: 2)
        try await wait(screen, tally, for: "a 0 ends")
        #expect(tally.count("a appears") == 2)
        #expect(tally.count("a disappears") == 1)
    }

    @Test func aTaskSeesTheMainActor() async throws {
        struct Root: View {
            @State private var text = "waiting"
            var body: some View {
                Text(verbatim: text).task {
                    MainActor.assertIsolated()
                    await Task.yield()
                    MainActor.assertIsolated()
                    text = "done"
                }
            }
        }
        let screen = ViewDriver(Root())
        try await screen.wait(for: "done")
    }

    @Test func onChangeRunsOncePerChangeWithBothValues() throws {
        struct Root: View {
            let tally: Tally
            @State private var count = 0
            @State private var other = 0
            var body: some View {
                Button("up") { count += 2 }
                Button("other") { other += 1 }
                Text("\(other)")
                    .onChange(of: count) { old, new in tally.add("\(old)→\(new)") }
                    .onChange(of: count, initial: true) { tally.add("now \(count)") }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        #expect(tally.log == ["now 0"])
        try screen.tap("up")
        try screen.tap("other")
        try screen.tap("up")
        #expect(tally.log == ["now 0", "0→2", "now 2", "2→4", "now 4"])
    }

    @Test func onChangeOfAnOptionalNoticesNil() throws {
        struct Root: View {
            let tally: Tally
            @State private var name: String?
            var body: some View {
                Button("set") { name = "x" }
                Button("clear") { name = nil }
                Text("a").onChange(of: name) { old, new in tally.add("\(old ?? "nil")→\(new ?? "nil")") }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("set")
        try screen.tap("clear")
        #expect(tally.log == ["nil→x", "x→nil"])
    }

    @Observable final class Model {
        var items = [1, 2, 3]
        let tally: Tally
        init(_ tally: Tally) { self.tally = tally }
    }

    @Test func closingEndsEveryTaskAndFreesEverything() async throws {
        struct Page: View {
            @Bindable var model: Model
            @State private var text = ""
            @FocusState private var isFocused: Bool
            @Environment(\.dismiss) private var dismiss
            @State private var showsSheet = true
            @State private var showsAlert = true
            var body: some View {
                List {
                    ForEach(model.items, id: \.self) { item in Button("item \(item)") { model.items.removeAll { $0 == item } } }
                    TextField("Text", text: $text).focused($isFocused).onSubmit { dismiss() }
                    NavigationLink("more") { Worker(name: "more", tally: model.tally) }
                }
                .refreshable { model.items.append(9) }
                .navigationTitle("Page \(model.items.count)")
                .toolbar { ToolbarItem(placement: .primaryAction) { Button("Close") { dismiss() } } }
                .sheet(isPresented: $showsSheet) {
                    NavigationStack {
                        Button("close sheet") { showsSheet = false }
                            .toolbar { Button("Done") { dismiss() } }
                            .alert("Alert", isPresented: $showsAlert) { Button("OK") { model.items = [] } }
                            .task { try? await Task.sleep(for: .seconds(1_000)) }
                    }
                }
                .onChange(of: model.items) { model.tally.add("changed") }
                .task {
                    for await _ in AsyncStream<Never>(unfolding: {
                        try? await Task.sleep(for: .seconds(1_000)); return nil
                    }) {}
                }
            }
        }
        struct Root: View {
            let model: Model
            @State private var path = NavigationPath([1])
            var body: some View {
                TabView {
                    NavigationStack(path: $path) {
                        Worker(name: "root", tally: model.tally).navigationDestination(for: Int.self) { _ in Page(model: model) }
                    }
                    .tabItem { Label("One", systemImage: "1.circle") }
                    Worker(name: "other", tally: model.tally).tabItem { Text("Two") }
                }
                .environment(model)
            }
        }
        let tally = Tally()
        weak var weakModel: Model?
        weak var weakHost: ViewHost?
        do {
            let model = Model(tally)
            weakModel = model
            var screen: ViewDriver? = ViewDriver(Root(model: model))
            weakHost = screen?.host
            #expect(screen?.title == "Alert")
            try screen?.tap("OK")
            try screen?.tap("close sheet")
            #expect(screen?.title == "Page 0")
            screen = nil
        }
        // Tasks release their captures after their cancellation.
        for _ in 0..<10_000 where weakModel != nil { await Task.yield() }
        #expect(weakHost == nil)
        #expect(weakModel == nil)
    }
}
