import HighlightKit
import Testing

@Suite struct LanguageTests {
    @Test(arguments: codeSamples + textSamples)
    func samplesHaveTheExpectedTokens(_ sample: Sample) {
        let actual = marks(sample.code, sample.language).split(separator: "\n", omittingEmptySubsequences: false)
        let expected = sample.expected.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(actual.count == expected.count)
        for (actual, expected) in zip(actual, expected) { #expect(actual == expected) }
    }

    @Test func everyLanguageHasASample() {
        #expect(Set((codeSamples + textSamples).map(\.language)) == Set(CodeLanguage.allCases))
    }

    @Test(arguments: [
        ("Sources/App/main.swift", CodeLanguage.swift), ("a.h", .c), ("x.hpp", .cpp), ("A.M", .objectiveC), ("A.java", .java),
        ("b.kts", .kotlin),
        ("a.mjs", .javaScript), ("a.d.ts", .typeScript), ("a.tsx", .tsx), ("a.py", .python), ("Gemfile", .ruby), ("a.go", .go),
        ("a.rs", .rust),
        ("a.php", .php), ("a.cs", .cSharp), (".bashrc", .shell), ("a.sql", .sql), ("i.HTML", .html), ("Info.plist", .xml),
        ("a.scss", .css),
        ("package.json", .json), ("Package.resolved", .json), (".github/workflows/x.yml", .yaml), ("Cargo.lock", .toml),
        ("README.md", .markdown),
        ("Dockerfile", .dockerfile), ("Dockerfile.dev", .dockerfile), ("dir/Makefile", .makefile), ("x.patch", .diff),
    ])
    func fileNamesGiveLanguages(_ name: String, _ language: CodeLanguage) {
        #expect(CodeLanguage(fileName: name) == language)
    }

    @Test(arguments: ["", "LICENSE", "a.", "a.unknown", "/", "swift", ".gitignore", "a.swift/"])
    func otherFileNamesGiveNone(_ name: String) {
        #expect(CodeLanguage(fileName: name) == (name == "a.swift/" ? .swift : nil))
    }

    @Test(arguments: [
        ("swift", CodeLanguage.swift), ("Swift title=x", .swift), ("{.python}", .python), ("rust,ignore", .rust), ("c++", .cpp),
        ("objc", .objectiveC),
        ("js", .javaScript), ("ts", .typeScript), ("C#", .cSharp), ("bash", .shell), ("console", .shell), ("yml", .yaml),
        ("golang", .go),
        ("dockerfile", .dockerfile), ("make", .makefile), ("swift:Sources/A.swift", .swift), (" json", .json), ("patch", .diff),
    ])
    func fencesGiveLanguages(_ word: String, _ language: CodeLanguage) {
        #expect(CodeLanguage(fence: word) == language)
    }

    @Test(arguments: ["", " ", "text", "mermaid", "{}"])
    func otherFencesGiveNone(_ word: String) {
        #expect(CodeLanguage(fence: word) == nil)
    }

    /// The raw values may be stored.
    @Test func everyLanguageIsFoundByItsName() {
        for language in CodeLanguage.allCases { #expect(CodeLanguage(fence: language.name) == language) }
    }

    @Test func linesJoinedByTheStateEqualTheWhole() {
        let highlighter = Highlighter(.swift)
        let (_, open) = highlighter.tokens(of: "let a = \"\"\"", .init())
        let (tokens, closed) = highlighter.tokens(of: "let b\"\"\" + c", open)
        #expect(tokens.map(\.kind) == [.string, .plain, .operator, .plain])
        #expect(tokens.map { $0.text(in: "let b\"\"\" + c") } == ["let b\"\"\"", " ", "+", " c"])
        #expect(closed != open)
        #expect(highlighter.tokens(of: "", open).state == open)
    }
}
