extension ModuleGrid {
    /// Applies the mask with the lowest penalty and records it in the format information (ISO/IEC 18004, 7.8).
    mutating func mask(for correction: QRSymbol.Correction) {
        let choices = Self.masks.indices.map { number in
            let grid = masked(by: number, correction)
            return (grid: grid, penalty: grid.penalty)
        }
        if let best = choices.min(by: { $0.penalty < $1.penalty }) { self = best.grid }
    }

    func masked(by number: Int, _ correction: QRSymbol.Correction) -> ModuleGrid {
        var grid = self
        grid.invert(where: Self.masks[number])
        grid.writeFormat(correction: correction, mask: number)
        return grid
    }

    private static let masks: [@Sendable (_ row: Int, _ column: Int) -> Bool] = [
        { ($0 + $1) % 2 == 0 },
        { row, _ in row % 2 == 0 },
        { _, column in column % 3 == 0 },
        { ($0 + $1) % 3 == 0 },
        { ($0 / 2 + $1 / 3) % 2 == 0 },
        { $0 * $1 % 2 + $0 * $1 % 3 == 0 },
        { ($0 * $1 % 2 + $0 * $1 % 3) % 2 == 0 },
        { (($0 + $1) % 2 + $0 * $1 % 3) % 2 == 0 },
    ]

    /// The penalty score of features that impede scanning.
    var penalty: Int {
        var penalty = 0
        for line in 0..<size {
            penalty += Self.penalty(ofLine: (0..<size).map { self[line, $0] })
            penalty += Self.penalty(ofLine: (0..<size).map { self[$0, line] })
        }
        // Blocks of 2 × 2 modules of one colour.
        for row in 1..<size {
            for column in 1..<size {
                let isDark = self[row, column]
                if self[row - 1, column] == isDark, self[row, column - 1] == isDark, self[row - 1, column - 1] == isDark {
                    penalty += 3
                }
            }
        }
        // Each full 5 % by which the share of dark modules differs from one half.
        let count = modules.count { $0 }
        return penalty + abs(count * 2 - modules.count) * 10 / modules.count * 10
    }

    /// The penalty for runs of one colour and for patterns that resemble a finder pattern.
    private static func penalty(ofLine line: [Bool]) -> Int {
        var penalty = 0
        var run = 0
        // The last eleven modules as bits.
        var recent = 0
        for (index, isDark) in line.enumerated() {
            run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
            recent = (recent << 1 | (isDark ? 1 : 0)) & 0b111_1111_1111
            if index >= 10, recent == 0b101_1101_0000 || recent == 0b000_0101_1101 { penalty += 40 }
        }
        return penalty
    }
}
