import Testing

/// Views follow the rules of ``ViewLint``, and the rules find what they forbid.
@Suite struct ViewLintTests {
    @Test func viewsReadAsAnIPhoneTreatsThem() throws {
        let files = try SourceFile.all(below: FloorTests.root).filter(\.isView)
        #expect(files.count > 100)
        #expect(ViewLint(files).violations == [])
    }

    /// A file with a view whose body is this.
    private func violations(_ body: String, and more: String = "") -> [String] {
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false).map { "        " + $0 }.joined(separator: "\n")
        let text = "struct Page: View {\n    var body: some View {\n\(lines)\n    }\n}\n\(more)"
        return ViewLint([SourceFile(path: "Page.swift", text: text)]).violations
    }

    @Test(arguments: [
        "Section {\n    Text(\"a\")\n}\n.alert(\"b\", isPresented: $c) {\n}",
        "Section(\"t) {\") {\n    Text(\"a\")\n} header: {\n    Text(\"b\")\n}\n.font(.body)\n.task { await load() }",
        "Group {\n    if a { B() } else { C() }\n}\n.onChange(of: d) { e() }",
        "List {\n    ForEach(rows) { Row(row: $0) }\n        .onAppear { load() }\n}",
        "Button {\n    act()\n} label: {\n    Text(\"a\")\n}\n.simultaneousGesture(LongPressGesture().onEnded { _ in b() })",
        "Button(\"a\") {}.buttonStyle(.plain).onLongPressGesture { b() }",
        "TextField(\"\", text: $text, axis: .vertical)\n    .lineLimit(1...3)\n    .onSubmit { send() }",
        "TextField(\"\", text: $text, axis: isLong ? .vertical : .horizontal).onSubmit { send() }",
        "ScrollView(.horizontal) {\n    LazyVStack { ForEach(rows) { Row(row: $0) } }\n}",
        "LazyVStack {\n    ForEach(rows) { row in\n        if row.isNew { Mark() }\n        Row(row: row)\n    }\n}",
        "List {\n    ForEach(rows) { row in\n        if row.isNew { Mark() }\n    }\n}",
        "List {\n    ForEach(rows) { row in\n        switch row {\n        case .a: Text(\"a\")\n        case .b: EmptyView()\n        }\n    }\n}",
        "Text(\"a\").accessibilityAddTraits(.updatesFrequently)",
    ])
    func combinationIsFound(_ body: String) { #expect(violations(body).count == 1, "\(violations(body))") }

    @Test func helpersAndViewsAreFollowed() {
        let row = "struct Row: View {\n    var body: some View {\n        if isNew { Mark() }\n        Text(\"a\")\n    }\n}\n"
        #expect(violations("List { ForEach(rows) { Row(row: $0) } }", and: row).count == 1)
        let helper = "extension Page {\n    private func entry(_ row: R) -> some View {\n        Row(row: row)\n    }\n}\n"
        #expect(violations("List { ForEach(rows) { entry($0) } }", and: row + helper).count == 1)
        let key = "struct PadKey: View {\n    var body: some View {\n        Button(action: act) { face }\n    }\n}\n"
        #expect(violations("PadKey().simultaneousGesture(LongPressGesture())", and: key).count == 1)
        let part = "struct Part: View {\n    var body: some View {\n        Section { Text(\"a\") }\n    }\n}\n"
        #expect(violations("List {\n    Part().task { load() }\n}", and: part).count == 1)
    }

    @Test(arguments: [
        "Section {\n    Text(\"a\").alert(\"b\", isPresented: $c) {}\n}\n.listRowBackground(d)",
        "List {\n    Section { Text(\"a\") }\n}\n.task { await load() }",
        "// Section {}.task {}\nText(\"Section {}.task {}\")",
        "VStack {\n    Text(\"a\").onLongPressGesture { b() }\n}",
        "TextField(\"\", text: $text).onSubmit { send() }",
        "ScrollView([.horizontal, .vertical]) {\n    LazyVStack { ForEach(rows) { Row(row: $0) } }\n}",
        "List {\n    ForEach(rows) { row in\n        let a = row.a\n        VStack {\n            if a { Mark() }\n        }\n        .padding()\n    }\n}",
        "List {\n    ForEach(rows) { row in\n        if row.isNew {\n            Mark()\n        } else {\n            Text(\"a\")\n        }\n    }\n}",
        "VStack {\n    ForEach(rows) { row in\n        if row.isNew { Mark() }\n    }\n}",
    ])
    func otherCombinationIsAllowed(_ body: String) { #expect(violations(body) == []) }
}
