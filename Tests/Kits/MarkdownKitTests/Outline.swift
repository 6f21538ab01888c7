import MarkdownKit

/// Blocks as text for comparisons: one line for each block, indented by its depth.
func outline(_ blocks: [MarkdownBlock], indent: String = "") -> String {
    blocks.map { block in
        switch block.content {
        case .paragraph(let text): "\(indent)p \(outline(text))\n"
        case .heading(let level, let text): "\(indent)h\(level) \(outline(text))\n"
        case .code(let code):
            "\(indent)code\(code.isClosed ? "" : " open")\(code.language.map { " " + $0 } ?? "") \(code.text.debugDescription)\n"
        case .quote(let blocks): "\(indent)quote\n" + outline(blocks, indent: indent + "  ")
        case .list(let list):
            "\(indent)list\(list.start.map { " \($0)" } ?? "")\(list.isTight ? "" : " loose")\n"
                + list.items.map { item in
                    "\(indent)  item\(item.isChecked.map { $0 ? " done" : " to do" } ?? "")\n"
                        + outline(item.blocks, indent: indent + "    ")
                }.joined()
        case .table(let table):
            "\(indent)table \(table.alignments.map(outline).joined())\n"
                + ([table.header] + table.rows).map { row in
                    indent + "  " + row.cells.map { outline($0.text) }.joined(separator: " | ") + "\n"
                }.joined()
        case .thematicBreak: "\(indent)break\n"
        }
    }.joined()
}

/// Runs as text: `<e s x c:text>` for emphasis, strong, strikethrough and code, `(url)` behind a link.
func outline(_ text: MarkdownText) -> String {
    text.runs.map { run in
        let names: [(MarkdownStyles, String)] = [(.emphasis, "e"), (.strong, "s"), (.strikethrough, "x"), (.code, "c")]
        let styles = names.filter { run.styles.contains($0.0) }.map(\.1).joined()
        let content = run.text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "⏎")
        let styled = styles.isEmpty && run.link == nil ? content : "<\(styles):\(content)>"
        return styled + (run.link.map { "(\($0))" } ?? "")
    }.joined()
}

private func outline(_ alignment: MarkdownTable.Alignment?) -> String {
    switch alignment {
    case .leading: "l"
    case .center: "c"
    case .trailing: "t"
    case nil: "-"
    }
}

func outline(_ text: String) -> String { outline(MarkdownDocument(text).blocks) }

/// The outline of the inlines of a single paragraph.
func inlines(_ text: String) -> String {
    let outline = outline(text)
    return outline.hasPrefix("p ") ? String(outline.dropFirst(2).dropLast()) : outline
}

/// The outline while a text is not finished.
func unfinished(_ text: String) -> String {
    var document = MarkdownDocument()
    document.append(text)
    return outline(document.blocks)
}

/// A reproducible sequence of random numbers.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
