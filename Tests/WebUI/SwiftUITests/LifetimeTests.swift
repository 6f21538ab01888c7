import SwiftUI
import Testing

/// Appearing, disappearing, and the tasks in between.
@MainActor
@Suite struct LifetimeTests {
    @MainActor @Observable
    final class Journal {
        var lines: [String] = []
        func note(_ line: String) { lines.append(line) }
    }

    /// Notes its task's start and end.
    struct Worker: View {
        let name: String
        let journal: Journal
        var body: some View {
            Text(name)
                .onAppear { journal.note("\(name) appears") }
                .onDisappear { journal.note("\(name) disappears") }
                .task {
                    journal.note("\(name) starts")
                    do {
                        try await Task.sleep(for: .seconds(3600))
                    } catch {
                        journal.note("\(name) is cancelled")
                    }
                }
        }
    }

    @Test func aTaskLivesWithItsView() async throws {
        struct Root: View {
            let journal: Journal
            @State private var isShown = true
            var body: some View {
                Button("toggle") { isShown.toggle() }
                if isShown { Worker(name: "a", journal: journal) }
            }
        }
        let journal = Journal()
        let screen = ViewDriver(
            VStack {
                Root(journal: journal); Text("\(journal.lines.count)")
            })
        try await screen.wait { journal.lines == ["a appears", "a starts"] }
        try screen.tap("toggle")
        try await screen.wait { journal.lines.suffix(2).sorted() == ["a disappears", "a is cancelled"] }
        try screen.tap("toggle")
        try await screen.wait { journal.lines.suffix(2) == ["a appears", "a starts"] }
    }

    @Test func aTaskBeginsAnewWithItsId() async throws {
        struct Root: View {
            let journal: Journal
            @State private var number = 0
            var body: some View {
                Button("next") { number += 1 }
                Text("\(journal.lines.count)").task(id: number) {
                    let own = number
                    journal.note("starts \(own)")
                    do { try await Task.sleep(for: .seconds(3600)) } catch { journal.note("ends \(own)") }
                }
            }
        }
        let journal = Journal()
        let screen = ViewDriver(Root(journal: journal))
        try await screen.wait { journal.lines == ["starts 0"] }
        try screen.tap("next")
        try await screen.wait { Set(journal.lines) == ["starts 0", "ends 0", "starts 1"] }
    }

    @Test func aCoveredPageDisappearsAndComesBack() async throws {
        struct Root: View {
            let journal: Journal
            @State private var path: [Int] = []
            var body: some View {
                NavigationStack(path: $path) {
                    VStack {
                        Worker(name: "root", journal: journal)
                        Button("push") { path.append(1) }
                    }
                    .navigationDestination(for: Int.self) { _ in Worker(name: "page", journal: journal) }
                }
            }
        }
        let journal = Journal()
        let screen = ViewDriver(
            VStack {
                Root(journal: journal); Text("\(journal.lines.count)")
            })
        try await screen.wait { journal.lines == ["root appears", "root starts"] }
        try screen.tap("push")
        try await screen.wait {
            Set(journal.lines.suffix(4)) == ["root disappears", "root is cancelled", "page appears", "page starts"]
        }
        try screen.back()
        try await screen.wait {
            Set(journal.lines.suffix(4)) == ["root appears", "root starts", "page disappears", "page is cancelled"]
        }
    }

    @Test func aHiddenTabKeepsItsStateAndStopsItsTasks() async throws {
        struct Counter: View {
            @State private var count = 0
            var body: some View { Button("count \(count)") { count += 1 } }
        }
        struct Root: View {
            let journal: Journal
            var body: some View {
                TabView {
                    VStack {
                        Worker(name: "one", journal: journal)
                        Counter()
                    }
                    .tabItem { Text("First") }
                    Worker(name: "two", journal: journal).tabItem { Text("Second") }
                }
            }
        }
        let journal = Journal()
        let screen = ViewDriver(
            VStack {
                Root(journal: journal); Text("\(journal.lines.count)")
            })
        try await screen.wait { journal.lines == ["one appears", "one starts"] }
        try screen.tap("count 0")
        try screen.tap("Second")
        #expect(!screen.has("count 1"))
        try await screen.wait { journal.lines.contains("one is cancelled") && journal.lines.contains("two starts") }
        try screen.tap("First")
        #expect(screen.has("count 1"))
    }

    @Test func closingTheTreeEndsEverythingAndFreesIt() async throws {
        final class Weak { weak var host: ViewHost?; weak var journal: Journal? }
        let weak = Weak()
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        do {
            struct Root: View {
                let journal: Journal
                let end: AsyncStream<Void>.Continuation
                @State private var isPresented = true
                var body: some View {
                    NavigationStack {
                        List {
                            Button("b") { journal.note("tapped") }
                            NavigationLink("link") { Text("page \(journal.lines.count)") }
                        }
                        .navigationTitle("t")
                        .toolbar { Button("item") { journal.note("item") } }
                        .sheet(isPresented: $isPresented) { Button("s") { isPresented = false } }
                        .refreshable { journal.note("refreshed") }
                    }
                    .task {
                        do { try await Task.sleep(for: .seconds(3600)) } catch { end.finish() }
                    }
                }
            }
            let journal = Journal()
            let host = ViewHost(Root(journal: journal, end: end))
            weak.host = host
            weak.journal = journal
            host.flush()
            await Task.yield()
            host.close()
        }
        for await _ in ended {}
        // The cancelled task lets go of what it holds when it is over, which is a moment later.
        for _ in 0..<1000 where weak.host != nil || weak.journal != nil { await Task.yield() }
        #expect(weak.host == nil)
        #expect(weak.journal == nil)
    }
}
