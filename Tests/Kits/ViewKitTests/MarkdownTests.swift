import MarkdownKit
import PhoneTestKit
import PlatformKit
import SwiftUI
import TestKit
import Testing

@testable import ViewKit

@MainActor @Observable
private final class Stream { var document = MarkdownDocument() }

private struct StreamView: View {
    let stream: Stream
    var body: some View { MarkdownView(stream.document) }
}

/// Text in Markdown.
@MainActor
@Suite struct MarkdownTests {
    private let stream = Stream()
    private let device = TestPhone()

    private func shown(_ text: String, isFinished: Bool = true) -> ViewDriver {
        stream.document.append(text)
        if isFinished { stream.document.finish() }
        return driver()
    }

    private func driver(copyButton: CopyButton.Look = .codeWords, codeLineLimit: Int? = nil) -> ViewDriver {
        let theme = Theme(
            light: Palette(), dark: Palette(), corner: 8, column: 600, copyButton: copyButton, codeLineLimit: codeLineLimit)
        return ViewDriver(StreamView(stream: stream).themed(theme, on: device.phone()))
    }

    @Test func aParagraphIsOneTextWithItsLinks() throws {
        let screen = shown("See [the **bo**x](https://example.com/a) or https://example.com/b, `not` [this](javascript:alert(1)).")
        #expect(screen.has("See the box or https://example.com/b, not this."))
        let links = screen.visible.filter { $0.kind == .link }
        #expect(links.map { $0.attributes[.text]?.text } == ["the ", "bo", "x", "https://example.com/b"])
        #expect(
            links.map { $0.attributes[.href]?.text }
                == ["https://example.com/a", "https://example.com/a", "https://example.com/a", "https://example.com/b"])
        #expect(links.allSatisfy { $0.style.contains(.underline) })
    }

    @Test func tableHasColumnsOfItsOwnWidths() throws {
        let screen = shown("| Name | Size |\n|---|--:|\n| a | 1 |\n| \(String(repeating: "long ", count: 10)) | 22 |\n")
        let grid = try #require(screen.visible.first { $0.kind == .cells })
        #expect(grid.pageChildren.map(\.kind) == [.cellrow, .divider, .cellrow, .cellrow])
        let last = grid.pageChildren[3].pageChildren
        #expect(frame(of: last[0])?.width == 220 && frame(of: last[0])?.alignment == .topLeading)
        #expect(last[1].style.contains(.cellAlignment(.trailing)))
        #expect(frame(of: last[1])?.width == nil && frame(of: last[1])?.alignment == .topTrailing)
    }

    private func frame(of element: Element) -> FrameRule? {
        element.style.lazy.compactMap { if case .frame(let rule) = $0 { rule } else { nil } }.first
    }

    @Test func textFromRightToLeftIsOnTheRight() throws {
        let screen = shown("مرحبا بالعالم\n\n- שלום\n- hello\n")
        #expect(try screen.find("مرحبا بالعالم").style.contains(.textAlignment(.trailing)))
        #expect(screen.texts == ["مرحبا بالعالم", "שלום", "•", "•", "hello"])
    }

    @Test func codeCanBeCopiedAtTheEndOfTheTextAsWell() async throws {
        let screen = shown("```swift\nlet a = 1", isFinished: false)
        #expect(!screen.has("Copy Code"))
        stream.document.append("\nlet b")
        stream.document.finish()
        try screen.tap("Copy Code")
        try await eventually { await device.copied == "let a = 1\nlet b" }
        try await screen.wait(for: "Copied")
    }

    @Test func copyThatThePhoneRefusesIsSaid() async throws {
        device.refusesCopies = true
        let screen = shown("```swift\nlet a = 1\n```\n")
        try screen.tap("Copy Code")
        try await screen.wait(for: "Couldn’t copy")
        device.refusesCopies = false
        try screen.tap("Couldn’t copy")
        try await screen.wait(for: "Copied")
    }

    @Test func longCodeIsShownByItsBeginningWhereTheThemeHasALimit() throws {
        stream.document = MarkdownDocument("```swift\n1\n2\n3\n```\n")
        let screen = driver(copyButton: .symbol, codeLineLimit: 2)
        #expect(screen.has("Swift") && screen.has("1\n2") && screen.has("Copy"))
        try screen.tap("Show Everything")
        #expect(screen.has("1\n2\n3"))
        #expect(driver().has("1\n2\n3"))
    }

    /// The effort of a piece depends on the last section, not on the length of the answer.
    @Test func pieceOfALongAnswerEvaluatesItsLastSection() throws {
        var efforts: [Int] = []
        for paragraphCount in [20, 40] {
            stream.document = MarkdownDocument()
            for number in 0..<paragraphCount {
                stream.document.append("Paragraph \(number) with **words**.\n\n- an item\n- [a link](https://a.b)\n\n")
            }
            let driver = driver()
            var changes: [Change] = []
            driver.host.onChanges = { more, _ in changes += more }
            stream.document.append("The end")
            driver.host.flush()
            changes = []
            let before = driver.host.evaluationCount
            for _ in 0..<10 {
                stream.document.append(" goes on")
                driver.host.flush()
            }
            efforts.append((driver.host.evaluationCount - before) / 10 - stream.document.sections.count)
            // Ten suffixes of one text.
            #expect(changes.count == 10)
            #expect(changes.allSatisfy { if case .appended(_, " goes on") = $0 { true } else { false } })
        }
        // One evaluation for each section finds it unchanged, and each block of the last one may be compared.
        #expect(abs(efforts[0] - efforts[1]) <= 2 * 32, "\(efforts)")
    }

    /// The number of elements of one step is bounded, whatever the text is.
    @Test(arguments: ["# a\n", "| a | b |\n", "- - - - a\n", "a **b** ", "```\na\n```\n", "> > > > > > a\n\n"])
    func longTextIsShownInSteps(_ piece: String) throws {
        let start = piece.hasPrefix("|") ? "| x | y |\n|---|---|\n" : ""
        let screen = shown(start + String(repeating: piece, count: 40_000 / piece.utf8.count))
        let count = screen.visible.count
        #expect(screen.has("Show More") && count < 30_000, "\(count)")
        try screen.tap("Show More")
        #expect(screen.visible.count > count)
    }

    @Test func hugeCodeIsShownInSteps() throws {
        let screen = shown("```js\n" + String(repeating: "a+b+c+d+e+f+g+h+i+j+k+l+m+n;\n", count: 30_000) + "```\n")
        var lengths: [Int] = []
        for _ in 0..<3 {
            lengths.append(screen.texts.reduce(0) { $0 + $1.utf8.count })
            #expect(screen.visible.count < 12_000)
            try screen.tap("Show More")
        }
        #expect(lengths[0] < 40_000 && lengths[1] - lengths[0] < 100_000 && lengths[2] - lengths[1] < 100_000, "\(lengths)")
        #expect(lengths[0] < lengths[1] && lengths[1] < lengths[2])
    }

    @Test func steppedShowsTheFirstElements() throws {
        struct Numbers: View {
            let all = (0..<25).map { Number(id: $0) }
            var body: some View { Stepped(all, by: 10) { Text(verbatim: "n\($0.id)") } }
        }
        struct Number: Identifiable { let id: Int }
        let screen = ViewDriver(Numbers())
        #expect(screen.has("n9") && !screen.has("n10"))
        try screen.tap("Show More")
        try screen.tap("Show More")
        #expect(screen.has("n24") && !screen.has("Show More"))
    }
}
