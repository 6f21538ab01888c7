/// The final output of a command on a terminal: a line that was overwritten has its last text, and colours are styles.
///
/// Supports carriage return, backspace, tab, cursor movement, the erasing of lines and of the screen, and colours. Other control
/// sequences, complete or cut off, show nothing. The screen has no height limit, so the whole output is kept.
package struct TerminalOutput: Hashable, Sendable {
    /// The eight colours of terminals. Bright colours are the same cases, and other colours the nearest case.
    package enum Color: Hashable, Sendable, CaseIterable { case black, red, green, yellow, blue, magenta, cyan, white }

    package struct Style: Hashable, Sendable {
        package var color: Color?
        package var isBold = false
        package var isDim = false
        package var isItalic = false
        package var isUnderlined = false

        package static let plain = Style()
    }

    /// A part of a line with one style.
    package struct Run: Hashable, Sendable {
        package var text: String
        package let style: Style

        package init(text: String, style: Style) { (self.text, self.style) = (text, style) }
    }

    /// The lines, each with runs that are not empty.
    package let lines: [[Run]]

    /// The text without styles.
    package var text: String { lines.map { $0.map(\.text).joined() }.joined(separator: "\n") }

    /// True if the text has control characters that a terminal acts on, other than those of plain lines.
    package static func isNeeded(for text: String) -> Bool {
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0x1b, 0x08: return true
            case 0x0d: if index + 1 < bytes.count, bytes[index + 1] != 0x0a { return true }
            // A control character of two bytes, U+009B.
            case 0xc2: if index + 1 < bytes.count, bytes[index + 1] == 0x9b { return true }
            default: break
            }
        }
        return false
    }

    package init(_ output: String) {
        var screen = Screen()
        screen.write(output)
        lines = screen.runs
    }
}

/// The lines that a command has written, and the cursor.
private struct Screen {
    private typealias Style = TerminalOutput.Style

    private struct Cell {
        /// A character; empty for a cell that was never written.
        var text: String
        var style: Style
    }

    /// The limits of the cursor, so that short input takes little memory: the last column, and the rows below the last row.
    private static let maximumColumn = 5_000
    private static let maximumNewRows = 100
    private static let tabWidth = 8

    private var rows: [[Cell]] = [[]]
    private var (row, column) = (0, 0)
    private var saved = (row: 0, column: 0)
    private var style = Style.plain

