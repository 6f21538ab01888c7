import Foundation
import Testing

/// The names of SF Symbols, which no compiler checks: an unknown one is an empty place on an iPhone.
@Suite struct SystemSymbolTests {
    /// The systems' views and names for them, the page's own views, and the code for iPhones only.
    private static func files() throws -> [SourceFile] {
        try SourceFile.all(below: FloorTests.root).filter {
            $0.isView || $0.shipsToAPhone || $0.path.hasPrefix("Sources/WebUI/SwiftUI/")
        }
            + SourceFile.all(below: FloorTests.root, folder: "Apple")
    }

    private static func drawings() throws -> Set<String> {
        let file = FloorTests.root.appending(path: "Sources/WebUI/WebRenderer/Resources/symbols.svg")
        return Set(try String(contentsOf: file, encoding: .utf8).matches(of: /<symbol id="([^"]+)"/).map { String($0.1) })
    }

    @Test func symbolsInUseAreInIOS17AndStandForNoProductOfAppleAndAreDrawn() throws {
        let (symbols, files, drawings) = (try SystemSymbols(), try Self.files(), try Self.drawings())
        let uses = files.map { (file: $0, names: SystemSymbols.used(in: $0)) }.filter { !$0.names.isEmpty }
        let names = Set(uses.flatMap(\.names))
        #expect(names.isSuperset(of: ["server.rack", "fork.knife", "checkmark", "phone.fill", "lock.open"]))
        #expect(names.compactMap { name in symbols.reason(against: name).map { "\(name): \($0)" } }.sorted() == [])
        #expect(Set(uses.filter { !$0.file.path.hasPrefix("Apple/") }.flatMap(\.names)).subtracting(drawings).sorted() == [])
        // The page's module passes names on, and its gallery shows them all and unknown ones.
        let others = files.filter { !$0.path.hasPrefix("Sources/WebUI/") && !$0.isOfTheGallery }
        #expect(others.flatMap { SystemSymbols.namesNotFound(in: $0) } == [])
    }

    @Test func everyDrawingHasTheNameOfAnAvailableSymbol() throws {
        let symbols = try SystemSymbols()
        #expect(try Self.drawings().compactMap { name in symbols.reason(against: name).map { "\(name): \($0)" } }.sorted() == [])
    }

    @Test(arguments: [
        ("heart.fill", nil), ("checkmark.seal.text.page.fill", "iOS 17.0 or earlier"),
        ("cloud.slash.fill", "iOS 17.0 or earlier"),
        ("icloud", "product of Apple"), ("message.fill", "product of Apple"), ("faceid", "product of Apple"),
    ])
    func unusableNamesAreRefused(name: String, reason: String?) throws {
        let found = try SystemSymbols().reason(against: name)
        #expect(reason.map { found?.contains($0) == true } ?? (found == nil))
    }

