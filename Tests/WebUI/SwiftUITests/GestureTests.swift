import SwiftUI
import Testing

/// Gestures and button styles.
@MainActor
@Suite struct GestureTests {
    @Test func tapsAndLongPressesReachTheirViews() throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                Text("tap").onTapGesture { tally.add("tap") }
                Text("long").onLongPressGesture {
                    tally.add("long")
                } onPressingChanged: {
                    tally.add($0 ? "down" : "up")
                }
                Text("both").gesture(TapGesture().onEnded { tally.add("gesture") })
                    .simultaneousGesture(LongPressGesture().onEnded { tally.add("held \($0)") })
                VStack { Text("inside") }.onTapGesture { tally.add("around") }
                Text("deaf").onTapGesture { tally.add("deaf") }.disabled(true)
                Text("numb").onTapGesture { tally.add("numb") }.allowsHitTesting(false)
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("tap")
        try screen.press("long", down: true)
        try screen.longPress("long")
        try screen.press("long", down: false)
        try screen.tap("both")
        try screen.longPress("both")
        try screen.tap("inside")
        #expect(tally.log == ["tap", "down", "long", "up", "gesture", "held true", "gesture", "around"])
        #expect(try screen.find("both").attributes[.events] == "long tap")
        #expect(try screen.find("numb").attributes[.hitTesting] == .off)
        #expect(throws: DriverError.self) { try screen.tap("numb") }
        #expect(throws: DriverError.self) { try screen.tap("deaf") }
    }

    /// As on an iPhone: the press of a button comes before a long press, and only a gesture of high priority keeps its action from running.
    @Test func buttonsKeepTheirTapAfterALongPress() throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                Button("beside") { tally.add("tap") }.simultaneousGesture(LongPressGesture().onEnded { _ in tally.add("beside") })
                Button("first") { tally.add("tap") }.highPriorityGesture(LongPressGesture().onEnded { _ in tally.add("first") })
                Button("own") { tally.add("tap") }.gesture(LongPressGesture().onEnded { _ in tally.add("own") })
                Button("modifier") { tally.add("tap") }.onLongPressGesture { tally.add("modifier") }
                VStack { Button("inside") { tally.add("tap") } }.onLongPressGesture { tally.add("around") }
                Text("plain").onTapGesture { tally.add("tap") }.onLongPressGesture { tally.add("plain") }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        for name in ["beside", "first", "plain"] { try screen.longPress(name) }
        #expect(tally.log == ["beside", "tap", "first", "plain"])
        for name in ["own", "modifier", "inside"] { #expect(throws: DriverError.self) { try screen.longPress(name) } }
        #expect(try screen.find("beside", .button).attributes[.longPress] == "beside")
        #expect(try screen.find("own", .button).attributes[.events] == "tap")
    }

    @Test func aDoubleTapIsASeparateEvent() throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                Text("both").onTapGesture(count: 2) { tally.add("two") }.onTapGesture { tally.add("one") }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.tap("both")
        try screen.doubleTap("both")
        #expect(tally.log == ["one", "two"])
        #expect(try screen.find("both").attributes[.events] == "double tap")
    }

    @Test func gesturePrecedenceFollowsNestingAndModifiers() throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                Text("inner").onTapGesture { tally.add("inner") }.onTapGesture { tally.add("outer") }
                Button("button") { tally.add("button") }.simultaneousGesture(TapGesture().onEnded { tally.add("as well") })
                Button("first") { tally.add("never") }.highPriorityGesture(TapGesture().onEnded { tally.add("first") })
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        for name in ["inner", "button", "first"] { try screen.tap(name) }
        #expect(tally.log == ["inner", "button", "as well", "first"])
    }

    @Test func longPressAndDragThresholdsReachThePage() throws {
        struct Root: View {
            var body: some View {
                Text("a").onLongPressGesture(minimumDuration: 2) {}
                Text("b").gesture(DragGesture(minimumDistance: 0).onEnded { _ in })
                Text("c").onLongPressGesture {}.gesture(DragGesture().onEnded { _ in })
            }
        }
        let screen = ViewDriver(Root())
        #expect(try screen.find("a").attributes[.hold] == .number(2))
        #expect(try screen.find("b").attributes[.slack] == .number(0))
        #expect(try screen.find("c").attributes[.hold] == nil)
        #expect(try screen.find("c").attributes[.slack] == nil)
    }

    @Test func aDragIsReportedDuringAndAfter() throws {
        struct Root: View {
            let tally: Tally
            @State private var offset = CGSize.zero
            var body: some View {
                Text("card")
                    .offset(offset)
                    .gesture(
                        DragGesture()
                            .onChanged { value in
                                offset = value.translation
                                tally.add("\(value.translation.width)")
                            }
                            .onEnded { value in
                                tally.add("end \(value.location.x - value.startLocation.x)")
                                offset = .zero
                            })
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.drag("card", from: CGPoint(x: 5, y: 5), by: CGSize(width: 40, height: 0))
        #expect(tally.log == ["20.0", "40.0", "end 40.0"])
        #expect(try screen.find("card").style == [.offset(.zero)])
    }

    @Test func aPinchIsReportedDuringAndAfter() throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                Text("map")
                    .onTapGesture { tally.add("tap") }
                    .gesture(
                        MagnifyGesture(minimumScaleDelta: 0.1)
                            .onChanged { tally.add("\($0.magnification) at \($0.startAnchor.x)") }
                            .onEnded { tally.add("end \($0.magnification)") })
                Text("plain").simultaneousGesture(MagnifyGesture().onChanged { _ in tally.add("beside") })
                Text("off").gesture(MagnifyGesture().onEnded { _ in tally.add("off") }).disabled(true)
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.pinch("map", by: [1.5, 2], at: .leading)
        try screen.tap("map")
        try screen.pinch("plain", by: [0.5])
        #expect(tally.log == ["1.5 at 0.0", "2.0 at 0.0", "end 2.0", "tap", "beside"])
        #expect(try screen.find("map").attributes[.events] == "pinch tap")
        #expect(try screen.find("map").attributes[.delta] == .number(0.1))
        #expect(try screen.find("plain").attributes[.delta] == nil)
        #expect(throws: DriverError.self) { try screen.pinch("off", by: [2]) }
    }

    @Test func aStyleSeesWhetherItsButtonIsPressed() throws {
        struct Pushed: ButtonStyle {
            func makeBody(configuration: Configuration) -> some View {
                configuration.label
                    .padding(4)
                    .opacity(configuration.isPressed ? 0.5 : 1)
                    .background(configuration.role == .destructive ? Color.red : Color.blue)
            }
        }
        struct Root: View {
            let tally: Tally
            var body: some View {
                VStack {
                    Button("go") { tally.add("go") }
                    Button("off") {}.disabled(true)
                    NavigationLink("link", value: 1)
                }
                .buttonStyle(Pushed())
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        func opacity(_ name: String) throws -> Bool {
            try screen.find(name, .button).all.contains { $0.style.contains(.opacity(0.5)) }
        }
        #expect(try !opacity("go"))
        try screen.press("go", down: true)
        #expect(try opacity("go"))
        #expect(try !opacity("link"))
        try screen.press("go", down: false)
        #expect(try !opacity("go"))
        try screen.tap("go")
        #expect(tally.log == ["go"])
        #expect(try screen.find("off", .button).events == [])
        #expect(try screen.find("go", .button).attributes[.look] == "custom")
    }

    @Test func aStyleCanHaveStateAndReadTheEnvironment() throws {
        struct Counting: ButtonStyle {
            @State private var count = 0
            @Environment(\.isEnabled) private var isEnabled
            func makeBody(configuration: Configuration) -> some View {
                HStack {
                    configuration.label
                    Text(verbatim: "\(count) \(isEnabled ? "on" : "off")")
                }
                .onChange(of: configuration.isPressed) { if configuration.isPressed { count += 1 } }
            }
        }
        struct Root: View {
            @State private var isDisabled = false
            var body: some View {
                Button("go") { isDisabled = true }.buttonStyle(Counting()).disabled(isDisabled)
                Button("other") {}.buttonStyle(Counting())
            }
        }
        let screen = ViewDriver(Root())
        try screen.press("go", down: true)
        try screen.press("go", down: false)
        #expect(screen.texts == ["go", "1 on", "other", "0 on"])
        try screen.tap("go")
        #expect(screen.texts == ["go", "1 off", "other", "0 on"])
    }

    @Test func aModifierCanHaveStateAndReadTheEnvironment() throws {
        struct Counting: ViewModifier {
            let step: Int
            @State private var count = 0
            @Environment(\.isEnabled) private var isEnabled
            func body(content: Content) -> some View {
                VStack {
                    content
                    Button("count \(count) \(isEnabled)") { count += step }
                }
            }
        }
        struct Root: View {
            @State private var step = 1
            var body: some View {
                Text("content").modifier(Counting(step: step))
                Button("faster") { step = 10 }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("count 0 true")
        try screen.tap("faster")
        try screen.tap("count 1 true")
        #expect(screen.has("count 11 true"))
        #expect(screen.has("content"))
    }

    @Test func theSystemsStylesHaveNames() throws {
        struct Root: View {
            var body: some View {
                Button("default") {}
                Button("plain") {}.buttonStyle(.plain)
                Button("bordered") {}.buttonStyle(.bordered).controlSize(.large)
                Button("prominent") {}.buttonStyle(.borderedProminent)
                Button("delete", role: .destructive) {}
                Button {
                } label: {
                    Text("faint").foregroundStyle(.secondary)
                }
            }
        }
        let screen = ViewDriver(Root())
        func look(_ name: String) -> String? { screen.all(name, .button).last?.attributes[.look]?.text }
        #expect(look("default") == "borderless")
        #expect(look("plain") == "plain")
        #expect(look("bordered") == "bordered")
        #expect(look("prominent") == "prominent")
        #expect(try screen.find("bordered", .button).attributes[.controlSize] == "large")
        #expect(try screen.find("delete", .button).attributes[.danger] == .on)
        // The page sets the colour; levels are relative to it.
        #expect(try screen.find("prominent", .text).style == [])
        #expect(try screen.find("faint", .text).style == [.foreground(.faded(.tint, 0.6))])
        #expect(try screen.find("plain", .text).style == [])
    }
}
