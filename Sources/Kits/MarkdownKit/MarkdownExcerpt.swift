/// The beginning of a document, for a view that shows a long document in steps.
package struct MarkdownExcerpt: Equatable, Sendable {
    /// The sections. Complete sections are the document's own.
    package let sections: [MarkdownSection]
    /// True if the document has more content.
    package let isCut: Bool
}

extension MarkdownDocument {
    /// Returns the beginning of the document with about `limit` parts: runs, items, rows, cells and blocks. The last paragraph or
    /// row is whole, so the excerpt may have some more parts. The cost grows with `limit`, not with the document.
    package func excerpt(partLimit limit: Int) -> MarkdownExcerpt {
        var excerpt: [MarkdownSection] = []
        var left = limit
        for section in sections {
            guard left > 0 else { return MarkdownExcerpt(sections: excerpt, isCut: true) }
            let before = left
            if section.blocks.fit(&left) {
                excerpt.append(section)
            } else {
                left = before
                let blocks = section.blocks.beginning(&left)
                excerpt.append(MarkdownSection(id: section.id, blocks: blocks))
                // The last block may be whole although it exceeds the limit.
                return MarkdownExcerpt(sections: excerpt, isCut: section.id + 1 < sections.count || blocks != section.blocks)
            }
        }
        return MarkdownExcerpt(sections: excerpt, isCut: false)
    }
}

extension [MarkdownBlock] {
    /// Subtracts the parts of the blocks from `left`.
    ///
    /// - Returns: False if the blocks have more parts.
    fileprivate func fit(_ left: inout Int) -> Bool { allSatisfy { $0.content.fit(&left) } }

    /// Returns the first blocks, of which the last is cut, with up to `left` parts.
    fileprivate func beginning(_ left: inout Int) -> [MarkdownBlock] {
        var result: [MarkdownBlock] = []
        for block in self {
            guard left > 0 else { break }
            result.append(MarkdownBlock(id: block.id, content: block.content.beginning(&left)))
        }
        return result
    }
}

extension MarkdownBlock.Content {
    fileprivate func fit(_ left: inout Int) -> Bool {
        left -= 1
        switch self {
        case .paragraph(let text), .heading(_, let text): left -= text.runs.count
        case .code(let code): left -= code.partCount
        case .thematicBreak: break
        case .quote(let blocks): return left >= 0 && blocks.fit(&left)
        case .list(let list):
            return list.items.allSatisfy {
                left -= 1
                return left >= 0 && $0.blocks.fit(&left)
            }
        case .table(let table):
            left -= table.header.partCount
            return table.rows.allSatisfy {
                left -= $0.partCount
                return left >= 0
            }
        }
        return left >= 0
    }

    fileprivate func beginning(_ left: inout Int) -> Self {
        left -= 1
        switch self {
        case .paragraph(let text), .heading(_, let text):
            left -= text.runs.count
            return self
        case .code(let code):
            left -= code.partCount
            return self
        case .thematicBreak: return self
        case .quote(let blocks): return .quote(blocks.beginning(&left))
        case .list(let list):
            var items: [MarkdownListItem] = []
            for item in list.items {
                guard left > 0 else { break }
                left -= 1
                items.append(MarkdownListItem(id: item.id, isChecked: item.isChecked, blocks: item.blocks.beginning(&left)))
            }
            return .list(MarkdownList(start: list.start, isTight: list.isTight, items: items))
        case .table(let table):
            left -= table.header.partCount
            var rows: [MarkdownTable.Row] = []
            for row in table.rows {
                guard left > 0 else { break }
                left -= row.partCount
                rows.append(row)
            }
            return .table(MarkdownTable(alignments: table.alignments, header: table.header, rows: rows))
        }
    }
}

extension MarkdownCode {
    /// Count of parts: 20 for the frame, and one for each 16 bytes of coloured text.
    fileprivate var partCount: Int { 20 + text.utf8.count / 16 }
}

extension MarkdownTable.Row {
    fileprivate var partCount: Int { cells.reduce(1) { $0 + 1 + $1.text.runs.count } }
}
