import EndlessCodeClient
import HighlightKit
import SwiftUI
import ViewKit

/// A row of a review. Its lines wrap: nothing is beyond the edge of the screen.
struct ReviewRowView: View {
    let row: Review.Row
    @Environment(\.palette) private var palette

    var body: some View {
        switch row.content {
        case .question(let chunk):
            chunk.runs.text(in: palette)
                .font(.title3.weight(.semibold))
                .textSelection(.enabled)
                .accessibilityAddTraits(.isHeader)
        case .tool(let kind, let name):
            HStack(alignment: .top, spacing: 8) {
                Image(systemName: kind.symbol).foregroundStyle(palette.accent).accessibilityHidden(true)
                Text(verbatim: name).fontWeight(.semibold)
            }
            .padding(.top, 14)
            .accessibilityElement(children: .contain)
        case .note(let chunk):
            chunk.runs.text(in: palette).font(.subheadline).foregroundStyle(palette.secondary).padding(.top, 4)
        case .head(let part, let text): ReviewHead(part: part, copies: text)
        case .code(let part, let chunk): ReviewLines(part: part, chunk: chunk)
        case .task(let task): TaskRow(task: task).padding(.top, 8)
        }
    }
}

/// The head of a part: its name or path, and a button that copies it.
private struct ReviewHead: View {
    let part: Review.Part
    let copies: String
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            // A path may be longer than the screen is wide.
            title.font(.footnote).foregroundStyle(palette.secondary).padding(.vertical, 12)
            if case .edit(_, isEverywhere: true) = part {
                Text("Everywhere", bundle: .module)
                    .font(.caption).foregroundStyle(palette.warning).fixedSize().padding(.vertical, 12)
            }
            Spacer()
            CopyButton(text: copies)
        }
        .padding(.leading, 12)
        .background(palette.card, in: Rectangle())
        .padding(.top, 14)
    }

    private var title: Text {
        switch part {
        case .command: Text(verbatim: CodeLanguage.shell.name)
        case .edit(let path, _), .file(let path): Text(verbatim: path)
        case .plan: Text("Plan", bundle: .module)
        case .subject: Text("Input", bundle: .module)
        case .text: Text("From the agent", bundle: .module)
        case .input: Text("Complete input", bundle: .module)
        }
    }
}

/// Lines of code or of a diff.
private struct ReviewLines: View {
    let part: Review.Part
    let chunk: ReviewChunk
    @Environment(\.palette) private var palette

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            if let side = chunk.side { sign(side) }
            chunk.runs.text(in: palette)
                .textSelection(.enabled)
                .frame(maxWidth: .infinity, alignment: .leading)
        }
        .font(.system(size: CodeZoom.originalSize, design: .monospaced))
        .lineSpacing(2)
        .padding(.horizontal, 12)
        .padding(.vertical, 1)
        .background(background, in: Rectangle())
        .background(palette.card, in: Rectangle())
        .accessibilityGroup(identifier)
    }

    private var identifier: String {
        switch part {
        case .edit: "diff"
        case .input: "input"
        default: "code"
        }
    }

    @ViewBuilder private func sign(_ side: DiffLine.Kind) -> some View {
        switch side {
        case .context: Text(verbatim: " ")
        case .inserted: Text(verbatim: "+").foregroundStyle(palette.success).accessibilityLabel(Text("Added", bundle: .module))
        case .deleted: Text(verbatim: "−").foregroundStyle(palette.error).accessibilityLabel(Text("Removed", bundle: .module))
        }
    }

    private var background: Color {
        switch chunk.side {
        case .inserted: palette.code.inserted
        case .deleted: palette.code.deleted
        case .context, nil: .clear
        }
    }
}

extension [ReviewRun] {
    /// Returns the runs as one text. Words of another colour replace blanks and empty lines that are not drawn.
    @MainActor func text(in palette: Palette) -> Text { Self.joined(self[...], palette) }

    /// Joins the runs in halves, so that each of a thousand runs is copied only ten times.
    @MainActor private static func joined(_ runs: ArraySlice<ReviewRun>, _ palette: Palette) -> Text {
        guard let first = runs.first else { return Text(verbatim: "") }
        guard runs.count > 1 else { return text(of: first, palette) }
        let middle = runs.startIndex + runs.count / 2
        return joined(runs[..<middle], palette) + joined(runs[middle...], palette)
    }

    @MainActor private static func text(of run: ReviewRun, _ palette: Palette) -> Text {
        switch run {
        case .code(let code): [code].text(in: palette)
        case .blanks(let count): Text("[\(count) spaces]", bundle: .module).bold().foregroundStyle(palette.warning)
        case .emptyLines(let count): Text("[\(count) empty lines]", bundle: .module).bold().foregroundStyle(palette.warning)
        }
    }
}
