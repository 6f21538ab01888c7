import Foundation
import Testing

/// The README, the change log and the pages of `Docs/`.
@Suite struct DocumentTests {
    /// A word in capitals on a line of its own stands for a text that was to be written.
    @Test func noPlaceholderIsLeft() throws {
        let pages = try FileManager.default.subpathsOfDirectory(atPath: FloorTests.root.appending(path: "Docs").path)
            .filter { $0.hasSuffix(".md") }.map { "Docs/\($0)" }
        #expect(pages.count > 40)
        for page in pages + ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"] {
            let text = try String(contentsOf: FloorTests.root.appending(path: page), encoding: .utf8)
            for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
                #expect(line.wholeMatch(of: /[A-Z][A-Z ]{2,}|.*\b(?:TODO|TBD|FIXME)\b.*/) == nil, "\(page):\(number): \(line)")
            }
        }
    }
}
