import Foundation
import Pager2077App
import Testing

/// Every language has the same words.
@Suite struct StringsTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Pager2077/App")

    private func table(_ language: String) throws -> [String: String] {
        let text = try String(contentsOf: Self.folder.appending(path: "\(language).lproj/Localizable.strings"), encoding: .utf8)
        let lines = text.matches(of: /"((?:[^"\\]|\\.)*)" = "((?:[^"\\]|\\.)*)";/)
        return Dictionary(lines.map { (String($0.1), String($0.2)) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func languagesHaveTheSameKeysAndPlaceholders() throws {
        let (english, korean) = (try table("en"), try table("ko"))
        #expect(english.count > 80)
        #expect(Set(english.keys) == Set(korean.keys))
        for (key, text) in korean { #expect(text.matches(of: /%(?:@|lld)/).count == key.matches(of: /%(?:@|lld)/).count, "\(key)") }
    }

    /// Capitals that are no words, or no words to translate: the pager's name, and what stands on its keys and beside its entry.
    private static let untranslated: Set = [
        "PAGER 2077", "PAGER2077", "SPACE", "DEL", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ",
    ]

    @Test func everyWordOfTheViewsIsInTheTableAndNoOther() throws {
        let keys = Set(try table("en").keys.map { $0.replacing(/%(?:@|lld)/, with: "%") })
        let words = try words()
        #expect(words.subtracting(keys) == Self.untranslated)
        #expect(keys.subtracting(words) == [])
    }

    /// The literals of the sources that are words to show, with `%` for each interpolation: what a view makes a text of, and whatever
    /// else has two letters or more, all of them capitals, as everything on the display.
    private func words() throws -> Set<String> {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".swift") }
        let literals = try files.flatMap { file in
            try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
                .replacing(/(?m)^ *\/\/.*$/, with: "")
                .replacing(/\\\((?:[^()"]|\([^()"]*\))*\)/, with: "%")
                .matches(of: /(\blcd\(|\bText\()?"((?:[^"\\\n]|\\.)*)"/)
                .map { (isText: $0.1 != nil, literal: String($0.2)) }
        }
        return Set(
            literals.filter { isText, literal in
                isText ? literal.contains(/\p{L}/) : literal.contains(/[A-Z].*[A-Z]/) && !literal.contains(/\p{Ll}/)
            }.map(\.literal))
    }
}
