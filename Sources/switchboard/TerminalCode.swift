import Foundation
import QRCode

/// QR codes on standard output.
enum TerminalCode {
    /// Returns the QR code of `text` as rows, or one row with the reason why the terminal cannot show it.
    static func block(_ text: String) -> String {
        guard let symbol = try? QRSymbol(text) else { return "" }
        let block = symbol.terminalText(hasColors: isatty(STDOUT_FILENO) == 1)
        let rows = block.split(separator: "\n").count
        // A row of text holds two rows of modules, a column of text one column.
        let columns = rows * 2 - 1
        return switch TerminalFit(columns: columns, rows: rows) {
        case .fits: block
        case .tooSmall(let size): "(The QR code needs \(columns) columns and \(rows) rows, and this terminal has \(size).)\n"
        case .unable: "(This terminal cannot show a QR code.)\n"
        }
    }
}
