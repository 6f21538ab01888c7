import SwiftUI
import Testing

/// The field of `searchable`.
@MainActor
@Suite struct SearchTests {
    private struct Root: View {
        @State private var text = ""
        @State private var submitted = ""
        var body: some View {
            VStack {
                Results(text: text)
                Text("submitted \(submitted)")
            }
            .searchable(text: $text, prompt: "Names")
            .onSubmit(of: .search) { submitted = text }
        }
    }

    private struct Results: View {
        let text: String
        @Environment(\.isSearching) private var isSearching
        var body: some View { Text(verbatim: "\(text) \(isSearching)") }
    }

    @Test func typingSearchesAndCancelClears() throws {
        let screen = ViewDriver(Root())
        #expect(screen.has(" false"))
        #expect(!screen.has("Cancel"))
        try screen.type("ada", into: "Names")
        #expect(screen.has("ada true"))
        #expect(try screen.find("Names", .field).attributes[.submitLabel] == "search")
        try screen.tap("Cancel")
        #expect(screen.has(" false"))
        #expect(try screen.find("Names", .field).attributes[.focused] != .on)
        #expect(!screen.has("Cancel"))
    }

    @Test func theCrossClearsAndKeepsTheFocus() throws {
        let screen = ViewDriver(Root())
        try screen.type("ada", into: "Names")
        try screen.tap("Clear text")
        #expect(screen.has(" true"))
        #expect(try screen.find("Names", .field).attributes[.value] == "")
    }

    @Test func returnSubmitsTheSearchOnly() throws {
        struct Both: View {
            let tally: Tally
            @State private var text = ""
            @State private var other = ""
            var body: some View {
                TextField("Other", text: $other)
                    .searchable(text: $text)
                    .onSubmit(of: .search) { tally.add("search \(text)") }
                    .onSubmit { tally.add("text \(other)") }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Both(tally: tally))
        try screen.type("a", into: "Search")
        try screen.submit("Search")
        try screen.type("b", into: "Other")
        try screen.submit("Other")
        #expect(tally.log == ["search a", "text b"])
    }

    @Test func aBindingFocusesTheFieldAndFollowsIt() throws {
        struct Presented: View {
            @State private var text = ""
            @State private var isPresented = false
            var body: some View {
                VStack {
                    Text("presented \(isPresented)")
                    Button("find") { isPresented = true }
                }
                .searchable(text: $text, isPresented: $isPresented)
            }
        }
        let screen = ViewDriver(Presented())
        try screen.tap("find")
        #expect(try screen.find("Search", .field).attributes[.focused] == .on)
        try screen.tap("Cancel")
        #expect(screen.has("presented false"))
        try screen.focus("Search")
        #expect(screen.has("presented true"))
    }

    @Test(arguments: [("ko", "검색"), ("zh-TW", "搜尋"), ("zh-Hant", "搜尋"), ("zh-CN", "Search"), ("fr", "Search")])
    func aFieldWithoutPromptIsNamedInTheLanguageOfThePhone(_ language: String, _ word: String) throws {
        let scene = SceneModel()
        scene.languages = [language]
        struct Plain: View {
            @State private var text = ""
            var body: some View { Text("content").searchable(text: $text) }
        }
        let screen = ViewDriver(Plain(), scene: scene)
        #expect(screen.has(word))
        #expect(screen.has("content"))
    }
}
