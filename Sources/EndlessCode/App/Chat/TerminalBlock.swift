import HighlightKit
import SwiftUI
import ViewKit

/// The output of a command on a card, as a terminal shows it: with colours, and without overwritten text.
struct TerminalBlock: View {
    let output: String
    let title: Text
    @State private var zoom = CodeZoom()
    @State private var made: TerminalOutput?
    @Environment(\.palette) private var palette

    /// Maximum length of an output that is read at once, in bytes of UTF-8.
    private static let shortLength = 4096
    /// Count of lines in a chunk, and of chunks that are shown at first.
    private static let (chunkLength, step) = (40, 10)

    var body: some View {
        let shown = made ?? (output.utf8.count <= Self.shortLength ? TerminalOutput(output) : nil)
        VStack(alignment: .leading, spacing: 0) {
            HStack(spacing: 4) {
                title.font(.footnote).foregroundStyle(palette.secondary).lineLimit(1)
                Spacer()
                ZoomButton(zoom: zoom)
                if let shown { CopyButton(text: shown.text) }
            }
            .padding(.leading, 12)
            .frame(minHeight: Metrics.control)
            Divider()
            if let shown { text(shown) } else { ProgressView().frame(maxWidth: .infinity, minHeight: Metrics.control) }
        }
        .cardBackground()
        .clipShape(RoundedRectangle(cornerRadius: Metrics.corner))
        .accessibilityGroup("terminal")
        .task(id: output) {
            guard output.utf8.count > Self.shortLength else { return }
            let read = await Self.read(output)
            if !Task.isCancelled { made = read }
        }
    }

    @concurrent nonisolated private static func read(_ output: String) async -> TerminalOutput { TerminalOutput(output) }

    private func text(_ output: TerminalOutput) -> some View {
        ScrollView(.horizontal) {
            VStack(alignment: .leading, spacing: 0) {
                Stepped(Self.chunks(of: output), by: Self.step) { chunk in
                    chunk.lines.joined(separator: Self.lineFeed).map(styled).joined()
                }
            }
            .textSelection(.enabled)
            .fixedSize()
            .padding(.horizontal, 12)
            .padding(.vertical, 10)
        }
        .zoomable(zoom)
        .font(.system(size: zoom.size, design: .monospaced))
        .lineSpacing(2)
        .accessibilityElement(children: .contain)
    }

    private struct Chunk: Identifiable {
        let id: Int
        let lines: ArraySlice<[TerminalOutput.Run]>
    }

    private static let lineFeed = [TerminalOutput.Run(text: "\n", style: .plain)]

    private static func chunks(of output: TerminalOutput) -> [Chunk] {
        stride(from: 0, to: output.lines.count, by: chunkLength).map {
            Chunk(id: $0, lines: output.lines[$0..<min($0 + chunkLength, output.lines.count)])
        }
    }

    private func styled(_ run: TerminalOutput.Run) -> Text {
        var text = Text(verbatim: run.text)
        if let color = color(run.style) { text = text.foregroundStyle(color) }
        if run.style.isBold { text = text.fontWeight(.bold) }
        if run.style.isItalic { text = text.italic() }
        if run.style.isUnderlined { text = text.underline() }
        return text
    }

    /// Returns the app's colour for a terminal's, readable on cards; nil for the colour of text, also for black and white.
    private func color(_ style: TerminalOutput.Style) -> Color? {
        switch style.color {
        case .red: palette.error
        case .green: palette.success
        case .yellow: palette.warning
        case .blue: palette.accent
        case .magenta: palette.code.color(of: .keyword)
        case .cyan: palette.code.color(of: .type)
        case .black, .white, nil: style.isDim ? palette.secondary : nil
        }
    }
}

extension [Text] {
    /// Joins the texts in halves, so that each is copied few times.
    fileprivate func joined() -> Text { Self.joined(self[...]) }

    private static func joined(_ texts: ArraySlice<Text>) -> Text {
        guard let first = texts.first else { return Text(verbatim: " ") }
        guard texts.count > 1 else { return first }
        let middle = texts.startIndex + texts.count / 2
        return joined(texts[..<middle]) + joined(texts[middle...])
    }
}
