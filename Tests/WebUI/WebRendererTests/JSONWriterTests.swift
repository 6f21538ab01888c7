import Foundation
import SwiftUI
import Testing
import WireKit

@testable import WebRenderer

@Suite struct JSONWriterTests {
    static let hostile = [
        "\"><img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "\\u0022", "\u{2028}\u{2029}",
        "\u{0}\u{1}\u{1f}\u{7f}",
        "\r\n\t", "{{title}}", "'`${1}", "\u{202e}abc", "👩‍👩‍👧‍👦🇰🇷", String(repeating: "x", count: 10_000), "",
    ]

    @Test(arguments: hostile) func stringsRoundTrip(_ text: String) throws {
        var json = JSONWriter()
        json.object {
            $0.key(text + "k")
            $0.string(text)
        }
        let value = try JSONDecoder().decode([String: String].self, from: Data(json.text.utf8))
        #expect(value == [text + "k": text])
    }

    @Test func commasSeparateElements() {
        var json = JSONWriter()
        json.array { json in
            json.integer(1)
            json.array { _ in }
            json.object {
                $0.key("a")
                $0.null()
                $0.key("b")
                $0.bool(true)
            }
            json.number(1.5)
            json.number(.nan)
        }
        #expect(json.text == #"[1,[],{"a":null,"b":true},1.5,0]"#)
    }

    @MainActor
    @Test func keysAndPathsAreProps() {
        func json<V: View>(_ kind: ElementKind, _ view: V) -> String {
            var json = JSONWriter()
            if let element = ViewDriver(view).visible.first(where: { $0.kind == kind }) { FrameWriter.write(element, to: &json) }
            return json.text
        }
        #expect(json(.button, Button("a") {}.keyboardShortcut("\"", modifiers: [])).contains(#""keys":"\"""#))
        let line = Path { $0.addLines([.zero, CGPoint(x: 9, y: 8)]) }.stroke(.red)
        #expect(
            json(.path, line).hasSuffix(#""k":"path","g":3,"p":{"s":"stroke:var(--red);stroke-width:1px","d2":"M0 0L9 8","pt":1}}"#)
        )
    }

    /// Every view that takes text, with text that looks like markup.
    @MainActor
    @Test(arguments: hostile) func textIsEscapedEverywhereInATree(_ text: String) throws {
        struct Root: View {
            let text: String
            @State var value: String
            var body: some View {
                NavigationStack {
                    List {
                        Section(text) {
                            Text(text).accessibilityLabel(text).accessibilityIdentifier(text).font(.custom(text, size: 12))
                            Label(text, systemImage: text)
                            Button(text) {}.accessibilityHint(text)
                            TextField(text, text: $value, prompt: Text(text))
                        }
                    }
                    .navigationTitle(text)
                }
            }
        }
        let host = ViewHost(Root(text: text, value: text))
        defer { host.close() }
        var json = JSONWriter()
        FrameWriter.write(host.root, to: &json)
        let tree = try JSONDecoder().decode(JSONValue.self, from: Data(json.text.utf8))
        var found = 0
        func walk(_ node: JSONValue) {
            guard case .object(let fields) = node else { return }
            if case .object(let props)? = fields["p"] {
                for (name, value) in props where name != "s" && value == .string(text) { found += 1 }
                if case .string(let style)? = props["s"] {
                    #expect(!style.contains("<") && style.filter { $0 == "\"" }.count.isMultiple(of: 2))
                }
            }
            if case .array(let children)? = fields["c"] { children.forEach(walk) }
        }
        walk(tree)
        if !text.isEmpty { #expect(found >= 10) }
    }

    /// A large tree is written in turns of bounded size, without a difference to the reader.
    @MainActor
    @Test func treeIsWrittenInTurns() throws {
        let host = ViewHost(
            VStack {
                ForEach(0..<600, id: \.self) { number in
                    HStack {
                        Text("\(number)")
                        Text(number == 300 ? String(repeating: "long \"text\"\n", count: 20_000) : "text")
                    }
                }
            })
        defer { host.close() }
        var whole = JSONWriter()
        FrameWriter.write(host.root, to: &whole)
        var body = FrameBody(root: host.root)
        var turns = 0
        while !body.isComplete {
            let before = body.json.bytes.count
            body.writeTurn()
            turns += 1
            // The longest text is one element.
            #expect(body.json.bytes.count - before < FrameBody.turn.bytes + 320_000)
        }
        #expect(turns > 1800 / FrameBody.turn.elements && body.json.bytes == whole.bytes)
        let tree = try JSONDecoder().decode(JSONValue.self, from: Data(body.json.text.utf8))
        guard case .object(let root) = tree, case .array(let stacks)? = root["c"] else { throw CancellationError() }
        #expect(stacks.count == 1)
    }

    @MainActor
    @Test func operationsAreWrittenInTurns() throws {
        struct Root: View {
            @State private var count = 0
            var body: some View {
                Button("\(count)") { count = 1500 }
                ForEach(0..<count, id: \.self) { Text("\($0)") }
            }
        }
        let host = ViewHost(Root())
        defer { host.close() }
        var body = FrameBody()
        host.onChanges = { changes, _ in body.add(changes) }
        host.send(.tap, to: try #require(host.root.pageChildren.first).id)
        var turns = 0
        while !body.isComplete {
            body.writeTurn()
            turns += 1
        }
        let list = try JSONDecoder().decode([JSONValue].self, from: Data("[\(body.json.text)]".utf8))
        #expect(turns > 3 && list.count >= 1500)
        #expect(list.allSatisfy { if case .array = $0 { true } else { false } })
    }
}
