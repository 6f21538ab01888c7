import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import HighlightKit
import PlatformKit
import SwiftUI
import TestKit
import Testing
import ViewKit

@testable import EndlessCodeApp

/// The tab Files on the real service.
@MainActor
@Suite struct FileTests {
    private func opened(_ files: [String: String], git: Bool = false, scrolls: Bool = false) async throws -> AgentHand {
        let hand = try await AgentHand.connected(to: try await AgentBox(), scrolls: scrolls)
        if git { try await hand.initialiseGit() }
        try hand.write(files)
        try hand.show("Files")
        try await hand.screen.wait(for: "entry README.md")
        return hand
    }

    @Test func treeOpensFoldersAndSearchFindsWhatWasOpened() async throws {
        let hand = try await opened(["Sources/App/main.swift": "print(1)\n", "empty/.keep": ""])
        #expect(!hand.screen.has("entry Sources/App"))
        try await hand.tap("entry Sources")
        try await hand.tap("entry Sources/App")
        try await hand.screen.wait(for: "entry Sources/App/main.swift")
        try hand.screen.type("app main", into: "Search Files")
        #expect(hand.screen.has("Sources/App/main.swift") && !hand.screen.has("README.md"))
        try hand.screen.type("nothing at all", into: "Search Files")
        #expect(hand.screen.has("No Results for “nothing at all”"))
        try hand.screen.type("", into: "Search Files")
        try await hand.tap("entry Sources")
        try await hand.screen.wait { !hand.screen.has("entry Sources/App") }
        try hand.write(["new.txt": "new"])
        try hand.screen.pull()
        try await hand.screen.wait(for: "entry new.txt")
    }

    @Test func largeFoldersCameInPagesOfAHundred() async throws {
        var files: [String: String] = [:]
        for index in 0..<130 { files["many/\(1000 + index).txt"] = "" }
        let hand = try await opened(files)
        try await hand.tap("entry many")
        try await hand.screen.wait(for: "Show 30 more of 30")
        #expect(!hand.screen.has("entry many/1129.txt"))
        try hand.screen.tap("Show 30 more of 30")
        try await hand.screen.wait(for: "entry many/1129.txt")
    }

    @Test func fileHasNumbersColoursAndAZoomWithinLimits() async throws {
        let hand = try await opened(["a.swift": "let answer = 42\n\n// the end\n\n"])
        try await hand.tap("entry a.swift")
        try await hand.screen.wait(for: "100 %")
        try await hand.screen.wait { hand.screen.texts.contains("42") && hand.screen.texts.contains("// the end") }
        #expect(hand.screen.has("16 bytes · Swift") || hand.screen.texts.contains { $0.contains("Swift") })
        #expect(["1", "2", "3", "4"].allSatisfy { hand.shows(number: $0) } && !hand.shows(number: "5"))
        for _ in 0..<8 { try hand.screen.tap("Larger") }
        #expect(hand.screen.has("300 %"))
        #expect(try !hand.isEnabled("Larger"))
        for _ in 0..<10 { try hand.screen.tap("Smaller") }
        #expect(hand.screen.has("50 %"))
        #expect(try !hand.isEnabled("Smaller"))
        try hand.screen.pinch("file", by: [1.5, 3, 100])
        #expect(hand.screen.has("300 %"))
        try hand.screen.tap("zoom")
        #expect(hand.screen.has("100 %"))
        try hand.screen.back()
        #expect(hand.screen.has("entry a.swift"))
    }

    @Test func binaryAndEmptyFilesSayTheyAre() async throws {
        let hand = try await opened(["empty.txt": ""])
        try Data([0x89, 0x50, 0, 0xff]).write(to: hand.box.project.url.appending(path: "image.png"))
        try hand.screen.pull()
        try await hand.tap("entry image.png")
        try await hand.screen.wait(for: "Binary file")
        try hand.screen.back()
        try await hand.tap("entry empty.txt")
        try await hand.screen.wait(for: "Empty file")
        try hand.screen.back()
        try FileManager.default.removeItem(at: hand.box.project.url.appending(path: "empty.txt"))
        try await hand.tap("entry empty.txt")
        try await hand.screen.wait(for: "The file does not exist any more.")
    }

