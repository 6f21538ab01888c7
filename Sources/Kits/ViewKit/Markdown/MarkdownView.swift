import HighlightKit
package import MarkdownKit
package import SwiftUI

/// A view of a Markdown text that may still grow. A very long text is shown in steps.
package struct MarkdownView: View {
    private let document: MarkdownDocument
    @State private var limit = MarkdownView.step

    /// Count of parts that are shown at first and added by each tap: ``MarkdownDocument/excerpt(partLimit:)``.
    package static let step = 600

    package init(_ document: MarkdownDocument) { self.document = document }

    package var body: some View {
        let excerpt = document.excerpt(partLimit: limit)
        // By sections: a long text that grows evaluates its last section only, and those out of sight cost nothing.
        LazyVStack(alignment: .leading, spacing: Spacing.blocks) {
            ForEach(excerpt.sections) { BlocksView(blocks: $0.blocks) }
            if excerpt.isCut { MoreButton { limit += Self.step } }
        }
        .prose()
    }
}

/// A block of a text in Markdown, for lists with a row for each.
package struct MarkdownBlockView: View {
    private let block: MarkdownBlock

    package init(block: MarkdownBlock) { self.block = block }

    package var body: some View { BlockView(block: block).prose() }
}

extension View {
    fileprivate func prose() -> some View {
        frame(maxWidth: .infinity, alignment: .leading)
            // For paragraphs in Korean and English alike: one and a half times the size of the letters.
            .lineSpacing(Spacing.lines)
    }
}

private enum Spacing {
    static let blocks: CGFloat = 12
    static let items: CGFloat = 5
    static let lines: CGFloat = 4
}

/// Blocks below each other.
private struct BlocksView: View {
    let blocks: [MarkdownBlock]
    var spacing = Spacing.blocks

    var body: some View {
        VStack(alignment: .leading, spacing: spacing) {
            ForEach(blocks) { BlockView(block: $0) }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }
}

private struct BlockView: View {
    let block: MarkdownBlock
    @Environment(\.palette) private var palette

    var body: some View {
        switch block.content {
        case .paragraph(let text): paragraph(text)
        case .heading(let level, let text): heading(level, text)
        case .code(let code):
            CodeBlock(
                text: code.text, language: code.language.flatMap { CodeLanguage(fence: $0) }, title: Text(verbatim: code.title),
                isComplete: code.isClosed)
        case .quote(let blocks): quote(blocks)
        case .list(let list): ListView(list: list)
        case .table(let table): TableView(table: table)
        case .thematicBreak: Divider().padding(.vertical, 4)
        }
    }

    @ViewBuilder private func paragraph(_ text: MarkdownText) -> some View {
        if text.isRightToLeft {
            RunsView(text: text)
                .multilineTextAlignment(.trailing)
                .frame(maxWidth: .infinity, alignment: .trailing)
        } else {
            RunsView(text: text)
        }
    }

    private func heading(_ level: Int, _ text: MarkdownText) -> some View {
        paragraph(text)
            .font(level == 1 ? .title2 : level == 2 ? .title3 : .headline)
            .bold()
            .lineSpacing(0)
            .padding(.top, block.id == 0 ? 0 : 6)
            .accessibilityAddTraits(.isHeader)
            // The title of the screen is the first heading.
            .accessibilityHeading(level == 1 ? .h2 : level == 2 ? .h3 : .h4)
    }

    private func quote(_ blocks: [MarkdownBlock]) -> some View {
        // Type-erased, since a quote may contain quotes.
        AnyView(BlocksView(blocks: blocks))
            .foregroundStyle(palette.secondary)
            .padding(.leading, 14)
            .overlay(alignment: .leading) { Rectangle().fill(palette.outline).frame(width: 3) }
    }
}

/// A list with bullets, numbers or check marks.
private struct ListView: View {
    let list: MarkdownList

    var body: some View {
        VStack(alignment: .leading, spacing: list.isTight ? Spacing.items : Spacing.blocks) {
            ForEach(list.items) { ItemView(item: $0, number: list.number(of: $0), isTight: list.isTight) }
        }
    }
}

private struct ItemView: View {
    let item: MarkdownListItem
    let number: Int?
    let isTight: Bool

    var body: some View {
        HStack(alignment: .top, spacing: 8) {
            if isRightToLeft {
                content
                marker
            } else {
                marker
                content
            }
        }
    }

    private var content: some View {
        // Type-erased, since an item may contain items.
        AnyView(BlocksView(blocks: item.blocks, spacing: isTight ? Spacing.items : Spacing.blocks))
    }

