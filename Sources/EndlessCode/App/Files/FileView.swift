import EndlessCodeClient
import EndlessCodeWire
import HighlightKit
import SwiftUI
import ViewKit

/// The content of a file: lines that never wrap, with numbers and colours.
struct FileView: View {
    @State private var file: OpenFile
    @State private var zoom = CodeZoom()
    @State private var lines: FileLines?

    init(file: OpenFile) { _file = State(initialValue: file) }

    var body: some View {
        VStack(spacing: 0) {
            FileBar(file: file, zoom: lines == nil ? nil : zoom)
            Divider()
            content
        }
        .page()
        .navigationTitle(Text(verbatim: file.name))
        .navigationBarTitleDisplayMode(.inline)
        .task { if file.content == nil { await file.load() } }
        .task(id: file.content) { await read() }
    }

    @ViewBuilder private var content: some View {
        if let lines {
            FileText(lines: lines, zoom: zoom, refresh: { await file.load(whole: file.content?.truncated == false) }) {
                FileRest(file: file)
            }
        } else {
            ScrollView {
                if file.content?.encoding == .binary {
                    Placeholder(
                        symbol: "doc", title: Text("Binary file", bundle: .module),
                        words: Text("It contains no text that could be shown.", bundle: .module))
                } else if case .failed(let problem) = file.phase {
                    failed(problem)
                } else if file.content?.content?.isEmpty == true {
                    Placeholder(symbol: "doc", title: Text("Empty file", bundle: .module))
                } else {
                    ProgressView().accessibilityLabel(Text("Loading", bundle: .module)).frame(maxWidth: .infinity, minHeight: 160)
                }
            }
            .refreshable { await file.load() }
        }
    }

    private func failed(_ problem: CodeProblem) -> some View {
        VStack(alignment: .leading, spacing: 8) {
            ProblemText(problem: problem)
            CommandButton(Text("Try Again", bundle: .module)) { await file.load() }
                .buttonStyle(WideButtonStyle(role: .other))
        }
        .padding(Metrics.padding)
        .column()
    }

    private func read() async {
        guard let text = file.content?.content, !text.isEmpty else {
            lines = nil
            return
        }
        let made = await FileLines.make(text, language: CodeLanguage(fileName: file.path))
        if !Task.isCancelled { lines = made }
    }
}

/// The path, size and language of a file, with the zoom buttons.
private struct FileBar: View {
    let file: OpenFile
    /// Nil without text.
    let zoom: CodeZoom?
    @Environment(\.palette) private var palette
    @Environment(\.locale) private var locale

    var body: some View {
        HStack(spacing: 8) {
            VStack(alignment: .leading, spacing: 1) {
                Text(verbatim: file.path).font(.caption).lineLimit(1)
                Text(verbatim: facts).font(.caption).foregroundStyle(palette.secondary).lineLimit(1)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            if let zoom { ZoomButtons(zoom: zoom) }
        }
        .padding(.leading, Metrics.padding)
        .frame(minHeight: Metrics.control)
        .background(palette.card, in: Rectangle())
    }

    private var facts: String {
        let size = file.content.map { $0.size.formatted(.byteCount(style: .file).locale(locale)) }
        return [size, CodeLanguage(fileName: file.path)?.name, file.content?.charset].compactMap(\.self).joined(separator: " · ")
    }
}

/// Buttons for a smaller, the original and a larger size.
struct ZoomButtons: View {
    let zoom: CodeZoom
    @Environment(\.palette) private var palette

    /// The change by one tap, in percent of the original size.
    private static let step = 25

    var body: some View {
        HStack(spacing: 0) {
            button("minus", Text("Smaller", bundle: .module), to: zoom.percent - Self.step)
                .disabled(zoom.percent <= CodeZoom.range.lowerBound)
            Button {
                zoom.reset()
            } label: {
                Text(verbatim: "\(zoom.percent) %").font(.footnote).monospacedDigit().frame(
                    minWidth: 48, minHeight: Metrics.control)
            }
            .buttonStyle(.plain)
            .foregroundStyle(palette.secondary)
            .accessibilityLabel(Text("Zoom \(zoom.percent) percent", bundle: .module))
            .accessibilityHint(Text("Shows the original size", bundle: .module))
            .accessibilityIdentifier("zoom")
            button("plus", Text("Larger", bundle: .module), to: zoom.percent + Self.step)
                .disabled(zoom.percent >= CodeZoom.range.upperBound)
        }
    }

