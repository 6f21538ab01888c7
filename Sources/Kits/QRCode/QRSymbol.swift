/// A QR code for a short text: model 2, versions 1 to 10 of ISO/IEC 18004.
///
///     text ─▶ Payload ─▶ smallest Version ─▶ blocks with correction ─▶ ModuleGrid ─▶ the best of eight masks
package struct QRSymbol: Hashable, Sendable {
    /// The error correction level: the share of damaged codewords with which the text is still readable.
    package enum Correction: Hashable, Sendable, CaseIterable {
        /// About 7 %.
        case low
        /// About 15 %.
        case medium
        /// About 25 %.
        case quartile
        /// About 30 %.
        case high
    }

    /// The modules per side, without the quiet zone: 21 to 57.
    package let size: Int
    private let modules: [Bool]

    /// Creates the smallest symbol for `text` at a correction level.
    ///
    /// The capacity from ``Correction/low`` to ``Correction/high`` is 271, 213, 151 or 119 bytes of ASCII, one byte less for other UTF-8,
    /// and 395, 311, 221 or 174 characters for digits, ASCII capitals, spaces and `$%*+-./:`.
    ///
    /// - Throws: ``QRError/tooLong``.
    package init(_ text: String, correction: Correction = .medium) throws(QRError) {
        let payload = Payload(text)
        guard let version = Version.all.first(where: { payload.bitCount(in: $0) <= $0.dataCount(correction) * 8 }) else {
            throw .tooLong
        }
        let data = payload.codewords(in: version, filling: version.dataCount(correction))
        var grid = ModuleGrid(version)
        grid.place(version.interleaved(data, correction))
        grid.mask(for: correction)
        size = grid.size
        modules = grid.modules
    }

    /// True for a dark module. Modules outside the symbol are light, as the quiet zone of four modules requires.
    package subscript(row: Int, column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && modules[row * size + column]
    }
}

/// The reason why a text cannot be encoded.
package enum QRError: Error, Hashable {
    /// The text exceeds the capacity of version 10 at the correction level.
    case tooLong
}
