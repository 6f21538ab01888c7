/// A block of a document, or of a quote or list item.
public struct MarkdownBlock: Hashable, Sendable, Identifiable {
    /// The index among the blocks around it. It never changes, because blocks are only added at the end.
    public let id: Int
    public let content: Content

    public enum Content: Hashable, Sendable {
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
public struct MarkdownSection: Hashable, Sendable, Identifiable {
    /// The index in the document.
    public let id: Int
    public let blocks: [MarkdownBlock]
}

/// A fenced or indented code block.
public struct MarkdownCode: Hashable, Sendable {
    /// The first word after the opening fence, as written.
    public let language: String?
    /// The lines, separated by line feeds, without one at the end.
    public let text: String
    /// False while more code may follow.
    public let isClosed: Bool
}

/// A list with bullets or numbers.
public struct MarkdownList: Hashable, Sendable {
    /// The number of the first item; nil for bullets.
    public let start: Int?
    /// True if there are no blank lines between the items and between the blocks of an item.
    public let isTight: Bool
    public let items: [MarkdownListItem]

    /// Returns the number of an item; nil for bullets.
    public func number(of item: MarkdownListItem) -> Int? { start.map { $0 + item.id } }
}

/// An item of a list.
public struct MarkdownListItem: Hashable, Sendable, Identifiable {
    /// The index in the list.
    public let id: Int
    /// True for a task that is done; nil if the item is not a task.
    public let isChecked: Bool?
    public let blocks: [MarkdownBlock]
}

/// A table with one header row.
public struct MarkdownTable: Hashable, Sendable {
    public enum Alignment: Hashable, Sendable { case leading, center, trailing }

    public struct Row: Hashable, Sendable, Identifiable {
        /// The index among the rows below the header; -1 for the header.
        public let id: Int
        public let cells: [Cell]
    }

    public struct Cell: Hashable, Sendable, Identifiable {
        /// The index of the column.
        public let id: Int
        public let text: MarkdownText
    }

    /// The alignments of the columns; nil where the text does not set one.
    public let alignments: [Alignment?]
    public let header: Row
    /// The rows below the header. Each has as many cells as the header.
    public let rows: [Row]
}
