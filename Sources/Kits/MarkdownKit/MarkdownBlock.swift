/// A block of a document, or of a quote or list item.
package struct MarkdownBlock: Hashable, Sendable, Identifiable {
    /// The index among the blocks around it. It never changes, because blocks are only added at the end.
    package let id: Int
    package let content: Content

    package enum Content: Hashable, Sendable {
        case paragraph(MarkdownText)
        /// - Parameter level: 1 to 6.
        case heading(level: Int, MarkdownText)
        case code(MarkdownCode)
        case quote([MarkdownBlock])
        case list(MarkdownList)
        case table(MarkdownTable)
        case thematicBreak
    }
}

/// Successive blocks of a document. While a document grows only its last section changes, so a view can skip the others as a whole.
package struct MarkdownSection: Hashable, Sendable, Identifiable {
    /// The index in the document.
    package let id: Int
    package let blocks: [MarkdownBlock]
}

/// A fenced or indented code block.
package struct MarkdownCode: Hashable, Sendable {
    /// The first word after the opening fence, as written; nil if there is none, or it is too long.
    package let language: String?
    /// The lines, separated by line feeds, without one at the end.
    package let text: String
    /// False while more code may follow.
    package let isClosed: Bool
}

/// A list with bullets or numbers.
package struct MarkdownList: Hashable, Sendable {
    /// The number of the first item; nil for bullets.
    package let start: Int?
    /// True if there are no blank lines between the items and between the blocks of an item.
    package let isTight: Bool
    package let items: [MarkdownListItem]

    /// Returns the number of an item; nil for bullets.
    package func number(of item: MarkdownListItem) -> Int? { start.map { $0 + item.id } }
}

/// An item of a list.
package struct MarkdownListItem: Hashable, Sendable, Identifiable {
    /// The index in the list.
    package let id: Int
    /// True for a task that is done; nil if the item is not a task.
    package let isChecked: Bool?
    package let blocks: [MarkdownBlock]
}

/// A table with one header row.
package struct MarkdownTable: Hashable, Sendable {
    package enum Alignment: Hashable, Sendable { case leading, center, trailing }

    package struct Row: Hashable, Sendable, Identifiable {
        /// The index among the rows below the header; -1 for the header.
        package let id: Int
        package let cells: [Cell]
    }

    package struct Cell: Hashable, Sendable, Identifiable {
        /// The index of the column.
        package let id: Int
        package let text: MarkdownText
    }

    /// The alignments of the columns; nil where the text does not set one.
    package let alignments: [Alignment?]
    package let header: Row
    /// The rows below the header. Each has as many cells as the header.
    package let rows: [Row]
}
