import QRCode

/// The modules of the QR code for a text, in rows, true where dark; none if the text is too long.
nonisolated func codeModules(of text: String) -> [[Bool]] {
    guard let symbol = try? QRSymbol(text) else { return [] }
    return (0..<symbol.size).map { row in (0..<symbol.size).map { symbol[row, $0] } }
}