    private var isRightToLeft: Bool {
        if case .paragraph(let text) = item.blocks.first?.content { text.isRightToLeft } else { false }
    }

    @ViewBuilder private var marker: some View {
        if let isChecked = item.isChecked {
            Image(systemName: isChecked ? "checkmark.square" : "square")
                .accessibilityLabel(isChecked ? Text("Done", bundle: .module) : Text("Not done", bundle: .module))
        } else if let number {
            Text(verbatim: "\(number).").monospacedDigit().frame(minWidth: 22, alignment: .trailing)
        } else {
            Text(verbatim: "•").frame(minWidth: 14, alignment: .trailing)
        }
    }
}

/// A table, which scrolls sideways.
private struct TableView: View {
    let table: MarkdownTable

    var body: some View {
        ScrollView(.horizontal) {
            Grid(alignment: .topLeading, horizontalSpacing: 16, verticalSpacing: 8) {
                TableRow(row: table.header, alignments: table.alignments, isHeader: true)
                Divider()
                ForEach(table.rows) { TableRow(row: $0, alignments: table.alignments, isHeader: false) }
            }
            .padding(12)
        }
        .font(.subheadline)
        .lineSpacing(2)
        .cardBackground()
    }
}

private struct TableRow: View {
    let row: MarkdownTable.Row
    let alignments: [MarkdownTable.Alignment?]
    let isHeader: Bool

    var body: some View {
        GridRow {
            ForEach(row.cells) { cell in
                let alignment = alignment(of: cell)
                RunsView(text: cell.text)
                    .fontWeight(isHeader ? .semibold : .regular)
                    .multilineTextAlignment(alignment == .center ? .center : alignment == .trailing ? .trailing : .leading)
                    .frame(
                        width: cell.text.isWide ? Self.maximumWidth : nil,
                        alignment: Alignment(horizontal: alignment, vertical: .top)
                    )
                    .gridColumnAlignment(alignment)
            }
        }
    }

    /// Maximum width of a cell's text in points; longer text wraps.
    private static let maximumWidth: CGFloat = 220

    private func alignment(of cell: MarkdownTable.Cell) -> HorizontalAlignment {
        guard alignments.indices.contains(cell.id) else { return .leading }
        switch alignments[cell.id] {
        case .center: return .center
        case .trailing: return .trailing
        case .leading, nil: return cell.text.isRightToLeft ? .trailing : .leading
        }
    }
}

extension MarkdownText {
    /// True if the text is about as wide as a column of a table may be. Letters of East Asia are twice as wide as others.
    fileprivate var isWide: Bool {
        var width = 0
        for run in runs {
            for scalar in run.text.unicodeScalars {
                width += scalar.value >= 0x1100 ? 2 : 1
                if width > 28 { return true }
            }
        }
        return false
    }
}

/// Text with styles and links.
private struct RunsView: View {
    let text: MarkdownText
    @Environment(\.palette) private var palette

    var body: some View { joined(text.runs[...]).textSelection(.enabled) }

    /// Joins the runs in halves, so that each of a thousand runs is copied only ten times.
    private func joined(_ runs: ArraySlice<MarkdownRun>) -> Text {
        guard let first = runs.first else { return Text(verbatim: "") }
        guard runs.count > 1 else { return styled(first) }
        let middle = runs.startIndex + runs.count / 2
        return joined(runs[..<middle]) + joined(runs[middle...])
    }

    private func styled(_ run: MarkdownRun) -> Text {
        var text = attributed(run)
        if run.styles.contains(.strong) { text = text.bold() }
        if run.styles.contains(.emphasis) { text = text.italic() }
        if run.styles.contains(.strikethrough) { text = text.strikethrough() }
        if run.styles.contains(.code) { text = text.monospaced() }
        // Underlined, so that a link does not differ by its colour alone.
        return run.link == nil ? text : text.underline()
    }

    /// Returns the text of a run. Only links and code get attributes, which take longer than the other styles.
    private func attributed(_ run: MarkdownRun) -> Text {
        let isCode = run.styles.contains(.code)
        guard isCode || run.link != nil else { return Text(verbatim: run.text) }
        var content = AttributedString(run.text)
        if let link = run.link { content.link = URL(string: link) }
        if isCode { content.backgroundColor = palette.card }
        return Text(content)
    }
}

extension MarkdownCode {
    /// The name of the language, or the word after the fence.
    fileprivate var title: String {
        guard let language else { return "" }
        return CodeLanguage(fence: language)?.name ?? language
    }
}
