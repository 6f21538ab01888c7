/// A line of a table.
enum TableRow {
    static func isDelimiter(_ byte: UInt8) -> Bool { byte == .pipe || byte == .ascii("-") || byte == .ascii(":") || byte.isBlank }

    /// Returns the alignments in a delimiter row, which has a pipe; nil for any other line.
    static func alignments(_ line: ArraySlice<UInt8>) -> [MarkdownTable.Alignment?]? {
        guard line.contains(.pipe), line.allSatisfy(isDelimiter) else { return nil }
        var alignments: [MarkdownTable.Alignment?] = []
        for cell in cells(line, maximum: Limits.columnCount + 1) {
            let (isLeading, isTrailing) = (cell.first == .ascii(":"), cell.count > 1 && cell.last == .ascii(":"))
            let dashes = cell.dropFirst(isLeading ? 1 : 0).dropLast(isTrailing ? 1 : 0)
            guard !dashes.isEmpty, dashes.allSatisfy({ $0 == .ascii("-") }) else { return nil }
            alignments.append(isTrailing ? isLeading ? .center : .trailing : isLeading ? .leading : nil)
        }
        return alignments.count > Limits.columnCount ? nil : alignments
    }

    /// Divides a line at its pipes, except those after a backslash and those in code. The last of `maximum` cells contains the rest.
    static func cells(_ line: ArraySlice<UInt8>, maximum: Int) -> [[UInt8]] {
        var line = line.leadingTrimmed.trailingTrimmed
        if line.first == .pipe { line = line.dropFirst() }
        if line.last == .pipe, line.dropLast().last != .backslash { line = line.dropLast() }
        let code = CodeSpans(line)
        var cells: [[UInt8]] = [[]]
        var index = line.startIndex
        while index < line.endIndex {
            let byte = line[index]
            if byte == .backslash, index + 1 < line.endIndex {
                if line[index + 1] != .pipe { cells[cells.count - 1].append(byte) }
                cells[cells.count - 1].append(line[index + 1])
                index += 2
            } else if byte == .backtick {
                let end = code.end(openedAt: index) ?? index + code.length(at: index)
                for byte in escapedPipesRemoved(line[index..<end]) { cells[cells.count - 1].append(byte) }
                index = end
            } else {
                if byte == .pipe, cells.count < maximum { cells.append([]) } else { cells[cells.count - 1].append(byte) }
                index += 1
            }
        }
        return cells.map { Array($0[...].leadingTrimmed.trailingTrimmed) }
    }

    private static func escapedPipesRemoved(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.indices.filter { bytes[$0] != .backslash || $0 + 1 == bytes.endIndex || bytes[$0 + 1] != .pipe }.map { bytes[$0] }
    }
}
