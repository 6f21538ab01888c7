/// A block that contains blocks and may continue.
struct Container: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case quote
        /// - Parameter marker: The marker of the first item.
        case list(ListMarker)
        case item(Indent)
    }

    let kind: Kind
    /// The closed blocks of a quote or an item.
    var blocks: [MarkdownBlock] = []
    /// The closed items of a list.
    var items: [MarkdownListItem] = []
    var isLoose = false
    var isChecked: Bool?
    /// True after a blank line.
    var followsBlank = false

    init(kind: Kind) { self.kind = kind }

    /// The columns of an item, counted from its container.
    struct Indent: Equatable, Sendable {
        private let markerIndent: Int
        let content: Int
        private let marker: ListMarker

        init(_ marker: ListMarker, at indent: Int, content: Int) {
            self.marker = marker
            self.content = content
            markerIndent = indent
        }

        /// True if a line that is not blank belongs to the item.
        ///
        /// Language models often indent by two or three columns below a wide number, so two columns more than the marker are enough.
        func continues(_ line: LineCursor) -> Bool {
            let indent = line.indent
            guard indent < content else { return true }
            guard indent >= markerIndent + 2 else { return false }
            // A line with the next number of the list belongs to another item.
            guard marker.number != nil, let other = ListMarker(line.trimmed) else { return true }
            return other.kind != marker.kind
        }
    }
}

/// A block of lines that may continue. The parser holds the block's content.
enum Leaf: Equatable, Sendable {
    case paragraph
    case fence(Fence, hasLines: Bool)
    case indented
    case table([MarkdownTable.Alignment?], header: MarkdownTable.Row)
}
