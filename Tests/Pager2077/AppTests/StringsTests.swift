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

    /// Literals that are shown, found as the views write them.
    @Test func everyWordOfTheViewsIsInTheTable() throws {
        let english = try table("en")
        let files =
            FileManager.default.enumerator(at: Self.folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        var words: Set<String> = []
        for file in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(
                of: /\.lcd\("([^"\\]+)"\)|Text\("([^"\\]+)", bundle: \.module\)|, "([A-Z0-9#\/]+: [A-Z]+)"\)/)
            {
                words.formUnion([match.1, match.2, match.3].compactMap { $0.map(String.init) })
            }
        }
        #expect(words.count > 60)
        #expect(words.subtracting(english.keys) == [])
    }
}
