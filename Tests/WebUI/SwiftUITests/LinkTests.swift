import SwiftUI
import Testing

@MainActor @Observable
private final class Runs { var count = 2 }

/// Links in texts, the attributes of attributed texts, and the action that opens URLs.
@MainActor
@Suite struct LinkTests {
    private func link(_ words: String, _ address: String) -> Text {
        var content = AttributedString(words)
        content.link = URL(string: address)
        return Text(content)
    }

    private func runs<V: View>(_ view: V) -> [Element] {
        ViewDriver(view).visible.filter { $0.kind == .run || $0.kind == .link }
    }

    @Test func aLinkIsARunOfItsTextWithAnAddress() throws {
        let screen = ViewDriver(Text("See ") + link("the page", "https://example.com/a?b=1") + Text("."))
        #expect(screen.texts == ["See ", "the page", "."])
        #expect(try screen.find("See the page.").kind == .text)
        let link = try screen.find("the page", .link)
        #expect(link.attributes[.href]?.text == "https://example.com/a?b=1")
        #expect(link.style == [.foreground(.tint)])
        #expect(link.events.isEmpty)
    }

    @Test(arguments: ["http://a.b", "https://a.b", "HTTPS://a.b", "mailto:a@example.com", "tel:+15550100", "sms:1"])
    func aWebPageAMailOrANumberIsALink(address: String) {
        #expect(runs(link("x", address)).map(\.kind) == [.link])
    }

    @Test(
        arguments: [
            "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,<script>", "vbscript:x", "file:///etc/passwd",
            "blob:https://a.b/c",
            "localllm://0a", "/apps/", "//evil.example/x", "about:blank",
        ])
    func otherAddressesNeverReachThePage(address: String) {
        let found = runs(link("x", address))
        #expect(found.map(\.kind) == [.run])
        #expect(found.first?.attributes[.href] == nil)
        let control = ViewDriver(Link("x", destination: URL(string: address) ?? URL(fileURLWithPath: "/")))
        let href = control.visible.first { $0.kind == .link }?.attributes[.href]?.text
        // A control may lead to a path of the box.
        #expect(href == (address.hasPrefix("/") ? address : nil))
    }

    @Test func linksHaveTheTintAndTheStyleAroundThem() throws {
        let found = runs(
            (Text("a") + link("b", "https://b") + link("c", "https://c").italic()).foregroundStyle(.red).bold().font(.title))
        #expect(found[1].style == [.font(.title.weight(.bold)), .foreground(.tint)])
        #expect(found[2].style == [.font(.title.weight(.bold).italic()), .foreground(.tint)])
    }

    @Test func aLiteralIsNotAttributed() throws {
        #expect(ViewDriver(Text("a")).visible.last?.kind == .text)
        #expect(ViewDriver(Text(AttributedString("a"))).visible.last?.kind == .run)
    }

    @Test func attributesStyleTheirRuns() throws {
        var text = AttributedString("plain ")
        func add(_ words: String, _ change: (inout AttributedString) -> Void) {
            var part = AttributedString(words)
            change(&part)
            text += part
        }
        add("strong") { $0.inlinePresentationIntent = [.stronglyEmphasized, .emphasized] }
        add("code") { $0.inlinePresentationIntent = .code }
        add("struck") { $0.inlinePresentationIntent = .strikethrough }
        add("red") { $0.foregroundColor = .red }
        add("marked") { $0.backgroundColor = .yellow }
        add("small") { $0.font = .caption }
        add("lined") { $0.underlineStyle = .single }
        add("own") {
            $0.link = URL(string: "https://a.b")
            $0.foregroundColor = .green
            $0.strikethroughStyle = .single
        }
        let found = runs(Text(text))
        #expect(
            found.map { $0.attributes[.text]?.text } == [
                "plain ", "strong", "code", "struck", "red", "marked", "small", "lined", "own",
            ])
        #expect(
            found.map(\.style) == [
                [], [.font(.body.weight(.bold).italic())], [.font(.body.monospaced())], [.strikethrough],
                [.foreground(.color(.red))],
                [.background(.color(.yellow))], [.font(.caption)], [.underline], [.foreground(.color(.green)), .strikethrough],
            ])
    }

    @Test func theAppsActionOpensLinksAndButtons() throws {
        struct Root: View {
            let tally: Tally
            let result: OpenURLAction.Result
            @Environment(\.openURL) private var outer
            var body: some View {
                VStack {
                    linked
                    Link("Control", destination: URL(string: "https://c.d")!)
                    Opener(tally: tally)
                }
                .environment(
                    \.openURL,
                    OpenURLAction { url in
                        tally.add(url.absoluteString)
                        return result
                    })
            }
            private var linked: Text {
                var content = AttributedString("chapter")
                content.link = URL(string: "book:1")
                return Text("a ") + Text(content)
            }
        }
        struct Opener: View {
            let tally: Tally
            @Environment(\.openURL) private var openURL
            var body: some View {
                Button("Open") { openURL(URL(string: "https://e.f")!) { tally.add($0 ? "opened" : "not opened") } }
            }
        }
        let outside = Tally()
        let scene = SceneModel()
        scene.open = { url in
            outside.add(url.absoluteString)
            return true
        }
        for (result, opened, further) in [
            (OpenURLAction.Result.handled, "opened", [String]()), (.discarded, "not opened", []),
            (.systemAction, "opened", ["book:1", "https://c.d", "https://e.f"]),
            (.systemAction(URL(string: "https://other")!), "opened", ["https://other", "https://other", "https://other"]),
        ] {
            outside.clear()
            let tally = Tally()
            let screen = ViewDriver(Root(tally: tally, result: result), scene: scene)
            // The app opens them: the page has no address.
            for name in ["chapter", "Control"] {
                #expect(try screen.find(name, .link).attributes[.href] == nil)
                try screen.tap(name)
            }
            try screen.tap("Open")
            #expect(tally.log == ["book:1", "https://c.d", "https://e.f", opened])
            #expect(outside.log == further)
        }
    }

    @Test func aGrowingTextKeepsItsFirstRuns() throws {
        struct Root: View {
            let model: Runs
            var body: some View { joined(0..<model.count) }
            private func joined(_ range: Range<Int>) -> Text {
                guard range.count > 1 else { return Text(verbatim: "\(range.lowerBound) ").italic() }
                let middle = range.lowerBound + range.count / 2
                return joined(range.lowerBound..<middle) + joined(middle..<range.upperBound)
            }
        }
        let model = Runs()
        let host = ViewHost(Root(model: model))
        defer { host.close() }
        let mirror = Mirror(of: host)
        for count in 3...40 {
            model.count = count
            mirror.clear()
            host.flush()
            #expect(mirror.changes.count == 1 && mirror.changes.allSatisfy(\.isInsertion))
        }
        #expect(mirror.differences(from: host.root) == [])
    }

    @Test func aChainOfThousandsOfRunsIsNotNested() async throws {
        let count = 5_000
        // On a small stack, as tasks have.
        let shown = await Task { @MainActor in
            var text = Text(verbatim: "0")
            for number in 1..<count { text = text + Text(verbatim: " \(number)") }
            #expect(text != text + Text(verbatim: ""))
            return ViewDriver(text).texts.count
        }.value
        #expect(shown == count)
    }

    @Test func aDisabledLinkLeadsNowhere() throws {
        let screen = ViewDriver((Text("a ") + link("b", "https://b")).disabled(true))
        #expect(try screen.find("b", .link).attributes[.disabled] == .on)
    }
}
