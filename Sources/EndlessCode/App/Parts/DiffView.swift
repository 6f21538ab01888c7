import HighlightKit
import SwiftUI
import ViewKit

/// Lines of a diff, which never wrap: they scroll sideways, and two fingers change their size.
///
/// Differences have a sign and not only a colour.
struct DiffView: View {
    let rows: [DiffRow]
    let zoom: CodeZoom

    /// Minimum width of a row's colour in points, which fills a phone in portrait.
    fileprivate static let minimumWidth: CGFloat = 320

    var body: some View {
        ScrollView(.horizontal) {
            Grid(alignment: .leading, horizontalSpacing: 0, verticalSpacing: 0) {
                ForEach(rows) { DiffRowView(row: $0) }
            }
            .fixedSize()
            .textSelection(.enabled)
        }
        .font(.system(size: zoom.size, design: .monospaced))
        .zoomable(zoom)
        .accessibilityGroup("diff")
    }
}

private struct DiffRowView: View {
    let row: DiffRow
    @Environment(\.palette) private var palette

    var body: some View {
        GridRow {
            HStack(alignment: .top, spacing: 8) {
                if let number = row.number {
                    Text(verbatim: "\(number)")
                        .foregroundStyle(palette.secondary)
                        .frame(minWidth: 34, alignment: .trailing)
                        .accessibilityHidden(true)
                }
                Text(verbatim: sign).foregroundStyle(signColor).accessibilityLabel(signWords)
                row.runs.text(in: palette)
                if let ending = row.ending { words(ending).font(.caption2.weight(.semibold)).foregroundStyle(palette.warning) }
            }
            .fixedSize()
            .padding(.horizontal, 10)
            .padding(.vertical, 1)
            .frame(minWidth: DiffView.minimumWidth, maxWidth: .infinity, alignment: .leading)
            .background(background, in: Rectangle())
        }
    }

    private func words(_ ending: LineEnding) -> Text {
        switch ending {
        case .lineFeed: Text(verbatim: "LF")
        case .carriageReturnLineFeed: Text(verbatim: "CR LF")
        case .missing: Text("No newline at end", bundle: .module)
        }
    }

    private var sign: String {
        switch row.kind {
        case .context: " "
        case .inserted: "+"
        case .deleted: "−"
        }
    }

    private var signColor: Color { row.kind == .inserted ? palette.success : palette.error }

    private var signWords: Text {
        switch row.kind {
        case .context: Text(verbatim: "")
        case .inserted: Text("Added", bundle: .module)
        case .deleted: Text("Removed", bundle: .module)
        }
    }

    private var background: Color {
        switch row.kind {
        case .context: .clear
        case .inserted: palette.code.inserted
        case .deleted: palette.code.deleted
        }
    }
}

/// The counts of added and removed lines.
struct DiffCounts: View {
    let inserted: Int
    let deleted: Int
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(spacing: 6) {
            if inserted > 0 { Text(verbatim: "+\(inserted)").foregroundStyle(palette.success) }
            if deleted > 0 { Text(verbatim: "−\(deleted)").foregroundStyle(palette.error) }
        }
        .font(.caption.weight(.semibold))
        .monospacedDigit()
        .fixedSize()
        .accessibilityElement(children: .contain)
    }
}
