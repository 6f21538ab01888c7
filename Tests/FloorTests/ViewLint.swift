import Foundation

/// Combinations of views and modifiers that compile, and that an iPhone treats otherwise than they read. Each rule returns its violations.
///
/// The rules read the text of the sources, without their types: a view is found by its name, its modifiers by the dots after it.
struct ViewLint {
    private let files: [ViewSource]
    /// Views whose body is a section, and those whose body is a button.
    private let sections: Set<String>
    private let buttons: Set<String>
    /// Views whose body is not exactly one view.
    private let groups: Set<String>

    init(_ files: [SourceFile]) {
        self.files = files.map(ViewSource.init)
        let bodies = self.files.flatMap(\.bodies)
        sections = Set(bodies.filter { $0.content.first.hasPrefix("Section") }.map(\.type))
        buttons = Set(bodies.filter { $0.content.first.hasPrefix("Button") }.map(\.type))
        groups = Set(bodies.filter { !$0.content.isOneView }.map(\.type))
    }

    var violations: [String] { files.flatMap { violations(in: $0) } }

    private func violations(in file: ViewSource) -> [String] {
        onRows(in: file) + longPresses(in: file) + lineFeeds(in: file) + wideStacks(in: file) + unevenRows(in: file)
            + silentTraits(in: file)
    }

    /// The modifiers of a section, a group or a `ForEach` apply to each row or view in it.
    private func onRows(in file: ViewSource) -> [String] {
        let single: Set = [
            "sheet", "fullScreenCover", "popover", "alert", "confirmationDialog", "task", "onAppear", "onDisappear", "onChange",
            "onReceive", "onOpenURL", "announces", "navigationDestination", "toolbar", "searchable", "refreshable",
        ]
        return (["Section", "Group", "ForEach"] + sections.sorted()).flatMap { name in
            file.views(name).flatMap { view in
                view.modifiers.filter { single.contains($0.name) }.map {
                    "\(file.path):\(view.line): .\($0.name) of \(name) applies to each of its rows: put it on a view inside or outside"
                }
            }
        }
    }

    /// The action of a control runs after a long press beside it, and before any other one.
    private func longPresses(in file: ViewSource) -> [String] {
        (["Button", "NavigationLink", "Link", "Toggle", "Menu"] + buttons.sorted()).flatMap { name in
            file.views(name).filter { view in
                view.modifiers.contains {
                    $0.name == "onLongPressGesture"
                        || $0.name.lowercased().hasSuffix("gesture") && $0.text.contains("LongPressGesture")
                }
            }
            .map { "\(file.path):\($0.line): a long press on \(name) does not end its tap: use HoldKey" }
        }
    }

    /// Return on the screen's keyboard breaks the line of a field with several.
    private func lineFeeds(in file: ViewSource) -> [String] {
        file.views("TextField").filter { view in
            view.arguments.contains(".vertical") && view.modifiers.contains { $0.name == "onSubmit" }
        }
        .map { "\(file.path):\($0.line): a vertical TextField never submits from the screen's keyboard" }
    }

    /// A lazy stack that grows downwards creates all of its rows in a view that scrolls sideways only.
    private func wideStacks(in file: ViewSource) -> [String] {
        file.views("ScrollView").filter { $0.arguments.hasPrefix(".horizontal") && $0.closures.contains("LazyV") }
            .map { "\(file.path):\($0.line): a lazy stack is not lazy in a horizontal ScrollView: scroll both axes" }
    }

    /// To know the number of its rows, a list or lazy stack evaluates all of those that may be several views, or none.
    private func unevenRows(in file: ViewSource) -> [String] {
        let containers = ["List", "LazyVStack", "LazyHStack", "LazyVGrid"].flatMap { file.views($0) }
        let rows = file.views("ForEach").filter { row in
            containers.contains { $0.range.contains(row.range.lowerBound) && $0.range.lowerBound != row.range.lowerBound }
        }
        return rows.filter { !isOneView($0.content, in: file) }
            .map { "\(file.path):\($0.line): the number of views in a row depends on its data: put them into a stack" }
    }

    private func isOneView(_ content: ViewContent, in file: ViewSource, depth: Int = 0) -> Bool {
        guard content.isOneView, depth < 4 else { return false }
        let name = String(content.first.prefix { $0.isLetter || $0.isNumber })
        if let helper = file.helper(name) { return isOneView(helper, in: file, depth: depth + 1) }
        return !groups.contains(name)
    }

    /// The trait says how often to read an element, and announces nothing.
    private func silentTraits(in file: ViewSource) -> [String] {
        file.lines(with: ".updatesFrequently").map { "\(file.path):\($0): .updatesFrequently announces nothing: use announces(_:)" }
    }
}

/// The content of a closure that builds views: its lines without the parameters, as swift-format indents them.
struct ViewContent {
    private let lines: [Substring]
    private let indentation: Int