    @Test(arguments: [
        (#"Image(systemName: "a")"#, ["a"]),
        (#"Label("Words", systemImage: isOn ? "a" : "b").accessibilityLabel("c")"#, ["a", "b"]),
        ("Image(\n    systemName: isOn\n        ? \"a\"\n        : names(\"b\", 1))\n// symbol: \"c\"", ["a", "b"]),
        (#"Placeholder(symbol: kind?.symbol ?? "a", title: Text("c"))"#, ["a"]),
        ("func row(_ symbol: String, _ words: Text) {}\nrow(\"a\", \"c\")\narrow(\"d\")", ["a"]),
        (
            "var symbol: String {\n    switch self {\n    case \"c\", \"d\": \"a\"\n    default: \"b\"\n    }\n}\nlet e = \"e\"",
            ["a", "b"]
        ),
        ("static func symbol(of name: String) -> String? {\n    if isOn { return \"a\" }\n    return nil\n}", ["a"]),
        ("static let symbols = [\n    \"a\", \"b\",\n]\nlet c = \"c\"", ["a", "b"]),
    ])
    func namesAreFound(code: String, names: [String]) {
        let file = SourceFile(path: "Sources/TalkCo/App/A.swift", text: code)
        #expect(SystemSymbols.used(in: file) == names)
        #expect(SystemSymbols.namesNotFound(in: file) == [])
    }

    @Test func namesThatCannotBeFoundAreReported() {
        let file = SourceFile(
            path: "Sources/TalkCo/App/A.swift", text: "Image(systemName: tab.1)\nLabel(words, systemImage: symbol)\n")
        #expect(SystemSymbols.namesNotFound(in: file).count == 1)
    }
}

/// The SF Symbols of iOS 17.0, and the names in Swift code.
struct SystemSymbols {
    private var available: Set<Substring> = []
    /// Symbols that may stand for a product or a service of Apple only.
    private var restricted: Set<Substring> = []

    /// Reads `Tests/AppleFacts/sf-symbols.txt`.
    init() throws {
        let file = FloorTests.root.appending(path: "Tests/AppleFacts/sf-symbols.txt")
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            available.insert(parts[0])
            if parts.count > 1 { restricted.insert(parts[0]) }
        }
    }

    /// Why an app for iOS 17.0 may not use the symbol; nil if it may.
    func reason(against name: String) -> String? {
        guard available.contains(name[...]) else { return "no symbol of iOS 17.0 or earlier" }
        return restricted.contains(name[...]) ? "stands for a product of Apple only" : nil
    }

    /// The names in a file: string literals
    /// - in an argument `systemName:`, `systemImage:` or `symbol:`, and in the value of a variable `symbol`;
    /// - in the body of a property or function `symbol` that returns a string;
    /// - in the first argument of a function of the file whose first parameter is `_ symbol: String`.
    static func used(in file: SourceFile) -> [String] {
        places(in: file).flatMap { literals(in: $0.code) }
    }

    /// The images of views whose symbol is neither a literal nor called `symbol`, so that ``used(in:)`` does not find its name.
    static func namesNotFound(in file: SourceFile) -> [String] {
        places(in: file).filter { $0.isImage && !$0.code.contains("\"") && !$0.code.contains("ymbol") }
            .map { "\(file.path):\($0.line):\($0.code)" }
    }

    /// Code that names a symbol.
    private struct Place {
        var line: Int
        var code: Substring
        /// True for an argument of an image or a label.
        var isImage = false
    }

    private static func places(in file: SourceFile) -> [Place] {
        let words = ["systemName:", "systemImage:", "symbol"]
        // Reading all lines of all files takes seconds.
        guard words.contains(where: file.text.contains) else { return [] }
        let code = file.code
        let functions = code.filter { $0.line.contains("(_ symbol: String") }.compactMap {
            $0.line.firstMatch(of: /func (\w+)\(/)?.1
        }
        return code.indices.flatMap { index in
            let (number, line) = code[index]
            func place(_ end: CodeEnd, after start: String.Index, isImage: Bool = false) -> Place {
                let rest = String(line[start...]) + code[(index + 1)...].prefix(60).map { "\n" + $0.line }.joined()
                return Place(line: number, code: end.part(of: rest[...]), isImage: isImage)
            }
            var places = functions.flatMap { function in
                line.ranges(of: "\(function)(").filter { call in
                    let before = line[..<call.lowerBound]
                    return !before.hasSuffix("func ") && before.last?.isLetter != true
                }.map { place(.argument, after: $0.upperBound) }
            }
            guard words.contains(where: line.contains) else { return places }
            if let match = line.firstMatch(of: #/(?:var|let) symbols?(?:: [^={]+)? = /#) {
                places.append(place(.line, after: match.range.upperBound))
            } else if let match = line.firstMatch(of: #/(?:var symbol: |func symbol\w*\(.*-> )String\?? \{/#) {
                places.append(place(.bracket, after: match.range.upperBound))
            } else {
                places += line.matches(of: /(?:^|[(,]) *(systemName|systemImage|symbol):/).map {
                    place(.argument, after: $0.range.upperBound, isImage: $0.1 != "symbol")
                }
            }
            return places
        }
    }

    /// The string literals, without those that a `case` compares with.
    private static func literals(in code: Substring) -> [String] {
        code.split(separator: "\n").flatMap { line in
            let text = line.drop { $0 == " " }
            let value = text.hasPrefix("case ") ? text.dropFirst(CodeEnd.label.part(of: text).count) : text
            return value.matches(of: /"([^"]*)"/).map { String($0.1) }
        }
    }
}
