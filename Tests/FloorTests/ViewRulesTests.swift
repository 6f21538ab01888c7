import Foundation
import Testing

/// What Apple's SwiftUI does with views that the module on Linux draws as one would expect. Each rule has code that breaks it.
@Suite struct ViewRulesTests {
    private static func views() throws -> [SourceFile] {
        try SourceFile.all(below: FloorTests.root).filter { $0.isView && !$0.isOfTheGallery }
            + SourceFile.all(below: FloorTests.root, folder: "Apple")
    }

    @Test(arguments: ViewRule.all) func viewsFollowTheRule(_ rule: ViewRule) throws {
        let files = try Self.views()
        #expect(files.count > 150)
        #expect(files.flatMap { file in rule.violations(in: file.text).map { "\(file.path):\($0)" } } == [])
    }

    @Test(arguments: ViewRule.all) func violationsAreFound(_ rule: ViewRule) {
        for example in rule.wrong { #expect(rule.violations(in: example).count == 1, "\(example)") }
        for example in rule.right { #expect(rule.violations(in: example) == [], "\(example)") }
    }

    /// SwiftUI reads localized words as Markdown, and makes links of the addresses in them. It does neither with what is interpolated.
    @Test func localizedWordsHaveNoAddressesAndNoMarkdown() throws {
        let tables = try Self.tables()
        #expect(tables.count > 10)
        for (path, words) in tables {
            #expect(words.filter { LocalizedWords.isChangedByMarkdown($0) } == [], "\(path)")
            #expect(words.filter { !TextPresentation.emoji(in: $0).isEmpty } == [], "\(path)")
        }
    }

    @Test(arguments: [
        ("Use https:// here", true), ("http://로 시작", true), ("See www.example.com", true), ("Write to me@example.com", true),
        ("*All* of it", true), ("a `word`", true), ("[a](b)", true), ("~~no~~", true), ("UP TO 20: A-Z 0-9 SPACE - _", false),
        ("server.example.com", false), ("[%lld spaces]", false), ("2 * 3", false), ("Use %@ here", false),
    ])
    func wordsThatMarkdownChangesAreFound(words: String, isChanged: Bool) {
        #expect(LocalizedWords.isChangedByMarkdown(words) == isChanged)
    }

    private static func tables() throws -> [(path: String, words: [String])] {
        let sources = FloorTests.root.appending(path: "Sources")
        return try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".strings") }.map { path in
            let table = try PropertyListSerialization.propertyList(
                from: Data(contentsOf: sources.appending(path: path)), format: nil)
            let words = try #require(table as? [String: String], "\(path)")
            return (path, words.flatMap { [$0.key, $0.value] })
        }
    }
}

