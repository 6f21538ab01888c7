/// A QR code of a short text: model 2, versions 1 to 10, of ISO/IEC 18004.
///
///     text ─▶ Payload ─▶ smallest Version ─▶ blocks with correction ─▶ ModuleGrid ─▶ the best of eight masks
public struct QRSymbol: Hashable, Sendable {
    /// How much of the codewords may be damaged and the text still be read.
    public enum Correction: Hashable, Sendable, CaseIterable {
        /// About 7 %.
        case low
        /// About 15 %.
        case medium
        /// About 25 %.
        case quartile
        /// About 30 %.
        case high
    }

    /// Modules on a side, without the quiet zone: 21 to 57.
    public let size: Int
    private let modules: [Bool]

    /// The smallest symbol that holds `text` with this much correction.
    ///
    /// At most 271, 213, 151 or 119 bytes of UTF-8 fit, from ``Correction/low`` to ``Correction/high``, one less when not all is
    /// ASCII; and 395, 311, 221 or 174 characters when all are digits, capitals of ASCII, spaces or `$%*+-./:`.
    ///
    /// - Throws: ``QRError/tooLong``.
    public init(_ text: String, correction: Correction = .medium) throws(QRError) {
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

    /// True where dark. All outside the symbol is light, as the four modules of the quiet zone around it have to be.
    public subscript(row: Int, column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && modules[row * size + column]
    }
}

/// Why there is no symbol of a text.
public enum QRError: Error, Hashable {
    /// It does not fit version 10 with the correction asked for.
    case tooLong
}
