import SwiftUI
import Testing

/// Keyboard shortcuts.
@MainActor
@Suite struct ShortcutTests {
    private func keys(_ view: some View) -> [String?] {
        ViewDriver(view).visible.filter { $0.kind == .button }.map { $0.attributes[.keys]?.text }
    }

    @Test func keysHaveTheNamesThatBrowsersKnow() {
        func name(_ key: KeyEquivalent, _ modifiers: EventModifiers = []) -> String? {
            keys(Button("a") {}.keyboardShortcut(key, modifiers: modifiers))[0]
        }
        let named: [KeyEquivalent] = [
            .upArrow, .downArrow, .leftArrow, .rightArrow, .escape, .delete, .tab, .space, .return, "+",
        ]
        #expect(
            named.map { name($0) } == [
                "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Escape", "Backspace", "Tab", "Space", "Enter", "Plus",
            ])
        #expect(name("2") == "2")
        #expect(name("s", .all) == "Meta+Control+Alt+Shift+s")
        #expect(name("S", .option) == "Alt+Shift+s")
        #expect(name("5", .numericPad) == "5")
        #expect(keys(Button("a") {}.keyboardShortcut("s")) == ["Meta+s"])
        #expect(keys(Button("a") {}.keyboardShortcut(.defaultAction)) == ["Enter"])
        #expect(keys(Button("a") {}.keyboardShortcut(.cancelAction)) == ["Escape"])
        #expect(keys(Button("a") {}.keyboardShortcut("a").keyboardShortcut(nil)) == ["Meta+a"])
        #expect(keys(Button("a") {}.keyboardShortcut(nil)) == [nil])
        #expect(KeyboardShortcut("a") == KeyboardShortcut("a", modifiers: .command))
    }

    @Test func aKeyTapsButtonsAndSwitches() throws {
        struct Root: View {
            let tally: Tally
            @State private var isOn = false
            var body: some View {
                Button("2") { tally.add("2") }.keyboardShortcut("2", modifiers: [])
                Toggle("switch", isOn: $isOn).keyboardShortcut("t")
                Text(isOn ? "on" : "off")
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.pressKey("2")
        try screen.pressKey("t", modifiers: .command)
        #expect(tally.log == ["2"])
        #expect(screen.has("on"))
        #expect(throws: DriverError.self) { try screen.pressKey("2", modifiers: .shift) }
        #expect(throws: DriverError.self) { try screen.pressKey("t") }
    }

    @Test func shortcutsReachTheNearestControlOnly() throws {
        struct Round: ButtonStyle {
            func makeBody(configuration: Configuration) -> some View { configuration.label.padding() }
        }
        struct Root: View {
            let tally: Tally
            var body: some View {
                Button("send") { tally.add("send") }
                    .buttonStyle(Round())
                    .padding().background(.blue, in: .capsule).overlay { Button("over") {} }.frame(width: 60)
                    .onTapGesture { tally.add("box") }
                    .keyboardShortcut(.return, modifiers: [])
                VStack { Button("inside") {} }.keyboardShortcut("v")
                Text("no control").keyboardShortcut("x")
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        #expect(screen.visible.filter { $0.attributes[.keys] != nil }.map(\.label) == ["send"])
        try screen.pressKey(.return)
        #expect(tally.log == ["send"])
    }

    @Test func shortcutsTapTheLastEnabledControl() throws {
        struct Root: View {
            let tally: Tally
            @State private var asks = false
            var body: some View {
                NavigationStack {
                    VStack {
                        button("first")
                        button("last")
                        button("disabled").disabled(true)
                        Button("secret") { tally.add("secret") }.keyboardShortcut("s").hidden()
                        NavigationLink("deeper", value: 1).keyboardShortcut(.rightArrow, modifiers: [])
                        Button("ask") { asks = true }.keyboardShortcut("a")
                    }
                    .navigationDestination(for: Int.self) { _ in button("page") }
                    .sheet(isPresented: $asks) { button("sheet") }
                }
            }
            private func button(_ name: String) -> some View {
                Button(name) { tally.add(name) }.keyboardShortcut(.defaultAction)
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.pressKey(.return)
        try screen.pressKey("s", modifiers: .command)
        try screen.pressKey("a", modifiers: .command)
        try screen.pressKey(.return)
        #expect(throws: DriverError.self) { try screen.pressKey("s", modifiers: .command) }
        try screen.dismiss()
        try screen.pressKey(.rightArrow)
        try screen.pressKey(.return)
        #expect(tally.log == ["last", "secret", "sheet", "page"])
        do { try screen.pressKey(.delete) } catch { #expect(error.description.hasPrefix("nothing takes Backspace; visible: ")) }
    }

    @Test func changedShortcutsReachThePage() throws {
        struct Root: View {
            @State private var isSwapped = false
            var body: some View {
                Button("swap") { isSwapped.toggle() }.keyboardShortcut(isSwapped ? .cancelAction : .defaultAction)
            }
        }
        let screen = ViewDriver(Root())
        try screen.pressKey(.return)
        try screen.pressKey(.escape)
        try screen.pressKey(.return)
    }
}