/// A rule for the sources of views.
struct ViewRule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The parts of the source, without comments, that break the rule.
    let find: @Sendable (_ code: String) -> [Substring]
    /// Code with one violation.
    let wrong: [String]
    let right: [String]

    /// The violations with the number of their lines.
    func violations(in text: String) -> [String] {
        // Comments keep their lines.
        let code = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " }.hasPrefix("//") ? "" : $0 }.joined(separator: "\n")
        return find(code).map { part in
            let line = code[..<part.startIndex].count { $0 == "\n" } + 1
            return "\(line): \(testDescription): \(part.prefix { $0 != "\n" })"
        }
    }

    static let all = [
        // A style as background extends under the bars that the view touches; a filled shape does not.
        ViewRule(
            testDescription: "a background has a shape, or is a view",
            find: { code in
                calls(".background(", in: code).filter {
                    !$0.contains(" in: ") && !$0.contains("ignoresSafeAreaEdges:") && !$0.hasPrefix("alignment:")
                }
            },
            wrong: ["Text(words)\n    .background(palette.card)", ".background(\n    isOn ? red : blue\n)"],
            right: [
                ".background(palette.card, in: Rectangle())", ".background { palette.card }",
                ".background(alignment: .top) { line }",
            ]),
        // The row that the change adds has no place yet.
        ViewRule(
            testDescription: "scrolls(_:to:onChangeOf:) scrolls after a change",
            find: { code in calls(".onChange(", in: code, with: .line).filter { $0.contains(".scrollTo(") } },
            wrong: [
                ".onChange(of: last) { scroll.scrollTo(last) }",
                ".onChange(of: last) { _, last in\n    if let last {\n        scroll.scrollTo(last)\n    }\n}",
            ],
            right: [
                ".onChange(of: last) { count += 1 }\n.task(id: count) { scroll.scrollTo(last) }",
                "Button { scroll.scrollTo(first) }",
            ]),
        // By default a list hides the field until it is pulled down.
        ViewRule(
            testDescription: "a search field is always shown",
            find: { code in calls(".searchable(", in: code).filter { !$0.contains("displayMode: .always") } },
            wrong: [".searchable(text: $text, prompt: Text(verbatim: \"a\"))"],
            right: [".searchable(\n    text: $text, placement: .navigationBarDrawer(displayMode: .always))"]),
        // A field takes touches on its line of text, 22 points high. A view `field` may choose among fields.
        ViewRule(
            testDescription: "a field has a touch area",
            find: { code in
                guard !calls("field\n", in: code, with: .modifiers).contains(where: { $0.contains(".fieldTouchArea(") }) else {
                    return []
                }
                return ["TextField(", "SecureField("].flatMap { name in
                    calls(name, in: code, with: .modifiers).filter { !$0.contains(".fieldTouchArea(") }
                }
            },
            wrong: [
                "TextField(\"\", text: $text)\n    .padding(12)\nText(words).fieldTouchArea()",
                "SecureField(\"\", text: $text)\nfield\n    .padding(12)",
            ],
            right: [
                "TextField(\n    \"\", text: $text\n)\n.padding(12)\n.fieldTouchArea()",
                "field\n    .padding(12)\n    .fieldTouchArea()\n@ViewBuilder var field: some View {\n    TextField(\"\", text: $text)\n}",
            ]),
        // The system fills this button with the accent colour, since iOS 26.
        ViewRule(
            testDescription: "a toolbar's confirmation has no colour of its own",
            find: { code in
                calls("placement: .confirmationAction) {", in: code, with: .bracket)
                    .filter { $0.contains(".foregroundStyle(") || $0.contains(".foregroundColor(") || $0.contains(".tint(") }
            },
            wrong: ["ToolbarItem(placement: .confirmationAction) {\n    Button {} label: { Text(words).foregroundStyle(.red) }\n}"],
            right: ["ToolbarItem(placement: .confirmationAction) { Button(words) {} }\nText(words).foregroundStyle(.red)"]),
        // An action makes an element, at which VoiceOver stops.
        ViewRule(
            testDescription: "an empty view with an action is hidden",
            find: { code in
                calls("Color.clear", in: code, with: .modifiers)
                    .filter {
                        ($0.contains(".accessibilityAction(") || $0.contains(".onTapGesture"))
                            && !$0.contains(".accessibilityHidden(true)")
                    }
            },
            wrong: ["Color.clear.accessibilityAction(.escape) { leave() }", "Color.clear\n    .onTapGesture { leave() }"],
            right: [
                "Color.clear.accessibilityAction(.escape) { leave() }.accessibilityHidden(true)", "Color.clear.frame(height: 1)",
            ]),
        // SwiftUI reads a key as Markdown, also one that a server or a user has written.
        ViewRule(
            testDescription: "a key is a literal",
            find: { code in
                ["LocalizedStringKey(", "Text(.init("].flatMap { calls($0, in: code) }.filter { !$0.hasPrefix("\"") }
            },
            wrong: ["Text(LocalizedStringKey(problem.words))", "Text(.init(words))"],
            right: ["Text(verbatim: problem.words)", "let key: LocalizedStringKey = \"a\"", "LocalizedStringKey(\"a\")"]),
        // Some symbols of text are emoji on an iPhone, unless a variation selector follows.
        ViewRule(
            testDescription: "a symbol that could be an emoji has U+FE0E or U+FE0F",
            find: { code in
                code.matches(of: /"[^"\n]*"/).filter { !TextPresentation.emoji(in: String($0.output)).isEmpty }.map(\.output)
            },
            wrong: ["let arrow = \"▶\"", "Text(verbatim: \"✉\\(count)\")"],
            right: ["\"▶\\u{FE0E}\"", "\"▲ ✓ ● 1 # *\"", "\"📟\"", "// \"▶\""]),
    ]

    /// What follows `name`, in each place where it stands, up to `end`.
    private static func calls(_ name: String, in code: String, with end: CodeEnd = .bracket) -> [Substring] {
        code.ranges(of: name).map { range in
            // The modifiers of a call follow its own bracket.
            guard end != .bracket, name.hasSuffix("(") else { return end.part(of: code[range.upperBound...]) }
            let start = code.index(before: range.upperBound)
            return end.part(of: code[start...])
        }
    }
}

enum TextPresentation {
    /// The characters that a system shows as an emoji or as text, without the selector that decides. Digits, `#` and `*` are always text.
    static func emoji(in text: String) -> [Unicode.Scalar] {
        let text = text.replacing("\\u{FE0E}", with: "\u{FE0E}").replacing("\\u{FE0F}", with: "\u{FE0F}")
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.filter { index in
            let properties = scalars[index].properties
            guard properties.isEmoji, !properties.isEmojiPresentation, !scalars[index].isASCII else { return false }
            return !scalars.indices.contains(index + 1) || ![0xFE0E, 0xFE0F].contains(scalars[index + 1].value)
        }.map { scalars[$0] }
    }
}

enum LocalizedWords {
    /// True if Markdown, with links for bare addresses, shows the words otherwise than they are written.
    static func isChangedByMarkdown(_ words: String) -> Bool {
        words.contains("://") || words.contains("www.") || words.contains("`") || words.contains("](") || words.contains("~~")
            || words.contains(/\w@\w/) || words.contains(/\*\S.*\S?\*/) || words.contains(/\b_\S.*_\b/)
    }
}