    init(_ text: String) { self.init(text.split(separator: "\n")) }

    private init(_ all: [Substring]) {
        var lines = all.filter { !$0.allSatisfy(\.isWhitespace) }
        if let first = lines.first, first.hasSuffix(" in"), !first.contains("{") { lines.removeFirst() }
        if lines.count == 1 { lines[0] = Substring(lines[0].replacing(/^\s*(?:[\w, ()]+ in )?/, with: "")) }
        self.lines = lines
        indentation = lines.map(Self.indentation).min() ?? 0
    }

    private static func indentation(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    /// The statements: lines of the least indentation with those that continue them.
    private var statements: [[Substring]] {
        var result: [[Substring]] = []
        for line in lines {
            let text = line.dropFirst(indentation)
            let isInside = Self.indentation(line) > indentation || ".})]".contains(text.prefix(1))
            let isCase = text.hasPrefix("case ") || text.hasPrefix("default")
            if isInside || isCase, !result.isEmpty { result[result.count - 1].append(line) } else { result.append([line]) }
        }
        return result.filter { !text($0[0]).hasPrefix("let ") }
    }

    private func text(_ line: Substring) -> Substring { line.dropFirst(indentation) }

    /// The first line of the first statement.
    var first: String { statements.first.map { String(text($0[0])) } ?? "" }

    /// True if the content always makes exactly one view.
    var isOneView: Bool {
        guard statements.count == 1, let statement = statements.first else { return false }
        let head = text(statement[0])
        if head.hasPrefix("if ") { return branches(of: statement, from: ["} else"], needs: "} else {") }
        if head.hasPrefix("switch ") { return branches(of: statement, from: ["case ", "default"], needs: nil) }
        return !["ForEach", "Group", "EmptyView"].contains { head.hasPrefix($0) }
    }

    /// Returns whether each branch of an `if` or a `switch` is one view.
    ///
    /// - Parameters:
    ///   - marks: The beginnings of the lines that begin a branch.
    ///   - last: The branch without which there may be no view.
    private func branches(of statement: [Substring], from marks: [String], needs last: String?) -> Bool {
        if statement.count == 1 { return statement[0].contains(last ?? "switch") }
        var branches: [[Substring]] = [[]]
        var isComplete = last == nil
        for line in statement.dropFirst() {
            let text = text(line)
            if Self.indentation(line) == indentation, marks.contains(where: { text.hasPrefix($0) }) {
                if let last, text.hasPrefix(last) { isComplete = true }
                branches.append([])
                // A branch on the line of its label.
                if let colon = text.firstRange(of: ": "), marks != ["} else"] {
                    branches[branches.count - 1].append("    " + text[colon.upperBound...])
                }
            } else if text != "}" || Self.indentation(line) > indentation {
                branches[branches.count - 1].append(line)
            }
        }
        if marks != ["} else"] { branches.removeFirst() }
        return isComplete && branches.allSatisfy { ViewContent($0).isOneView }
    }
}

/// The text of a view file, with the places of its views.
struct ViewSource {
    let path: String
    /// The text without comments and without the contents of string literals.
    private let text: [UInt8]
    private let calls: [String: [Range<Int>]]
    /// The contents of functions and properties that make views, by their names, and those of the bodies by their types.
    private let helpers: [String: ViewContent]
    let bodies: [(type: String, content: ViewContent)]

    init(_ file: SourceFile) {
        path = file.path
        text = Self.masked(Array(file.text.utf8))
        calls = Self.calls(in: text)
        let all = String(decoding: text, as: UTF8.self)
        var type = ""
        var helpers: [String: ViewContent] = [:]
        var bodies: [(String, ViewContent)] = []
        var offset = 0
        for line in all.split(separator: "\n", omittingEmptySubsequences: false) {
            defer { offset += line.utf8.count + 1 }
            // Types begin their line.
            if line.first?.isWhitespace == false, let match = line.firstMatch(of: /\b(?:struct|class|enum) (\w+)/) {
                type = String(match.1)
            }
            guard line.hasSuffix("some View {"), let match = line.firstMatch(of: /\b(?:var|func) (\w+)/) else { continue }
            var place = offset + line.utf8.count - 1
            guard let range = Self.group("{", in: text, at: &place) else { continue }
            let content = ViewContent(String(decoding: text[range], as: UTF8.self))
            if match.1 == "body" { bodies.append((type, content)) } else { helpers[String(match.1)] = content }
        }
        (self.helpers, self.bodies) = (helpers, bodies)
    }

    func helper(_ name: String) -> ViewContent? { helpers[name] }

    /// A view, or a call with the name of one, and what follows it.
    struct View {
        var line: Int
        /// The arguments in parentheses.
        var arguments: String
        /// The content of the first closure, and the text of all.
        var content: ViewContent
        var closures: String
        var modifiers: [(name: String, text: String)]
        /// From the name to the end of the closures.
        var range: Range<Int>
    }

