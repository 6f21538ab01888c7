/// A position in a line, in bytes and in columns. A tab stop is every four columns.
struct LineCursor {
    private let bytes: [UInt8]
    private var offset = 0
    private var column = 0
    /// The remaining columns of a tab that was passed in part.
    private var tabRemainder = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The width of the white space at the position, in columns, and the offset of the byte after the white space.
    private var whiteSpace: (columns: Int, end: Int) {
        var (column, end) = (column + tabRemainder, offset)
        while end < bytes.count, bytes[end].isBlank {
            column += bytes[end] == .tab ? 4 - column % 4 : 1
            end += 1
        }
        return (column - self.column, end)
    }

    var indent: Int { whiteSpace.columns }
    var isBlank: Bool { whiteSpace.end == bytes.count }
    /// The bytes from the position, without white space at the start.
    var trimmed: ArraySlice<UInt8> { bytes[whiteSpace.end...] }

    /// The bytes from the position, with the rest of a tab as spaces.
    var rest: [UInt8] { Array(repeating: .space, count: tabRemainder) + bytes[offset...] }

    /// Passes white space of at most `count` columns.
    mutating func skip(columns count: Int) {
        var left = count
        while left > 0 {
            if tabRemainder > 0 {
                let step = Swift.min(tabRemainder, left)
                tabRemainder -= step
                column += step
                left -= step
            } else if offset < bytes.count, bytes[offset] == .tab {
                offset += 1
                tabRemainder = 4 - column % 4
            } else if offset < bytes.count, bytes[offset].isBlank {
                offset += 1
                column += 1
                left -= 1
            } else {
                return
            }
        }
    }

    /// Passes white space and `count` bytes after it, each one column wide.
    mutating func skipMarker(_ count: Int) {
        skip(columns: indent)
        offset += count
        column += count
    }
}
