import SwiftUI
import Testing

/// The driver finds visible elements, and reports failures.
@MainActor
@Suite struct DriverTests {
    struct Root: View {
        @State private var asks = false
        var body: some View {
            TabView {
                NavigationStack {
                    VStack {
                        NavigationLink("deeper", value: 1)
                        Text("root text")
                        Button("disabled") {}.disabled(true)
                        Button("ask") { asks = true }
                    }
                    .alert("Sure?", isPresented: $asks) { Button("Yes") {} }
                    .navigationDestination(for: Int.self) { _ in Text("page text") }
                }
                .tabItem { Text("First") }
                Text("hidden text").tabItem { Text("Second") }
            }
        }
    }

    private func failure(_ action: () throws -> Void) -> String {
        do { try action() } catch { return "\(error)" }
        return "none"
    }

    @Test func failuresListVisibleTexts() {
        let screen = ViewDriver(Root())
        let missing = failure { try screen.tap("nothing") }
        #expect(missing.hasPrefix("there is no “nothing”; visible: "))
        #expect(missing.contains("text “root text”"))
        #expect(missing.contains("tabitem “Second”"))
        #expect(!missing.contains("hidden text"))
        #expect(failure { try screen.tap("disabled") }.hasPrefix("“disabled” is disabled; visible: "))
        #expect(failure { try screen.tap("root text") }.hasPrefix("“root text” takes no tap; visible: "))
        #expect(failure { try screen.back() }.hasPrefix("no page can be left; visible: "))
        #expect(failure { try screen.dismiss() }.hasPrefix("nothing can be dismissed; visible: "))
        #expect(failure { try screen.pull() }.hasPrefix("nothing can be refreshed; visible: "))
        #expect(failure { try screen.type("a", into: "ask") }.hasPrefix("“ask” takes no input; visible: "))
    }

    @Test func coveredPagesAndHiddenTabsAreNotSeen() throws {
        let screen = ViewDriver(Root())
        #expect(!screen.has("hidden text"))
        try screen.tap("deeper")
        #expect(screen.has("page text"))
        #expect(!screen.has("root text"))
        try screen.tap("Second")
        #expect(screen.has("hidden text"))
        #expect(!screen.has("page text"))
    }

    @Test func onlyTheTopmostDialogIsSeen() throws {
        let screen = ViewDriver(Root())
        try screen.tap("ask")
        #expect(screen.visible.first?.kind == .alert)
        #expect(!screen.has("root text"))
        #expect(failure { try screen.tap("ask") }.hasPrefix("there is no “ask”; visible: alert “Sure?”"))
        try screen.tap("Yes")
        #expect(screen.has("root text"))
    }

    @Test func waitingEndsWithTheChangeOrAFailure() async throws {
        struct Later: View {
            @State private var text = "now"
            var body: some View {
                Text(verbatim: text).task {
                    await Task.yield()
                    text = "later"
                }
            }
        }
        let screen = ViewDriver(Later())
        try await screen.wait(for: "later")
        try await screen.wait(for: "later")
        await #expect(throws: DriverError.self) {
            try await screen.wait("never", limit: .milliseconds(1)) { false }
        }
    }

    @Test func waitingEndsOnAnEndlesslyChangingTree() async {
        struct Restless: View {
            @State private var count = 0
            var body: some View { Text(verbatim: "\(count)").task(id: count) { count += 1 } }
        }
        let screen = ViewDriver(Restless())
        await #expect(throws: DriverError.self) {
            try await screen.wait("never", limit: .milliseconds(50)) { false }
        }
    }

    @Test func theInnermostMatchIsFound() throws {
        struct Names: View {
            let tally: Tally
            var body: some View {
                VStack { Button("name") { tally.add("button") } }.accessibilityLabel("name").onTapGesture { tally.add("column") }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Names(tally: tally))
        try screen.tap("name")
        #expect(tally.log == ["button"])
        #expect(try screen.find("name", .vstack).kind == .vstack)
    }
}