    func lines(with word: String) -> [Int] {
        String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.contains(word) }.map { $0.offset + 1 }
    }

    /// The views with this name.
    func views(_ name: String) -> [View] { calls[name, default: []].map { view(from: $0.lowerBound, nameEnd: $0.upperBound) } }

    /// The places of the names of types that arguments or a closure follow.
    private static func calls(in text: [UInt8]) -> [String: [Range<Int>]] {
        var found: [String: [Range<Int>]] = [:]
        var place = 0
        while place < text.count {
            guard isWord(text[place]) else {
                place += 1
                continue
            }
            let start = place
            while place < text.count, isWord(text[place]) { place += 1 }
            guard place < text.count, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[start]) else { continue }
            if start > 0, text[start - 1] == UInt8(ascii: ".") { continue }
            let follows = text[place] == UInt8(ascii: " ") && place + 1 < text.count ? text[place + 1] : text[place]
            guard follows == UInt8(ascii: "{") || text[place] == UInt8(ascii: "(") else { continue }
            found[String(decoding: text[start..<place], as: UTF8.self), default: []].append(start..<place)
        }
        return found
    }

    private func view(from start: Int, nameEnd: Int) -> View {
        var place = nameEnd
        let arguments = Self.group("(", in: text, at: &place).map(string) ?? ""
        var closures: [String] = []
        takeClosures(at: &place) { closures.append(string($0)) }
        let end = place
        var modifiers: [(String, String)] = []
        while let name = modifierName(at: &place) {
            let begin = place
            _ = Self.group("(", in: text, at: &place)
            takeClosures(at: &place) { _ in }
            modifiers.append((name, string(begin..<place)))
        }
        let line = text[..<start].count { $0 == UInt8(ascii: "\n") } + 1
        return View(
            line: line, arguments: arguments, content: ViewContent(closures.first ?? ""),
            closures: closures.joined(separator: "\n"),
            modifiers: modifiers, range: start..<end)
    }

    // MARK: Reading

    private func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The contents of the brackets at `place`, if they are there, and the place after them.
    private static func group(_ open: Unicode.Scalar, in text: [UInt8], at place: inout Int) -> Range<Int>? {
        var end = place
        while end < text.count, text[end] == UInt8(ascii: " ") { end += 1 }
        guard end < text.count, text[end] == UInt8(ascii: open) else { return nil }
        let start = end + 1
        var depth = 0
        while end < text.count {
            switch text[end] {
            case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            end += 1
            if depth == 0 { break }
        }
        place = end
        return start..<max(start, end - 1)
    }

    /// The trailing closures at `place`, and the place after them.
    private func takeClosures(at place: inout Int, _ body: (Range<Int>) -> Void) {
        guard let first = Self.group("{", in: text, at: &place) else { return }
        body(first)
        while true {
            var next = place
            while next < text.count, text[next] == UInt8(ascii: " ") { next += 1 }
            let label = next
            while next < text.count, Self.isWord(text[next]) { next += 1 }
            guard next > label, next < text.count, text[next] == UInt8(ascii: ":") else { return }
            next += 1
            guard let closure = Self.group("{", in: text, at: &next) else { return }
            body(closure)
            place = next
        }
    }

    private func modifierName(at place: inout Int) -> String? {
        var next = place
        while next < text.count, text[next] == UInt8(ascii: " ") || text[next] == UInt8(ascii: "\n") { next += 1 }
        guard next < text.count, text[next] == UInt8(ascii: ".") else { return nil }
        next += 1
        let start = next
        while next < text.count, Self.isWord(text[next]) { next += 1 }
        place = next
        return string(start..<next)
    }

    /// Blanks out comments and the contents of string literals, and keeps the lines.
    private static func masked(_ text: [UInt8]) -> [UInt8] {
        let (quote, slash, feed) = (UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "\n"))
        var result = text
        var place = 0
        while place < text.count {
            if text[place] == slash, place + 1 < text.count, text[place + 1] == slash {
                while place < text.count, text[place] != feed {
                    result[place] = UInt8(ascii: " ")
                    place += 1
                }
            } else if text[place] == quote {
                let isLong = text[place...].prefix(3).elementsEqual([quote, quote, quote])
                let length = isLong ? 3 : 1
                place += length
                while place < text.count,
                    !(text[place] == quote && (!isLong || text[place...].prefix(3).elementsEqual([quote, quote, quote])))
                {
                    let step = text[place] == UInt8(ascii: "\\") ? 2 : 1
                    for index in place..<min(place + step, text.count) where text[index] != feed {
                        result[index] = UInt8(ascii: "_")
                    }
                    place += step
                }
                place += length
            } else {
                place += 1
            }
        }
        return result
    }
}
