/// The size of a symbol and the division of its codewords into blocks (ISO/IEC 18004, tables 1, 9 and E.1).
struct Version {
    /// The version number, 1 to 10.
    let number: Int
    /// Count of data and correction bytes.
    private let codewordCount: Int
    /// The row and column coordinates of the centres of the alignment patterns.
    let alignment: [Int]
    /// The blocks for each level of ``QRSymbol/Correction``, in its order.
    private let blocks: [(count: Int, correctionPerBlock: Int)]

    static let all = [
        Version(number: 1, codewordCount: 26, alignment: [], blocks: [(1, 7), (1, 10), (1, 13), (1, 17)]),
        Version(number: 2, codewordCount: 44, alignment: [6, 18], blocks: [(1, 10), (1, 16), (1, 22), (1, 28)]),
        Version(number: 3, codewordCount: 70, alignment: [6, 22], blocks: [(1, 15), (1, 26), (2, 18), (2, 22)]),
        Version(number: 4, codewordCount: 100, alignment: [6, 26], blocks: [(1, 20), (2, 18), (2, 26), (4, 16)]),
        Version(number: 5, codewordCount: 134, alignment: [6, 30], blocks: [(1, 26), (2, 24), (4, 18), (4, 22)]),
        Version(number: 6, codewordCount: 172, alignment: [6, 34], blocks: [(2, 18), (4, 16), (4, 24), (4, 28)]),
        Version(number: 7, codewordCount: 196, alignment: [6, 22, 38], blocks: [(2, 20), (4, 18), (6, 18), (5, 26)]),
        Version(number: 8, codewordCount: 242, alignment: [6, 24, 42], blocks: [(2, 24), (4, 22), (6, 22), (6, 26)]),
        Version(number: 9, codewordCount: 292, alignment: [6, 26, 46], blocks: [(2, 30), (5, 22), (8, 20), (8, 24)]),
        Version(number: 10, codewordCount: 346, alignment: [6, 28, 50], blocks: [(4, 18), (5, 26), (8, 24), (8, 28)]),
    ]

    /// The modules per side.
    var size: Int { 17 + 4 * number }

    private func blocks(_ correction: QRSymbol.Correction) -> (count: Int, correctionPerBlock: Int) {
        switch correction {
        case .low: blocks[0]
        case .medium: blocks[1]
        case .quartile: blocks[2]
        case .high: blocks[3]
        }
    }

    /// Returns the capacity in data bytes.
    func dataCount(_ correction: QRSymbol.Correction) -> Int {
        let blocks = blocks(correction)
        return codewordCount - blocks.count * blocks.correctionPerBlock
    }

    /// Returns `data` and its correction bytes in placement order: the first byte of each block, the second of each, and so on.
    ///
    /// - Parameter data: ``dataCount(_:)`` bytes.
    func interleaved(_ data: [UInt8], _ correction: QRSymbol.Correction) -> [UInt8] {
        let (count, correctionPerBlock) = blocks(correction)
        // If the data does not divide evenly, the last blocks are one byte longer.
        let shorter = data.count / count
        let firstLonger = count - data.count % count
        let parts = (0..<count).map { block in
            let start = block * shorter + max(0, block - firstLonger)
            return Array(data[start..<start + shorter + (block < firstLonger ? 0 : 1)])
        }
        let code = ReedSolomon(correctionPerBlock)
        return Self.columns(of: parts) + Self.columns(of: parts.map(code.correction))
    }

    private static func columns(of rows: [[UInt8]]) -> [UInt8] {
        (0..<(rows.map(\.count).max() ?? 0)).flatMap { column in
            rows.compactMap { column < $0.count ? $0[column] : nil }
        }
    }
}
