import Foundation

/// The names of all tests below `Tests/`, in Swift and in Python, for documents that cite them.
struct TestCatalog {
    /// Folders, suite and name: `Pager2077/ServiceTests/MessageTests/theLatestComeOldestFirst`. The suite of a Python test is its file.
    let tests: [String]
    private let named: [Substring: [String]]

    init(root: URL) throws {
        let folder = root.appending(path: "Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        self.init(
            try files.filter { ["swift", "py"].contains($0.pathExtension) }.flatMap { file in
                Self.tests(
                    in: try String(contentsOf: file, encoding: .utf8), path: String(file.path.dropFirst(folder.path.count + 1)))
            })
    }

    init(_ tests: [String]) {
        self.tests = tests
        named = Dictionary(grouping: tests) { $0[$0.index(after: $0.lastIndex(of: "/") ?? $0.startIndex)...] }
    }

    /// The problem with a citation, or nil when it names exactly one test.
    ///
    /// - Parameters:
    ///   - citation: `Suite/name`, with folders before it where a suite of that name exists more than once.
    ///   - folder: The folder below `Tests` whose suites take precedence over others of the same name.
    func problem(with citation: String, folder: String = "") -> String? {
        let parts = citation.split(separator: "/")
        guard parts.count >= 2, let name = parts.last else {
            return "`\(citation)` is not of the form `Suite/name`" + near(citation)
        }
        let found = (named[name] ?? []).filter { $0 == citation || $0.hasSuffix("/\(citation)") }
        if found.isEmpty { return "no test `\(citation)`" + near(citation) }
        let own = found.filter { $0.hasPrefix("\(folder)/") }
        return (own.isEmpty ? found : own).count == 1 ? nil : "`\(citation)` names several tests: \(found.joined(separator: ", "))"
    }

    /// The tests that a citation may have meant: of the same name in other suites, else those that share most words of the name.
    private func near(_ citation: String) -> String {
        let parts = citation.split(separator: "/")
        let (suite, words) = (parts.count > 1 ? parts[parts.count - 2] : "", Self.words(of: parts.last ?? ""))
        let rated = tests.map { test in
            let path = test.split(separator: "/")
            let other = Self.words(of: path[path.count - 1])
            let shared = Double(words.intersection(other).count) / Double(max(1, words.union(other).count))
            return (test: path.suffix(2).joined(separator: "/"), score: shared + (path[path.count - 2] == suite ? 0.3 : 0))
        }
        let best = rated.filter { $0.score > 0.3 }.sorted { $0.score > $1.score }.prefix(3).map { "`\($0.test)`" }
        return best.isEmpty ? "" : "; near: \(best.joined(separator: ", "))"
    }

    /// The words of a name: `whatIsKept` and `what_is_kept` have the same three.
    private static func words(of name: some StringProtocol) -> Set<String> {
        var words: [String] = [""]
        for character in name {
            if character == "_" || character.isUppercase { words.append("") }
            if character != "_" { words[words.count - 1] += character.lowercased() }
        }
        return Set(words.filter { !$0.isEmpty && $0 != "test" })
    }

    /// - Parameter path: Of the file, from `Tests`.
    static func tests(in text: String, path: String) -> [String] {
        var folders = path.split(separator: "/").map(String.init)
        let file = folders.removeLast()
        // As bytes: dividing a text by characters takes seconds for all tests.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        if file.hasSuffix(".py") {
            return lines.filter { $0.hasPrefix("def ") }.compactMap { $0.prefixMatch(of: /def (test_\w+)\(/)?.1 }
                .map { (folders + [String(file.dropLast(3)), String($0)]).joined(separator: "/") }
        }
        var (suite, isTest) = ("", false)
        var found: [String] = []
        for line in lines {
            // A type at the top of the file.
            // Matching all lines takes seconds.
            if let first = line.utf8.first, ![UInt8](" /}".utf8).contains(first),
                let type = line.firstMatch(of: /\b(?:struct|class|enum|actor|extension) (\w+)/)
            {
                suite = String(type.1)
            }
            if !isTest { isTest = line.withCString { strstr($0, "@Test") != nil } }
            if isTest, let function = line.firstMatch(of: /\bfunc (\w+)\(/) {
                found.append((folders + [suite, String(function.1)]).joined(separator: "/"))
                isTest = false
            }
        }
        return found
    }
}
