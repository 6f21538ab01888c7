import SwiftUI
import Testing
import ViewKit

@MainActor
@Suite struct AnnouncementTests {
    @Test func wordsAreAnnouncedOnceWhenTheyAppearOrChange() throws {
        struct Root: View {
            @State private var words: String? = "first"
            @State private var count = 0
            var body: some View {
                Text(verbatim: "\(count)").announces(words)
                Text("silent").announces(words, atFirst: false)
                Button("count") { count += 1 }
                Button("change") { words = "second" }
                Button("clear") { words = nil }
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.announcements == ["first"])
        try screen.tap("count")
        #expect(screen.announcements == ["first"])
        try screen.tap("change")
        #expect(screen.announcements == ["first", "second", "second"])
        try screen.tap("clear")
        #expect(screen.announcements.count == 3)
    }

    @Test func announcedWordsAreInTheLanguageOfTheUser() throws {
        let scene = SceneModel()
        scene.languages = ["ko-KR", "en"]
        let screen = ViewDriver(PasteProblem(), scene: scene)
        #expect(screen.announcements.first?.contains("붙여") == true)
        #expect(screen.texts == screen.announcements)
    }

    /// A button would do both.
    @Test func holdKeyDoesOneThing() throws {
        struct Root: View {
            @State private var text = ""
            var body: some View {
                HoldKey(Text("key"), holdWords: Text("plus")) {
                    text += "0"
                } hold: {
                    text += "+"
                } label: {
                    Text(verbatim: $0 ? "down" : "up")
                }
                Text(verbatim: "typed \(text)")
            }
        }
        let screen = ViewDriver(Root())
        try screen.press("key", down: true)
        #expect(screen.texts.contains("down"))
        try screen.longPress("key")
        try screen.press("key", down: false)
        try screen.tap("key")
        #expect(screen.texts == ["up", "typed +0"])
    }
}
