package import HighlightKit
package import SwiftUI

/// Code whose lines never wrap: it scrolls sideways, and two fingers change its size.
///
/// It is as high as its lines; put it into a vertical scrolling view where they may be many.
private struct CodeView: View {
    let text: String
    /// The language of the code; nil for no colours.
    let language: CodeLanguage?
    let zoom: CodeZoom
    @State private var lines = CodeLines()
    @Environment(\.theme) private var theme

    var body: some View {
        ScrollView(.horizontal) {
            VStack(alignment: .leading, spacing: 0) {
                ForEach(lines.chunks(of: text, language)) { CodeChunkView(chunk: $0) }
            }
            .textSelection(.enabled)
            .fixedSize()
            .padding(.horizontal, 12)
        }
        .zoomable(zoom)
        .font(zoom.percent == 100 ? theme.codeFont : .system(size: zoom.size, design: .monospaced))
        .lineSpacing(2)
        .accessibilityElement(children: .contain)
    }
}

/// The lines of a chunk as one text.
private struct CodeChunkView: View {
    let chunk: CodeChunk
    @Environment(\.palette) private var palette

    var body: some View { chunk.runs.text(in: palette) }
}

/// Code on a card, with its language and a button that copies it.
package struct CodeBlock: View {
    private let text: String
    private let language: CodeLanguage?
    private let title: Text
    private let isComplete: Bool
    private let identifier: String
    @State private var zoom = CodeZoom()
    /// Count of steps by which more of a long text is shown.
    @State private var stepCount = 0
    @Environment(\.palette) private var palette
    @Environment(\.theme) private var theme

    /// Maximum bytes of a text that are shown at first.
    private static let sizeLimit = 32_768
    /// The lines and bytes that a step adds. The lines also limit a text at first if the theme has no limit.
    private static let step = (lines: 2000, bytes: 65_536)

    /// - Parameters:
    ///   - title: The words in the header.
    ///   - isComplete: False while more code may follow.
    package init(text: String, language: CodeLanguage?, title: Text, isComplete: Bool = true, identifier: String = "code") {
        (self.text, self.language, self.title) = (text, language, title)
        (self.isComplete, self.identifier) = (isComplete, identifier)
    }

    package var body: some View {
        let shown = shown(stepCount)
        VStack(alignment: .leading, spacing: 0) {
            header
            Divider()
            CodeView(text: shown, language: language, zoom: zoom).padding(.vertical, 10)
            if shown.utf8.count < text.utf8.count { allButton }
        }
        .cardBackground()
        .clipShape(RoundedRectangle(cornerRadius: theme.corner))
        .accessibilityGroup(identifier)
    }

    private func shown(_ steps: Int) -> String {
        text.beginning(
            lines: (theme.codeLineLimit ?? Self.step.lines) + steps * Self.step.lines,
            bytes: Self.sizeLimit + steps * Self.step.bytes)
    }

    private var allButton: some View {
        Group {
            if shown(stepCount + 1).utf8.count == text.utf8.count {
                Button(Text("Show Everything", bundle: .module)) { stepCount += 1 }
                    .buttonStyle(TextButtonStyle(alignment: .leading))
            } else {
                MoreButton { stepCount += 1 }
            }
        }
        .padding(.horizontal, 12)
    }

    /// The header, as high as its button from the start, so that nothing moves when the code is complete.
    private var header: some View {
        HStack(spacing: 4) {
            title.font(.footnote).foregroundStyle(palette.secondary).lineLimit(1)
            Spacer()
            ZoomButton(zoom: zoom)
            if isComplete { CopyButton(text: text, look: theme.copyButton) }
        }
        .padding(.leading, 12)
        // The symbol has space around it inside its button, the words have none.
        .padding(.trailing, theme.copyButton == .symbol ? 0 : 12)
        .frame(minHeight: Metrics.control)
    }
}

extension String {
    /// Returns the first `lines` lines of the text, and no more than about `bytes` of it.
    func beginning(lines: Int, bytes: Int) -> String {
        var text = self
        let length = text.withUTF8 { Self.length(of: $0, lines: lines, bytes: bytes) }
        guard length < text.utf8.count else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: length)
        // The end moves to a boundary between characters.
        while end < endIndex, end.samePosition(in: self) == nil { end = utf8.index(after: end) }
        return String(self[..<end])
    }

    private static func length(of text: UnsafeBufferPointer<UInt8>, lines: Int, bytes: Int) -> Int {
        var (count, place) = (0, 0)
        let end = Swift.min(text.count, bytes)
        while place < end {
            if text[place] == UInt8(ascii: "\n") {
                count += 1
                if count == lines { break }
            }
            place += 1
        }
        return place
    }
}
