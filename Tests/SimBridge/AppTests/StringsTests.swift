import Foundation
import Testing

/// Every language has the same words.
@Suite struct StringsTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/SimBridge/App").standardized

    private func table(_ language: String) throws -> [String: String] {
        let text = try String(contentsOf: Self.folder.appending(path: "\(language).lproj/Localizable.strings"), encoding: .utf8)
        let lines = text.matches(of: /"((?:[^"\\]|\\.)*)" = "((?:[^"\\]|\\.)*)";/)
        return Dictionary(lines.map { (String($0.1), String($0.2)) }, uniquingKeysWith: { first, _ in first })
    }

    @Test func languagesHaveTheSameKeysAndPlaceholders() throws {
        let (english, korean) = (try table("en"), try table("ko"))
        #expect(english.count > 100)
        #expect(Set(english.keys) == Set(korean.keys))
        for (key, text) in korean { #expect(text.matches(of: /%(?:@|lld)/).count == key.matches(of: /%(?:@|lld)/).count, "\(key)") }
    }

    @Test func everyWordOfTheViewsIsInTheTableAndNoOther() throws {
        let keys = Set(try table("en").keys.map { $0.replacing(/%(?:@|lld)/, with: "%") })
        #expect(try words().symmetricDifference(keys) == [])
    }

    /// The literals that become texts, with `%` for each interpolation.
    private func words() throws -> Set<String> {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".swift") }
        let literals = try files.flatMap { file in
            try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
                .replacing(/(?m)^ *\/\/.*$/, with: "")
                .replacing(/\\\((?:[^()"]|\([^()"]*\))*(?:"")?\)/, with: "%")
                .matches(of: /(?:\bText\(|title: |example: )"((?:[^"\\\n]|\\.)*)"/)
                .map { String($0.1) }
        }
        return Set(literals.filter { !$0.isEmpty })
    }
}
