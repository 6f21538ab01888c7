import SwiftUI
import Testing

/// Scene storage, and URLs that open the app.
@MainActor
@Suite struct SceneStorageTests {
    enum Tab: String { case first, second }
    enum Level: Int { case low, high }

    struct Root: View {
        @SceneStorage("count") private var count = 0
        @SceneStorage("name") private var name = "nobody"
        @SceneStorage("isOpen") private var isOpen = false
        @SceneStorage("share") private var share = 0.5
        @SceneStorage("tab") private var tab = Tab.first
        @SceneStorage("level") private var level: Level?
        var body: some View {
            Text(verbatim: "\(count) \(name) \(isOpen) \(share) \(tab) \(level.map { "\($0)" } ?? "none")")
            Other()
            TextField("name", text: $name)
            Button("change") {
                count += 1
                isOpen = true
                share = 2
                tab = .second
                level = level == nil ? .high : nil
            }
        }
    }

    struct Other: View {
        @SceneStorage("count") private var count = 7
        var body: some View { Text(verbatim: "other \(count)") }
    }

    @Test func sceneValuesOfOneKeyAreShared() throws {
        let screen = ViewDriver(Root())
        #expect(screen.texts.prefix(2) == ["0 nobody false 0.5 first none", "other 7"])
        try screen.tap("change")
        try screen.type("Ada", into: "name")
        #expect(screen.texts.prefix(2) == ["1 Ada true 2.0 second high", "other 1"])
    }

    @Test func newTreesStartWithTheStoredSceneValues() throws {
        let screen = ViewDriver(Root())
        try screen.tap("change")
        try screen.type("Ada", into: "name")
        let scene = SceneModel()
        scene.store.restore(screen.host.scene.store.storableValues)
        let next = ViewDriver(Root(), scene: scene)
        #expect(next.texts.first == "1 Ada true 2.0 second high")
        // An optional without a value is not stored.
        try next.tap("change")
        #expect(scene.store.storableValues["level"] == nil)
        #expect(next.texts.first == "2 Ada true 2.0 second none")
    }

    @Test func sceneValuesOfAnotherTypeAreIgnored() {
        let scene = SceneModel()
        scene.store.restore(["count": .text("one"), "tab": .text("third"), "level": .integer(9), "share": .integer(3)])
        #expect(ViewDriver(Root(), scene: scene).texts.first == "0 nobody false 3.0 first none")
    }

    @Test func sceneValuesAreBounded() {
        let long = String(repeating: "x", count: 4097)
        let store = SceneStore()
        store.restore(["long": .text(long), String(repeating: "k", count: 129): .flag(true), "short": .text("x")])
        #expect(store.storableValues == ["short": .text("x")])
        store.restore(Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", .integer($0)) }))
        #expect(store.storableValues.count == 64)
        store.restore(Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0)", .text(String(repeating: "x", count: 4000))) }))
        #expect(store.storableValues.count == 4)
    }

    @Test func everyOnOpenURLReceivesTheURL() throws {
        struct Root: View {
            @State private var isShown = true
            @State private var address = "none"
            let tally: Tally
            var body: some View {
                Text(verbatim: address).onOpenURL { address = $0.fragment ?? "" }
                if isShown { Text("second").onOpenURL { tally.add($0.absoluteString) } }
                Button("hide") { isShown = false }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        let url = try #require(URL(string: "https://box/apps/test/#add=1A2B"))
        screen.host.open(url)
        #expect(screen.texts.first == "add=1A2B")
        try screen.tap("hide")
        screen.host.open(url)
        #expect(tally.log == [url.absoluteString])
    }
}