    private func button(_ symbol: String, _ label: Text, to percent: Int) -> some View {
        SymbolButton(symbol: symbol, label) {
            zoom.magnify(by: CGFloat(percent) / CGFloat(zoom.percent))
            zoom.endPinch()
        }
    }
}

/// The lines of a file. Only rows near the visible ones exist.
private struct FileText<Footer: View>: View {
    let lines: FileLines
    let zoom: CodeZoom
    let refresh: @Sendable () async -> Void
    @ViewBuilder let footer: Footer

    /// The width of a character of the monospaced font, as a fraction of the font size.
    private static var characterWidth: CGFloat { 0.62 }
    private static var footerWidth: CGFloat { 320 }

    var body: some View {
        // One stack that scrolls both ways: inside a scroll view that only scrolls sideways, rows would not be lazy.
        ScrollView([.horizontal, .vertical]) {
            LazyVStack(alignment: .leading, spacing: 0) {
                ForEach(lines.rows) { FileRow(lines: lines, row: $0, numberWidth: width(of: String(lines.lineCount).count)) }
                footer.frame(width: Self.footerWidth)
            }
            .font(.system(size: zoom.size, design: .monospaced))
            .textSelection(.enabled)
            .padding(.horizontal, 8)
            .fixedSize(horizontal: true, vertical: false)
            // Rows that do not exist yet may be the widest.
            .frame(minWidth: width(of: lines.columnCount), alignment: .leading)
        }
        .defaultScrollAnchor(.topLeading)
        .refreshable(action: refresh)
        .zoomable(zoom)
        .accessibilityIdentifier("file")
    }

    private func width(of characterCount: Int) -> CGFloat { CGFloat(characterCount) * zoom.size * Self.characterWidth }
}

/// A line with its number. The line gets its colours when it comes into sight.
private struct FileRow: View {
    let lines: FileLines
    let row: FileLines.Row
    let numberWidth: CGFloat
    @State private var runs: [CodeRun]?
    @Environment(\.palette) private var palette

    var body: some View {
        // Aligned at the baseline, because letters of another font may be higher.
        HStack(alignment: .firstTextBaseline, spacing: 8) {
            Text(verbatim: row.number)
                .foregroundStyle(palette.secondary)
                .frame(width: numberWidth, alignment: .trailing)
                .accessibilityHidden(true)
            runs?.text(in: palette) ?? Text(verbatim: row.text.isEmpty ? " " : row.text)
        }
        .padding(.vertical, 1)
        .fixedSize(horizontal: true, vertical: false)
        .task(id: row) { runs = await lines.runs(of: row) }
    }
}

/// The note after the beginning of a large file.
private struct FileRest: View {
    let file: OpenFile
    @Environment(\.palette) private var palette

    var body: some View {
        if let content = file.content, content.truncated {
            VStack(spacing: 8) {
                Text("Only the beginning of this file is shown.", bundle: .module).font(.subheadline).multilineTextAlignment(
                    .center)
                if file.phase == .loading {
                    ProgressView().accessibilityLabel(Text("Loading", bundle: .module)).frame(minHeight: Metrics.control)
                } else if file.canLoadWhole {
                    CommandButton(Text("Load All", bundle: .module)) { await file.load(whole: true) }
                        .buttonStyle(WideButtonStyle(role: .other))
                } else {
                    Text("It is too large to be shown completely.", bundle: .module).font(.footnote).foregroundStyle(
                        palette.secondary)
                }
                if case .failed(let problem) = file.phase { ProblemText(problem: problem) }
            }
            .padding(Metrics.padding)
            .column()
        }
    }
}
