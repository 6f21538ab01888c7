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

    /// The penalty score of features that impede scanning. Plain loops, since debug builds score eight grids per symbol too.
    var penalty: Int {
        modules.withUnsafeBufferPointer { modules in
            var (penalty, darkCount) = (0, 0)
            for line in 0..<size {
                penalty += Self.penalty(ofLine: modules, from: line * size, step: 1, count: size)
                penalty += Self.penalty(ofLine: modules, from: line, step: size, count: size)
            }
            var index = 0
            while index < modules.count {
                let isDark = modules[index]
                if isDark { darkCount += 1 }
                // Blocks of 2 × 2 modules of one colour.
                if index > size, index % size > 0, modules[index - 1] == isDark, modules[index - size] == isDark,
                    modules[index - size - 1] == isDark
                {
                    penalty += 3
                }
                index += 1
            }
            // Each full 5 % by which the share of dark modules differs from one half.
            return penalty + abs(darkCount * 2 - modules.count) * 10 / modules.count * 10
        }
    }

    /// Returns the penalty for runs of one colour and for patterns that resemble a finder pattern, in a row or a column.
    private static func penalty(ofLine modules: UnsafeBufferPointer<Bool>, from start: Int, step: Int, count: Int) -> Int {
        var (penalty, run) = (0, 0)
        // The last eleven modules as bits.
        var recent = 0
        var (index, position) = (0, start)
        var last = !modules[start]
        while index < count {
            let isDark = modules[position]
            run = isDark == last ? run + 1 : 1
            last = isDark
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
            recent = (recent << 1 | (isDark ? 1 : 0)) & 0b111_1111_1111
            if index >= 10, recent == 0b101_1101_0000 || recent == 0b000_0101_1101 { penalty += 40 }
            index += 1
            position += step
        }
        return penalty
    }
}
