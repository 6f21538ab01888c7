import SwiftUI
import Testing

/// Buttons, fields, toggles, lists, gestures, and what they say of themselves.
@MainActor
@Suite struct ControlTests {
    @Test func whatIsDisabledTakesNothing() throws {
        struct Root: View {
            @State private var count = 0
            @State private var text = ""
            var body: some View {
                VStack {
                    Button("add \(count)") { count += 1 }
                    TextField("field", text: $text)
                    Toggle("toggle", isOn: .constant(true))
                    Text("tap me").onTapGesture { count += 1 }
                }
                .disabled(true)
            }
        }
        let screen = ViewDriver(Root())
        #expect(throws: DriverError.self) { try screen.tap("add 0") }
        #expect(throws: DriverError.self) { try screen.type("x", into: "field") }
        #expect(throws: DriverError.self) { try screen.tap("tap me") }
        #expect(screen.visible.allSatisfy { $0.events.isEmpty || $0.events == [.blur, .focus] })
        let button = try screen.find("add 0", .button)
        #expect(!screen.host.send(.tap, to: button.id))
    }

    @Test func focusGoesBothWays() throws {
        struct Root: View {
            enum Field { case name, code }
            @FocusState private var focus: Field?
            @State private var name = ""
            @State private var code = ""
            var body: some View {
                Text(focus == .name ? "name" : focus == .code ? "code" : "none")
                TextField("Name", text: $name).focused($focus, equals: .name).onSubmit { focus = .code }
                SecureField("Code", text: $code).focused($focus, equals: .code)
                Button("done") { focus = nil }
            }
        }
        let screen = ViewDriver(Root())
        func isFocused(_ name: String) throws -> Bool { try screen.find(name).attributes[.focused] == .on }
        try screen.focus("Name")
        #expect(try screen.texts[0] == "name" && isFocused("Name"))
        try screen.submit("Name")
        #expect(try screen.texts[0] == "code" && isFocused("Code") && !isFocused("Name"))
        try screen.tap("done")
        #expect(screen.texts[0] == "none")
        try screen.focus("Code")
        try screen.leave("Code")
        #expect(screen.texts[0] == "none")
        #expect(try screen.find("Code").attributes[.fieldType] == "password")
    }

    @Test func aStyleOfOnesOwnKnowsThatItIsPressed() throws {
        struct Shrinking: ButtonStyle {
            @Environment(\.isEnabled) private var isEnabled
            func makeBody(configuration: Configuration) -> some View {
                HStack {
                    configuration.label
                    Text("\(configuration.isPressed ? "down" : "up") \(isEnabled ? "on" : "off")")
                }
            }
        }
        struct Root: View {
            @State private var count = 0
            var body: some View { Button("count \(count)") { count += 1 }.buttonStyle(Shrinking()) }
        }
        let screen = ViewDriver(Root())
        #expect(screen.texts == ["count 0", "up on"])
        try screen.press("count 0", down: true)
        #expect(screen.texts == ["count 0", "down on"])
        try screen.press("count 0", down: false)
        try screen.tap("count 0")
        #expect(screen.texts == ["count 1", "up on"])
    }

    @Test func gesturesReportWhatAFingerDid() throws {
        struct Root: View {
            @State private var log: [String] = []
            var body: some View {
                Text(log.joined(separator: " "))
                Circle().frame(width: 40, height: 40).accessibilityLabel("circle")
                    .gesture(
                        DragGesture().onChanged { _ in log.append("drag") }
                            .onEnded { log.append("end \(Int($0.translation.width)),\(Int($0.translation.height))") })
                Text("hold").onLongPressGesture { log.append("held") }
            }
        }
        let screen = ViewDriver(Root())
        try screen.drag("circle", by: CGSize(width: 30, height: -10))
        try screen.longPress("hold")
        #expect(screen.texts[0] == "drag drag end 30,-10 held")
    }

    @Test func theFirstElementInRowPositionMakesTheRow() throws {
        let screen = ViewDriver(
            List {
                Text("padded").padding()
                Section {
                    NavigationLink("link", value: 1)
                    Text("bare").listRowSeparator(.hidden)
                    HStack {
                        Text("a")
                        Text("b")
                    }
                } header: {
                    Text("head")
                } footer: {
                    Text("foot")
                }
            })
        let list = try #require(screen.visible.first { $0.kind == .list })
        #expect(list.pageChildren.map(\.kind) == [.row, .section])
        let section = list.pageChildren[1]
        #expect(section.pageChildren.map(\.kind) == [.header, .row, .row, .row, .footer])
        #expect(section.pageChildren.map(\.label) == ["head", "link", "bare", "a b", "foot"])
        #expect(section.pageChildren[1].attributes[.chevron] == .on)
        #expect(section.pageChildren[2].attributes[.separator] == .off)
    }

    @Test func pullingRefreshesOnceAtATime() async throws {
        struct Root: View {
            let start: AsyncStream<Void>.Continuation
            let go: AsyncStream<Void>
            var body: some View {
                List { Text("row") }.refreshable {
                    start.yield()
                    for await _ in go { return }
                }
            }
        }
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let (goes, go) = AsyncStream.makeStream(of: Void.self)
        let screen = ViewDriver(Root(start: start, go: goes))
        func isBusy() -> Bool { screen.visible.contains { $0.attributes[.busy] == .on } }
        try screen.pull()
        try screen.pull()
        #expect(isBusy())
        var iterator = starts.makeAsyncIterator()
        await iterator.next()
        go.yield()
        try await screen.wait { !isBusy() }
        start.finish()
        #expect(await iterator.next() == nil)
    }

    @Test func whatAScreenReaderSaysIsInTheTree() throws {
        let screen = ViewDriver(
            VStack {
                Text("T").accessibilityAddTraits(.isHeader).accessibilityIdentifier("title")
                Text("S").accessibilityHeading(.h3)
                Image(systemName: "star").accessibilityLabel("Favourite").accessibilityHint("Marks it")
                Text("hidden").accessibilityHidden(true)
                ProgressView(value: 3, total: 4).accessibilityValue("three of four")
            })
        #expect(try screen.find("title").attributes[.role] == "header")
        #expect(try screen.find("S").attributes[.headingLevel] == .number(3))
        #expect(try screen.find("Favourite").attributes[.accessibilityHint] == "Marks it")
        #expect(!screen.has("hidden"))
        let progress = try #require(screen.visible.first { $0.kind == .progress })
        #expect(progress.attributes[.fraction] == .number(0.75) && progress.attributes[.accessibilityValue] == "three of four")
    }

    @Test func modifiersKeepTheirOrder() throws {
        let screen = ViewDriver(Text("a").padding(8).background(.red).padding(4))
        let boxes = screen.visible.filter { $0.kind == .pad }
        #expect(
            boxes.map(\.style) == [
                [.padding(EdgeInsets(top: 4, leading: 4, bottom: 4, trailing: 4))], [.background(.color(.red))],
                [.padding(EdgeInsets(top: 8, leading: 8, bottom: 8, trailing: 8))],
            ])
    }

    @Test func aDriverThatFindsNothingSaysWhatThereIs() {
        let screen = ViewDriver(
            VStack {
                Text("here")
                Button("go") {}
            })
        let error = #expect(throws: DriverError.self) { try screen.tap("nope") }
        #expect(error?.description == "there is no “nope”; visible: text “here”, button “go”, text “go”")
    }
}