    var runs: [[TerminalOutput.Run]] {
        var lines = rows.map(Self.runs)
        // Empty lines at the end, as after a final line feed, are dropped.
        while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func runs(of cells: [Cell]) -> [TerminalOutput.Run] {
        var runs: [TerminalOutput.Run] = []
        for cell in cells {
            let text = cell.text.isEmpty ? " " : cell.text
            if runs.last?.style == cell.style {
                runs[runs.count - 1].text += text
            } else {
                runs.append(TerminalOutput.Run(text: text, style: cell.style))
            }
        }
        return runs.map { TerminalOutput.Run(text: $0.text.visible, style: $0.style) }
    }

    // MARK: Reading

    mutating func write(_ output: String) {
        var rest = output.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 0x0a: moveDown()
            case 0x0d: column = 0
            case 0x08: column = max(0, column - 1)
            case 0x09: column = min((column / Self.tabWidth + 1) * Self.tabWidth, Self.maximumColumn)
            case 0x1b: escape(&rest)
            case 0x9b: control(&rest)
            case 0..<0x20, 0x7f: break
            default: put(scalar)
            }
        }
    }

    private mutating func escape(_ rest: inout Substring.UnicodeScalarView) {
        guard let scalar = rest.popFirst() else { return }
        switch scalar {
        case "[": control(&rest)
        // Skips a title, a link, or another string for the terminal, up to its end.
        case "]", "P", "X", "^", "_":
            while let next = rest.popFirst() {
                if next.value == 0x07 || next.value == 0x9c { return }
                if next.value == 0x1b {
                    if rest.first == "\\" { rest.removeFirst() }
                    return
                }
            }
        // Skips the selection of a character set.
        case "(", ")", "*", "+", "#", "%": rest = rest.dropFirst()
        case "7": saved = (row, column)
        case "8": move(to: saved.row, saved.column)
        case "M": row = max(0, row - 1)
        case "c": erase(rows: 0..<rows.count)
        default: break
        }
    }

    /// Reads a control sequence: parameters, and a letter that names the command.
    private mutating func control(_ rest: inout Substring.UnicodeScalarView) {
        var parameters = ""
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 0x20...0x3f: if parameters.utf8.count < 200 { parameters.unicodeScalars.append(scalar) }
            case 0x40...0x7e: return perform(scalar, parameters)
            default: return
            }
        }
    }

    private mutating func perform(_ letter: Unicode.Scalar, _ parameters: String) {
        // Private modes, such as a hidden cursor, are ignored.
        guard parameters.unicodeScalars.first.map({ $0 < "<" }) ?? true else { return }
        let numbers = parameters.split(omittingEmptySubsequences: false) { $0 == ";" || $0 == ":" }.map { Int($0.prefix(6)) }
        let first = numbers.first ?? nil
        let count = max(first ?? 1, 1)
        switch letter {
        case "m": setStyle(numbers)
        case "K": eraseLine(first ?? 0)
        case "J": eraseScreen(first ?? 0)
        case "A": row = max(0, row - count)
        case "B": move(to: row + count, column)
        case "C": column = min(column + count, Self.maximumColumn)
        case "D": column = max(0, column - count)
        case "E": move(to: row + count, 0)
        case "F": move(to: row - count, 0)
        case "G", "`": move(to: row, count - 1)
        case "d": move(to: count - 1, column)
        case "H", "f": move(to: count - 1, max((numbers.count > 1 ? numbers[1] : nil) ?? 1, 1) - 1)
        case "P": removeCells(count)
        case "X":
            for index in column..<min(column + count, max(rows[row].count, column)) {
                rows[row][index] = Cell(text: "", style: .plain)
            }
        case "s": saved = (row, column)
        case "u": move(to: saved.row, saved.column)
        default: break
        }
    }

    // MARK: Writing

    private mutating func put(_ scalar: Unicode.Scalar) {
        // Combining marks, joiners, and the scalar after a joiner belong to the previous character.
        if column > 0, column <= rows[row].count, joins(scalar, rows[row][column - 1].text) {
            rows[row][column - 1].text.unicodeScalars.append(scalar)
            return
        }
        guard column < Self.maximumColumn || column == rows[row].count else { return }
        while rows[row].count < column { rows[row].append(Cell(text: "", style: .plain)) }
        let cell = Cell(text: String(scalar), style: style)
        if column < rows[row].count { rows[row][column] = cell } else { rows[row].append(cell) }
        column += 1
    }

    private func joins(_ scalar: Unicode.Scalar, _ before: String) -> Bool {
        guard scalar.value >= 0x300, !before.isEmpty, before.unicodeScalars.count < 16 else { return false }
        var text = before
        text.unicodeScalars.append(scalar)
        return text.count == 1
    }

    private mutating func moveDown() {
        row += 1
        column = 0
        if row == rows.count { rows.append([]) }
    }

    private mutating func move(to newRow: Int, _ newColumn: Int) {
        row = min(max(newRow, 0), rows.count - 1 + Self.maximumNewRows)
        column = min(max(newColumn, 0), Self.maximumColumn)
        while rows.count <= row { rows.append([]) }
    }

    // MARK: Erasing

    private mutating func eraseLine(_ kind: Int) {
        switch kind {
        case 1: for index in 0..<min(column + 1, rows[row].count) { rows[row][index] = Cell(text: "", style: .plain) }
        case 2: rows[row] = []
        default: if column < rows[row].count { rows[row].removeLast(rows[row].count - column) }
        }
    }

    private mutating func eraseScreen(_ kind: Int) {
        switch kind {
        case 0:
            eraseLine(0)
            rows.removeLast(rows.count - row - 1)
        case 1: erase(rows: 0..<row)
        default: erase(rows: 0..<rows.count)
        }
    }

    /// Erases rows. If all rows are erased, the next text is at the top.
    private mutating func erase(rows erased: Range<Int>) {
        guard erased.count < rows.count else {
            (rows, row, column) = ([[]], 0, 0)
            return
        }
        for index in erased { rows[index] = [] }
    }

    private mutating func removeCells(_ count: Int) {
        guard column < rows[row].count else { return }
        rows[row].removeSubrange(column..<min(column + count, rows[row].count))
    }

    // MARK: Styles

    private mutating func setStyle(_ numbers: [Int?]) {
        var rest = numbers[...]
        if rest.isEmpty { style = .plain }
        while let number = rest.popFirst() {
            switch number ?? 0 {
            case 0: style = .plain
            case 1: style.isBold = true
            case 2: style.isDim = true
            case 3: style.isItalic = true
            case 4: style.isUnderlined = true
            case 22: (style.isBold, style.isDim) = (false, false)
            case 23: style.isItalic = false
            case 24: style.isUnderlined = false
            case 30...37: style.color = TerminalOutput.Color.allCases[(number ?? 30) - 30]
            case 90...97: style.color = TerminalOutput.Color.allCases[(number ?? 90) - 90]
            case 38: style.color = Self.color(&rest)
            case 48, 58: _ = Self.color(&rest)
            case 39: style.color = nil
            default: break
            }
        }
    }

    /// Reads a colour of the 256-colour palette, `5;n`, or an RGB colour, `2;r;g;b`; nil for greys and invalid parameters.
    private static func color(_ rest: inout ArraySlice<Int?>) -> TerminalOutput.Color? {
        switch rest.popFirst() ?? nil {
        case 5?:
            guard let index = rest.popFirst() ?? nil else { return nil }
            switch index {
            case 0..<16: return TerminalOutput.Color.allCases[index % 8]
            case 16..<232:
                let cube = index - 16
                return nearest(cube / 36 * 51, cube / 6 % 6 * 51, cube % 6 * 51)
            default: return nil
            }
        case 2?:
            let parts = (0..<3).map { _ in (rest.popFirst() ?? nil) ?? 0 }
            return nearest(parts[0], parts[1], parts[2])
        default: return nil
        }
    }

    /// Returns the colour whose red, green and blue are on where those of the given colour are high; nil for greys.
    private static func nearest(_ red: Int, _ green: Int, _ blue: Int) -> TerminalOutput.Color? {
        let (most, least) = (max(red, green, blue), min(red, green, blue))
        guard most - least > 40 else { return nil }
        let middle = (most + least) / 2
        let index = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0)
        return TerminalOutput.Color.allCases[index]
    }
}
