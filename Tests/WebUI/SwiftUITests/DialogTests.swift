import SwiftUI
import Testing

@MainActor @Observable private final class Choice { var isThere = true }

/// Alerts and confirmation dialogs: presentation, content, dismissal.
@MainActor
@Suite struct DialogTests {
    private func top(_ screen: ViewDriver) -> Element? { screen.visible.first { $0.kind.isPresentation } }
    private func buttons(_ screen: ViewDriver) -> [String] { screen.visible.filter { $0.kind == .button }.compactMap(\.label) }

    struct Alert<Actions: View>: View {
        let tally: Tally
        @State private var isShown = true
        @ViewBuilder let actions: () -> Actions
        var body: some View {
            Text(verbatim: isShown ? "shown" : "hidden").alert("Title", isPresented: $isShown, actions: actions)
        }
    }

    @Test func alertsWithoutButtonsCanBeClosed() throws {
        let screen = ViewDriver(Alert(tally: Tally()) {})
        #expect(screen.title == "Title")
        #expect(buttons(screen) == ["OK"])
        try screen.tap("OK")
        #expect(screen.texts == ["hidden"])
    }

    @Test func alertsGetAButtonWhenTheLastOneGoes() throws {
        struct Buttons: View {
            let choice: Choice
            var body: some View { if choice.isThere { Button("choose") {} } }
        }
        struct Root: View {
            let choice: Choice
            @State private var asks = true
            var body: some View { Text("root").alert("Which?", isPresented: $asks) { Buttons(choice: choice) } }
        }
        let choice = Choice()
        let screen = ViewDriver(Root(choice: choice))
        #expect(screen.has("choose") && !screen.has("OK"))
        choice.isThere = false
        try screen.tap("OK")
        #expect(screen.texts == ["root"])
    }

    /// As on an iPhone: a screen holds one presentation, and so does each presentation.
    @Test func presentationsWaitForTheOneThatIsUp() throws {
        struct Root: View {
            @State private var isAsked = false
            @State private var isCalled = false
            @State private var isWarned = false
            var body: some View {
                VStack {
                    Text("root").alert("Question", isPresented: $isAsked) {
                        Button("Call") { isCalled = true }
                        Button("Close") {}
                    }
                    Text("below").onTapGesture {
                        isAsked = true
                        isCalled = true
                    }
                }
                .fullScreenCover(isPresented: $isCalled) {
                    Button("Warn") { isWarned = true }.alert("Warning", isPresented: $isWarned) {}
                    Button("Hang up") { isCalled = false }
                }
            }
        }
        let screen = ViewDriver(Root())
        func presented() -> [ElementKind] {
            var kinds: [ElementKind] = []
            func walk(_ element: Element) {
                if element.kind.isPresentation { kinds.append(element.kind) }
                element.pageChildren.forEach(walk)
            }
            walk(screen.host.root)
            return kinds
        }
        try screen.tap("below")
        #expect(presented().count == 1)
        // What was asked for meanwhile comes when the first has gone.
        if screen.has("Question") { try screen.tap("Close") } else { try screen.tap("Hang up") }
        #expect(presented().count == 1)
        if screen.has("Hang up") { try screen.tap("Hang up") } else { try screen.tap("Call") }
        if screen.has("Hang up") {
            try screen.tap("Warn")
            #expect(presented() == [.sheet, .alert], "a presentation can have one of its own")
            try screen.tap("OK")
            try screen.tap("Hang up")
        }
        #expect(presented() == [] && screen.has("root"))
    }

    /// A view that goes takes its presentation along, and what waits for that comes.
    @Test func removedPresentationsMakeRoom() throws {
        struct Root: View {
            let choice: Choice
            @State private var first = true
            @State private var second = true
            var body: some View {
                if choice.isThere { Text("a").alert("First", isPresented: $first) {} }
                Text("b").alert("Second", isPresented: $second) {}
            }
        }
        let choice = Choice()
        let screen = ViewDriver(Root(choice: choice))
        #expect(screen.title == "First")
        choice.isThere = false
        #expect(screen.title == "Second")
        try screen.tap("OK")
        #expect(screen.texts == ["b"])
    }

    @Test func addedButtonsAreLocalized() {
        let scene = SceneModel()
        let screen = ViewDriver(Alert(tally: Tally()) {}, scene: scene)
        scene.languages = ["ko-KR", "en"]
        #expect(buttons(screen) == ["확인"])
    }