    @Test func beginningOfABigFileIsFollowedByAllOfIt() async throws {
        let line = String(repeating: "x", count: 99)
        let hand = try await opened(["big.log": (0..<12_000).map { "\($0) \(line)" }.joined(separator: "\n")], scrolls: true)
        try await hand.tap("entry big.log")
        try await hand.tap("Load All")
        try await hand.screen.wait { !hand.screen.has("Load All") }
        try await hand.screen.wait { hand.shows(number: "100") }
    }

    @Test func tenThousandLinesCreateOnlyWhatIsNear() async throws {
        let text = (1...10_000).map { "let value\($0) = \($0) // a comment" }.joined(separator: "\n")
        let hand = try await opened(["long.swift": text], scrolls: true)
        try await hand.tap("entry long.swift")
        try await hand.screen.wait(for: "100 %")
        try await hand.screen.wait { hand.elements.contains { $0.kind == .gap } }
        // A row has three elements, and no colours before it is seen.
        #expect(hand.elements.count < 1_500)
        try hand.screen.scroll(to: "let value1 = 1 // a comment")
        try await hand.screen.wait { hand.screen.texts.contains { $0.contains("// a comment") && !$0.contains("let") } }
        #expect(hand.elements.count < 3_000)
    }

    @Test func changesAreFoldedByFileAndMarkedBySigns()
        async throws
    {
        let hand = try await opened(["README.md": "# Scratch\n\nchanged\n", "new.txt": "untracked\n"], git: true)
        try hand.screen.pull()
        try await hand.screen.wait(for: "Untracked")
        #expect(hand.screen.has("Added"))
        try hand.screen.tap("Changes")
        try await hand.screen.wait(for: "Not Staged")
        #expect(hand.screen.has("Staged") && hand.screen.all("diff README.md").count == 2)
        #expect(hand.screen.has("+1") && hand.screen.has("−1") && !hand.screen.texts.contains("changed"))
        try hand.screen.tap("diff README.md")
        try await hand.screen.wait { hand.screen.texts.contains("changed") }
        // The signs say what the colours do.
        #expect(hand.screen.texts.contains("+") && hand.screen.texts.contains("−"))
        try hand.screen.tap("diff README.md")
        #expect(!hand.screen.texts.contains("changed"))
    }

    @Test func projectWithoutGitHasNoChanges() async throws {
        let hand = try await opened([:])
        try hand.screen.tap("Changes")
        try await hand.screen.wait(for: "Not a git repository")
    }

    @Test func lostConnectionIsSaidAndRetried()
        async throws
    {
        let box = try await AgentBox()
        let hand = try await AgentHand.connected(to: box)
        try hand.show("Files")
        try await hand.screen.wait(for: "entry README.md")
        await box.stop()
        try await hand.until { $0.status != .connected }
        try await hand.tap("entry README.md")
        try await hand.screen.wait(for: "problem")
        try await box.start()
        hand.client.reconnect()
        try await hand.until { $0.status == .connected }
        try await hand.tap("Try Again")
        try await hand.screen.wait(for: "100 %")
    }

    // MARK: Parts

    @Test func rowsHaveAllLinesAndTheColoursOfTheWholeText() async throws {
        // A comment over many rows: colours need the lines above.
        let text = "/*\n" + (0..<120).map { "word \($0)\n" }.joined() + "*/ let a = 1\n\n"
        let lines = await FileLines.make(text, language: .swift)
        #expect(lines.lineCount == 123 && lines.rows.map(\.number) == (1...123).map(String.init))
        let last = try #require(await lines.runs(of: lines.rows[121]))
        #expect(last.first?.kind == .comment && last.contains { $0.kind == .keyword && $0.text == "let" })
        #expect(lines.rows[122].text.isEmpty && lines.columnCount == 12)
        let plain = await FileLines.make("plain 가🙂", language: nil)
        #expect(await plain.runs(of: plain.rows[0]) == nil)
        #expect(plain.columnCount == 10)
    }

    @Test(arguments: [
        ("main.swift", "chevron.left.forwardslash.chevron.right"), ("README.md", "doc.text"), ("photo.PNG", "photo"),
        ("Makefile", "terminal"), ("server.pem", "key"), ("a.json", "slider.horizontal.3"), ("noname", "doc.text"),
    ])
    func filesHaveTheSymbolOfTheirKind(_ name: String, _ symbol: String) { #expect(FileIcon.symbol(named: name) == symbol) }
}

extension AgentHand {
    /// True if a line with this number exists. Numbers are hidden from VoiceOver.
    fileprivate func shows(number: String) -> Bool { elements.contains { $0.attributes[.text]?.text == number } }
}
