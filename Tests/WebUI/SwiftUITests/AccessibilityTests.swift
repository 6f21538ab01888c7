import SwiftUI
import Testing

/// Labels, roles and actions for assistive technology.
@MainActor
@Suite struct AccessibilityTests {
    @Test func labelsHintsAndValuesAreWords() throws {
        struct Root: View {
            @State private var isOn = false
            var body: some View {
                Button {
                    isOn.toggle()
                } label: {
                    Image(systemName: "bell")
                }
                .accessibilityLabel(isOn ? "On" : "Off")
                .accessibilityHint(Text("Switches the bell"))
                .accessibilityValue(Text(verbatim: "\(isOn)"))
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("Off")
        let button = try screen.find("On", .button)
        #expect(button.attributes[.accessibilityHint] == "Switches the bell")
        #expect(button.attributes[.accessibilityValue] == "true")
    }

    @Test func announcementsBelongToTheSceneThatPostsThem() async throws {
        struct Root: View {
            @State private var count = 0
            var body: some View {
                Text(verbatim: "\(count)").accessibilityAddTraits(.updatesFrequently)
                    .onChange(of: count) { AccessibilityNotification.Announcement("now \(count)").post() }
                    .task {
                        await Task.yield()
                        AccessibilityNotification.Announcement(AttributedString("later")).post()
                    }
                Button("add") {
                    AccessibilityNotification.Announcement("tapped").post()
                    count += 1
                }
            }
        }
        let (one, other) = (ViewDriver(Root()), ViewDriver(Root()))
        // An announcement changes nothing on the screen, which `wait` observes.
        for _ in 0..<100_000 where one.announcements.isEmpty || other.announcements.isEmpty { await Task.yield() }
        try one.tap("add")
        #expect(one.announcements == ["later", "tapped", "now 1"])
        #expect(other.announcements == ["later"], "the trait announces nothing")
        AccessibilityNotification.Announcement("nobody").post()
        #expect(one.announcements.count == 3)
    }

    @Test func identifiersFindElementsWithoutText() throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                Color.red.frame(width: 10).onTapGesture { tally.add("tap") }.accessibilityIdentifier("square")
                VStack { Text("a") }.accessibilityIdentifier("column")
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("square")
        #expect(tally.log == ["tap"])
        #expect(try screen.find("column").kind == .vstack)
    }

    @Test func accessibilityWordsPassThroughBoxesAroundAControl() throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                Button {
                    tally.add("send")
                } label: {
                    Image(systemName: "paperplane")
                }
                .padding()
                .background(.blue, in: .capsule)
                .overlay { Color.red }
                .frame(width: 60)
                .accessibilityLabel("Send")
                .accessibilityHint("Sends it")
                .accessibilityIdentifier("send")
                HStack { Text("a") }.padding().accessibilityElement(children: .contain).accessibilityLabel("group")
                Text("b").padding().onTapGesture { tally.add("b") }.accessibilityAddTraits(.isButton)
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        #expect(screen.all("Send").map(\.kind) == [.button])
        #expect(try screen.find("send").attributes[.accessibilityHint] == "Sends it")
        try screen.tap("Send")
        // A combined or tappable box keeps the label.
        #expect(try screen.find("group").kind == .pad)
        #expect(screen.visible.first { $0.attributes[.role] == "button" }?.kind == .pad)
        try screen.tap("b")
        #expect(tally.log == ["send", "b"])
    }

    @Test func theLastEscapeActionOnTheScreenIsPerformedFirst() throws {
        struct Root: View {
            @State private var levels = 2
            let tally: Tally
            var body: some View {
                Text(verbatim: "level \(levels)")
                ForEach(0..<levels, id: \.self) { level in
                    Color.clear.accessibilityAction(.escape) {
                        tally.add("left \(level)")
                        levels -= 1
                    }
                }
                Text("other").accessibilityAction { tally.add("default") }.accessibilityAction(.magicTap) { tally.add("magic") }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.escape()
        try screen.escape()
        #expect(throws: DriverError.self) { try screen.escape() }
        #expect(screen.has("level 0"))
        #expect(tally.log == ["left 1", "left 0"])
    }

    @Test func coveredViewsReceiveNoEscape() throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                NavigationStack {
                    NavigationLink("next") { Text("above") }.accessibilityAction(.escape) { tally.add("below") }
                }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("next")
        #expect(throws: DriverError.self) { try screen.escape() }
        try screen.back()
        try screen.escape()
        #expect(tally.log == ["below"])
    }

    @Test func hiddenElementsAreNotFound() throws {
        struct Root: View {
            var body: some View {
                Text("seen")
                Text("decoration").accessibilityHidden(true)
                VStack { Text("gone") }.hidden()
                Label("label", systemImage: "star")
            }
        }
        let screen = ViewDriver(Root())
        #expect(screen.texts == ["seen", "label"])
        #expect(!screen.has("decoration"))
        #expect(!screen.has("star"))
        #expect(screen.host.root.all.first { $0.attributes[.text] == "decoration" }?.attributes[.accessibilityHidden] == .on)
    }

    @Test func rolesComeFromTraits() throws {
        struct Root: View {
            var body: some View {
                Text("head").accessibilityAddTraits(.isHeader)
                Text("level").accessibilityHeading(.h3)
                Text("chosen").accessibilityAddTraits([.isButton, .isSelected])
                Text("plain").accessibilityRemoveTraits(.isStaticText)
                Color.red.accessibilityElement().accessibilityLabel("picture")
                VStack { Text("x") }.accessibilityElement(children: .contain).accessibilityIdentifier("group")
            }
        }
        let screen = ViewDriver(Root())
        #expect(try screen.find("head").attributes[.role] == "header")
        #expect(try screen.find("level").attributes[.headingLevel] == .number(3))
        #expect(try screen.find("chosen").attributes[.role] == "button")
        #expect(try screen.find("chosen").attributes[.selected] == .on)
        #expect(try screen.find("plain").attributes[.role] == nil)
        #expect(try screen.find("picture").attributes[.role] == "image")
        #expect(try screen.find("group").attributes[.role] == "group")
    }

    @Test func hiddenPartsOfALabelAreSpoken() throws {
        struct Root: View {
            var body: some View {
                Label("both", systemImage: "star")
                Label("icon", systemImage: "star").labelStyle(.iconOnly)
                Label("title", systemImage: "star").labelStyle(.titleOnly)
            }
        }
        let screen = ViewDriver(Root())
        let labels = screen.visible.filter { $0.kind == .label }
        #expect(labels.map { $0.pageChildren.map(\.kind) } == [[.symbol, .text], [.symbol, .text], [.text]])
        #expect(labels.map { $0.pageChildren.last?.attributes[flag: .speechOnly] } == [false, true, false])
        #expect(labels.map(\.label) == ["both", "icon", "title"])
    }

    @Test func progressIsANumberOrUnknown() {
        struct Root: View {
            var body: some View {
                ProgressView()
                ProgressView("Loading", value: 3.0, total: 4)
                ProgressView(value: 9.0, total: 0)
                ProgressView(value: Double.nan)
                ProgressView(value: 7.0).progressViewStyle(.circular)
            }
        }
        let screen = ViewDriver(Root())
        let all = screen.visible.filter { $0.kind == .progress }
        #expect(all.map { $0.attributes[.fraction]?.number } == [nil, 0.75, nil, nil, 1])
        #expect(all.map { $0.attributes[.look]?.text } == ["circular", "linear", "circular", "circular", "circular"])
        #expect(screen.has("Loading"))
    }
}