    @Test func aButtonClosesFirstAndActsThen() throws {
        struct Root: View {
            let tally: Tally
            @State private var isShown = true
            var body: some View {
                Text("root").alert("Delete?", isPresented: $isShown) {
                    Button("Delete", role: .destructive) { tally.add("delete while \(isShown)") }
                    Button("Keep", role: .cancel) { tally.add("keep while \(isShown)") }
                    Button("Later") { isShown = true }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        #expect(buttons(screen) == ["Delete", "Keep", "Later"])
        #expect(try screen.find("Delete", .button).attributes[.danger] == .on)
        #expect(try screen.find("Keep", .button).attributes[.cancel] == .on)
        #expect(try screen.find("Later", .button).attributes[.danger] == nil)
        try screen.tap("Later")
        try screen.tap("Delete")
        #expect(tally.log == ["delete while false"])
        #expect(screen.texts == ["root"])
    }

    @Test func escapeIsTheButtonThatCancels() throws {
        let tally = Tally()
        let screen = ViewDriver(
            Alert(tally: tally) {
                Button("Do") { tally.add("do") }
                Button("Cancel", role: .cancel) { tally.add("cancel") }
            })
        try screen.dismiss()
        #expect(tally.log == ["cancel"])
        #expect(screen.texts == ["hidden"])
        let forced = ViewDriver(
            Alert(tally: tally) {
                Button("Yes") {}
                Button("No") {}
            })
        try forced.dismiss()
        #expect(forced.title == "Title")
    }

    @Test func buttonsInViewsOfTheirOwnCount() throws {
        struct Actions: View {
            let tally: Tally
            @State private var wantsMore = false
            var body: some View {
                Button("Yes") { tally.add("yes") }
                if wantsMore { Button("More") {} }
            }
        }
        struct Root: View {
            let tally: Tally
            @State private var isShown = true
            @State private var count = 0
            var body: some View {
                Text("count \(count)").alert("Title \(count)", isPresented: $isShown) {
                    Actions(tally: tally)
                }
                .task { count = 1 }
            }
        }
        let screen = ViewDriver(Root(tally: Tally()))
        #expect(buttons(screen) == ["Yes"])
        screen.host.flush()
        #expect(buttons(screen) == ["Yes"])
    }

    @Test func renderingAnAlertAgainAddsNoButton() async throws {
        struct Actions: View {
            var body: some View { Button("Yes") {} }
        }
        struct Root: View {
            @State private var isShown = true
            @State private var count = 0
            var body: some View {
                Text("count \(count)")
                    .alert("Title \(count)", isPresented: $isShown) { Actions() }
                    .task { count = 1 }
            }
        }
        let screen = ViewDriver(Root())
        try await screen.wait("the new title") { screen.title == "Title 1" }
        #expect(buttons(screen) == ["Yes"])
    }

    @Test func anAlertCanHaveATextField() throws {
        struct Root: View {
            @State private var isShown = true
            @State private var name = ""
            var body: some View {
                Text("name \(name)").alert("Name", isPresented: $isShown) {
                    TextField("Your name", text: $name)
                    SecureField("Secret", text: .constant(""))
                    Button("Save") { name += "!" }
                } message: {
                    Text("It is shown to others.")
                }
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.has("It is shown to others."))
        #expect(screen.visible.filter { $0.kind == .field }.count == 2)
        try screen.type("Ann", into: "Your name")
        try screen.tap("Save")
        #expect(screen.has("name Ann!"))
    }

    @Test func anAlertWithAnItemNeedsTheItem() throws {
        struct Root: View {
            @State private var isShown = false
            @State private var file: String?
            var body: some View {
                VStack {
                    Button("ask without") { isShown = true }
                    Button("ask") {
                        file = "a.txt"
                        isShown = true
                    }
                }
                .alert("Delete?", isPresented: $isShown, presenting: file) { file in
                    Button("Delete \(file)") {}
                } message: { file in
                    Text("\(file) goes for good.")
                }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("ask without")
        #expect(screen.title == nil)
        try screen.tap("ask")
        #expect(screen.has("a.txt goes for good."))
        try screen.tap("Delete a.txt")
        #expect(screen.title == nil)
    }

    @Test func anErrorsDescriptionIsTheAlertsTitle() throws {
        struct Failure: LocalizedError {
            var errorDescription: String? { "It failed" }
        }
        struct Root: View {
            @State private var isShown = true
            @State private var error: Failure? = Failure()
            var body: some View { Text("root").alert(isPresented: $isShown, error: error) { Button("Too bad") {} } }
        }
        let screen = ViewDriver(Root())
        #expect(screen.title == "It failed")
        try screen.tap("Too bad")
        #expect(screen.has("root"))
    }

    @Test func dialogsAddCancelAndHideTheirTitleByDefault() throws {
        struct Root: View {
            let tally: Tally
            let visibility: Visibility
            @State private var isShown = true
            var body: some View {
                Text("root").confirmationDialog("Really?", isPresented: $isShown, titleVisibility: visibility) {
                    Button("Delete", role: .destructive) { tally.add("delete") }
                } message: {
                    Text("For good.")
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally, visibility: .automatic))
        #expect(buttons(screen) == ["Delete", "Cancel"])
        #expect(screen.title == nil)
        #expect(screen.has("For good."))
        #expect(top(screen)?.attributes[.accessibilityLabel] == "Really?")
        try screen.dismiss()
        #expect(screen.texts == ["root"])
        let titled = ViewDriver(Root(tally: tally, visibility: .visible))
        #expect(titled.title == "Really?")
        try titled.tap("Cancel")
        #expect(tally.log == [])
    }

    @Test func aDialogWithItsOwnCancelGetsNoOther() throws {
        struct Root: View {
            let tally: Tally
            @State private var isShown = true
            var body: some View {
                Text("root").confirmationDialog("Really?", isPresented: $isShown) {
                    Button("Delete") {}
                    Button("Not now", role: .cancel) { tally.add("not now") }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        #expect(buttons(screen) == ["Delete", "Not now"])
        try screen.dismiss()
        #expect(tally.log == ["not now"])
    }
}
