import Foundation
import Testing

/// The README, the change log and the pages of `Docs/`.
@Suite struct DocumentTests {
    private static let words = ["TODO", "TBD", "FIXME"]

    /// A word in capitals on a line of its own stands for a text that was to be written.
    @Test func noPlaceholderIsLeft() throws {
        let pages = try FileManager.default.subpathsOfDirectory(atPath: FloorTests.root.appending(path: "Docs").path)
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
        #expect(pages.count > 40)
        for page in pages + ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"] {
            let text = try String(contentsOf: FloorTests.root.appending(path: page), encoding: .utf8)
            for (number, line) in zip(1..., text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)) {
                let line = Substring(line)
                // Matching all lines takes seconds.
                let begins = line.utf8.prefix(2).allSatisfy {
                    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || $0 == UInt8(ascii: " ")
                }
                guard begins || Self.words.contains(where: { word in line.withCString { strstr($0, word) != nil } }) else {
                    continue
                }
                #expect(line.wholeMatch(of: /[A-Z][A-Z ]{2,}|.*\b(?:TODO|TBD|FIXME)\b.*/) == nil, "\(page):\(number): \(line)")
            }
        }
    }
}
