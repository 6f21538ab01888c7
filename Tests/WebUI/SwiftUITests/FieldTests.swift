import SwiftUI
import Testing

/// Typed text, which the browser has first.
@MainActor
@Suite struct FieldTests {
    private func values(_ mirror: Mirror) -> [AttributeValue?] {
        mirror.changes.flatMap { change -> [AttributeValue?] in
            if case .updated(_, _, let attributes) = change { attributes.filter { $0.0 == .value }.map(\.1) } else { [] }
        }
    }

    @Test func acceptedInputIsNotSentBack() throws {
        struct Root: View {
            @State private var text = "a"
            var body: some View { TextField("Name", text: $text) }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.type("ab", into: "Name")
        try screen.type("abc", into: "Name")
        #expect(values(mirror) == [])
        #expect(try screen.find("Name").attributes[.value] == "abc")
    }

    @Test func filteredInputIsSentBack() throws {
        struct Digits {
            private(set) var digits = ""
            var text: String {
                get { digits }
                set { digits = newValue.filter(\.isNumber) }
            }
        }
        struct Root: View {
            @State private var digits = Digits()
            var body: some View {
                TextField("Digits", text: $digits.text)
                Text(verbatim: "have \(digits.text)")
            }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.type("12x", into: "Digits")
        #expect(values(mirror) == ["12"])
        mirror.clear()
        // The model does not change, but the page shows other text.
        try screen.type("12y", into: "Digits")
        #expect(values(mirror) == ["12"])
        #expect(screen.has("have 12"))
        mirror.clear()
        try screen.type("123", into: "Digits")
        #expect(values(mirror) == [])
    }

    /// As on an iPhone: the key of the keyboard on the screen breaks the line of a field with several.
    @Test func verticalFieldsSubmitFromAttachedKeyboardsOnly() throws {
        struct Root: View {
            let tally: Tally
            @State private var text = "a"
            var body: some View {
                TextField("Message", text: $text, axis: .vertical).onSubmit { tally.add("sent \(text)") }
                TextField("Other", text: $text, axis: .vertical)
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.submit("Message")
        #expect(tally.log == [])
        #expect(try screen.find("Message").attributes[.value] == "a\n")
        try screen.pressReturn(in: "Message")
        #expect(tally.log == ["sent a\n"])
        #expect(throws: DriverError.self) { try screen.pressReturn(in: "Other") }
    }

    @Test func clearingAFieldOnSubmitClearsThePage() throws {
        struct Root: View {
            @State private var text = ""
            @State private var sent: [String] = []
            var body: some View {
                ForEach(sent, id: \.self) { Text($0) }
                TextField("Message", text: $text)
                    .onSubmit {
                        sent.append(text)
                        text = ""
                    }
            }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.type("hello", into: "Message")
        try screen.submit("Message")
        #expect(screen.texts == ["hello"])
        #expect(values(mirror) == [""])
        try screen.submit("Message")
        #expect(screen.texts == ["hello", ""])
    }

    @Test func aLimitedBindingIsCutAtOnce() throws {
        struct Root: View {
            @State private var text = ""
            var body: some View {
                TextField("Code", text: $text).onChange(of: text) { if text.count > 4 { text = String(text.prefix(4)) } }
            }
        }
        let screen = ViewDriver(Root())
        let mirror = Mirror(of: screen.host)
        try screen.type("12345", into: "Code")
        #expect(values(mirror) == ["1234"])
        #expect(mirror.flushes == 1)
    }

    @Test func submitRunsOuterActions() throws {
        struct Root: View {
            let tally: Tally
            var body: some View {
                Form {
                    TextField("A", text: .constant("")).onSubmit { tally.add("a") }
                    SecureField("B", text: .constant(""))
                    TextField("C", text: .constant("")).onSubmit(of: .search) { tally.add("search") }
                }
                .onSubmit { tally.add("form") }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        try screen.submit("A")
        #expect(tally.log == ["a", "form"])
        try screen.submit("B")
        try screen.submit("C")
        #expect(tally.log == ["a", "form", "form", "form"])
    }

    enum Place: Hashable { case name, mail }

    @Test func focusIsReportedAndFollowed() throws {
        struct Root: View {
            @FocusState private var place: Place?
            @FocusState private var isInCode: Bool
            var body: some View {
                TextField("Name", text: .constant("")).focused($place, equals: .name)
                TextField("Mail", text: .constant("")).focused($place, equals: .mail)
                TextField("Code", text: .constant("")).focused($isInCode)
                Button("to mail") { place = .mail }
                Button("nowhere") { place = nil }
                Text(verbatim: "\(place.map { "\($0)" } ?? "none") \(isInCode)")
            }
        }
        let screen = ViewDriver(Root())
        func focused() -> [String] {
            screen.visible.filter { $0.attributes[.focused] == .on }.compactMap { $0.attributes[.placeholder]?.text }
        }
        #expect(focused() == [])
        try screen.focus("Name")
        #expect(screen.has("name false"))
        #expect(focused() == ["Name"])
        try screen.tap("to mail")
        #expect(focused() == ["Mail"])
        // The page reports that the first field lost the focus; that must not change it.
        try screen.leave("Name")
        #expect(screen.has("mail false"))
        try screen.leave("Mail")
        #expect(screen.has("none false"))
        try screen.focus("Code")
        #expect(screen.has("none true"))
        try screen.leave("Code")
        #expect(screen.has("none false"))
        try screen.tap("to mail")
        try screen.tap("nowhere")
        #expect(focused() == [])
    }

    @Test func focusPassesThroughBoxesAroundAField() throws {
        struct Root: View {
            @State private var text = ""
            @FocusState private var isFocused: Bool
            var body: some View {
                TextField("name", text: $text).padding().background(.gray).focused($isFocused)
                Button("go \(isFocused)") { isFocused = true }
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("go false")
        #expect(try screen.find("name", .field).attributes[.focused] == .on)
        try screen.leave("name")
        #expect(screen.has("go false"))
    }

    @Test func aRemovedFieldLosesItsFocus() throws {
        struct Root: View {
            @FocusState private var place: Place?
            @State private var isShown = true
            var body: some View {
                if isShown { TextField("Name", text: .constant("")).focused($place, equals: .name) }
                Button("hide") { isShown = false }
                Text(verbatim: place == nil ? "none" : "some")
            }
        }
        let screen = ViewDriver(Root())
        try screen.focus("Name")
        #expect(screen.has("some"))
        try screen.tap("hide")
        #expect(screen.has("none"))
    }

    @Test func fieldsReportTheirInputTraits() throws {
        struct Root: View {
            var body: some View {
                TextField("Mail", text: .constant(""), prompt: Text("you@example.org"))
                    .keyboardType(.emailAddress)
                    .textInputAutocapitalization(.never)
                    .autocorrectionDisabled()
                    .submitLabel(.send)
                    .textContentType(.emailAddress)
                    .textFieldStyle(.roundedBorder)
                    .accessibilityIdentifier("mail")
                TextField("Text", text: .constant("x"), axis: .vertical).lineLimit(1...5)
                SecureField("Password", text: .constant("secret"))
            }
        }
        let screen = ViewDriver(Root())
        let mail = try screen.find("mail").attributes
        #expect(mail[.placeholder] == "you@example.org")
        #expect(mail[.accessibilityLabel] == "Mail")
        #expect(mail[.inputMode] == "email")
        #expect(mail[.capitalization] == "none")
        #expect(mail[.correction] == .off)
        #expect(mail[.submitLabel] == "send")
        #expect(mail[.autofill] == "email")
        #expect(mail[.look] == "rounded")
        #expect(mail[.restorationKey] == "mail")
        let text = try screen.find("Text").attributes
        #expect(text[.multiline] == .on)
        #expect(text[.minimumLines] == .number(1))
        #expect(text[.maximumLines] == .number(5))
        #expect(try screen.find("Password").attributes[.fieldType] == "password")
    }

    @Test func aDisabledFieldAcceptsNoInput() throws {
        struct Root: View {
            @State private var text = ""
            var body: some View {
                VStack {
                    TextField("Name", text: $text).onSubmit { text = "submitted" }
                    Toggle("Switch", isOn: .constant(false))
                    Button("Press") {}
                    Text("Tap").onTapGesture { text = "tapped" }
                    Link("Link", destination: URL(fileURLWithPath: "/x"))
                }
                .disabled(true)
            }
        }
        let screen = ViewDriver(Root())
        #expect(throws: DriverError.self) { try screen.type("a", into: "Name") }
        #expect(throws: DriverError.self) { try screen.submit("Name") }
        for name in ["Switch", "Press", "Tap", "Link"] {
            #expect(throws: DriverError.self) { try screen.tap(name) }
        }
        for element in screen.visible { #expect(element.events.allSatisfy { $0 == .focus || $0 == .blur }) }
        #expect(screen.visible.filter { $0.attributes[.disabled] == .on }.map(\.kind) == [.field, .toggle, .button, .link])
    }

    @Test func eventsForRemovedOrDisabledElementsAreIgnored() throws {
        struct Root: View {
            let tally: Tally
            @State private var isShown = true
            @State private var isDisabled = false
            var body: some View {
                if isShown { Button("Press") { tally.add("pressed") }.disabled(isDisabled) }
                Button("Hide") { isShown = false }
                Button("Disable") { isDisabled = true }
            }
        }
        let tally = Tally()
        let screen = ViewDriver(Root(tally: tally))
        let button = try screen.find("Press", .button).id
        let hasTaken = screen.host.send(.tap, to: button)
        #expect(hasTaken)
        try screen.tap("Disable")
        let disabledHasTaken = screen.host.send(.tap, to: button)
        #expect(!disabledHasTaken)
        try screen.tap("Hide")
        let goneHasTaken = screen.host.send(.tap, to: button)
        #expect(!goneHasTaken)
        #expect(tally.log == ["pressed"])
    }

    @Test func aToggleShowsAndChangesItsBinding() throws {
        struct Root: View {
            @State private var isOn = false
            var body: some View {
                Toggle("Sound", isOn: $isOn)
                Toggle(isOn: $isOn) { Label("Again", systemImage: "bell") }.labelsHidden()
                Text(verbatim: "\(isOn)")
            }
        }
        let screen = ViewDriver(Root())
        try screen.tap("Sound")
        #expect(screen.has("true"))
        #expect(try screen.find("Again", .toggle).attributes[.selected] == .on)
        try screen.tap("Again")
        #expect(screen.has("false"))
    }

    @Test func returnOfAnAttachedKeyboardHasTheNewestText() throws {
        struct Root: View {
            @State private var draft = ""
            @State private var sent: [String] = []
            @State private var isOff = false
            var body: some View {
                TextField("Message", text: $draft, axis: .vertical)
                    .onKeyPress(.return, phases: .down) { press in
                        guard press.modifiers.isEmpty, press.key == .return else { return .ignored }
                        sent.append(draft)
                        draft = ""
                        return .handled
                    }
                    .disabled(isOff)
                TextField("Other", text: $draft)
                Toggle("Off", isOn: $isOff)
                Text(verbatim: "sent \(sent)")
            }
        }
        let screen = ViewDriver(Root())
        #expect(try !screen.find("Other").events.contains(.returnKey))
        try screen.type("Hello", into: "Message")
        try screen.pressReturn(in: "Message")
        #expect(screen.has(#"sent ["Hello"]"#))
        #expect(try screen.find("Message").attributes[.value] == "")
        try screen.tap("Off")
        #expect(throws: DriverError.self) { try screen.pressReturn(in: "Message") }
    }

    /// Two views around a field: the inner one acts, as it has the key first.
    @Test func returnGoesToTheNearestActionInside() throws {
        struct Root: View {
            @State private var log: [String] = []
            var body: some View {
                VStack {
                    TextField("Message", text: .constant("")).onKeyPress(.return) {
                        log.append("inner")
                        return .handled
                    }
                    TextField("Second", text: .constant(""))
                    TextField("Escape", text: .constant("")).onKeyPress(.escape) { .handled }
                }
                .onKeyPress(.return) {
                    log.append("outer")
                    return .handled
                }
                Text(verbatim: "log \(log.joined(separator: " "))")
            }
        }
        let screen = ViewDriver(Root())
        for name in ["Message", "Second", "Escape"] { try screen.pressReturn(in: name) }
        #expect(screen.has("log inner outer outer"))
    }
}
