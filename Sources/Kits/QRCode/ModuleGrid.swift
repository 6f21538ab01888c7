/// The module grid of a symbol under construction (ISO/IEC 18004, 6.3 and 7.7).
struct ModuleGrid {
    let size: Int
    /// The modules in row order; true for dark.
    private(set) var modules: [Bool]
    /// True for modules of function patterns and of format and version information; the others carry codewords.
    private var isFixed: [Bool]

    /// Creates a grid with the function patterns only.
    init(_ version: Version) {
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isFixed = modules
        for index in 8..<size - 8 {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for row in version.alignment {
            for column in version.alignment where !isCorner(row, column) { drawSquares(row, column, radius: 2) { $0 != 1 } }
        }
        for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
            drawSquares(row, column, radius: 4) { $0 != 2 && $0 != 4 }
        }
        if version.number >= 7 { write(version: version.number) }
        writeFormat(correction: .low, mask: 0)
    }

    subscript(row: Int, column: Int) -> Bool { modules[row * size + column] }

    private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
        modules[row * size + column] = isDark
        isFixed[row * size + column] = true
    }

    /// True when the module belongs to a finder pattern.
    private func isCorner(_ row: Int, _ column: Int) -> Bool {
        row < 8 && column < 8 || row < 8 && column >= size - 8 || row >= size - 8 && column < 8
    }

    /// Draws concentric squares, clipped to the grid.
    private mutating func drawSquares(_ row: Int, _ column: Int, radius: Int, isDark: (Int) -> Bool) {
        for down in -radius...radius where (0..<size).contains(row + down) {
            for right in -radius...radius where (0..<size).contains(column + right) {
                fix(row + down, column + right, isDark(max(abs(down), abs(right))))
            }
        }
    }

    /// Places the codewords, highest bit first, in columns of two modules from the right, upward and downward in turn.
    mutating func place(_ codewords: [UInt8]) {
        var bit = 0
        var isUpward = true
        // Skip the column of the vertical timing pattern.
        for right in Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
            for step in 0..<size {
                let row = isUpward ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * size + column] && bit < codewords.count * 8 {
                    modules[row * size + column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
                    bit += 1
                }
            }
            isUpward.toggle()
        }
    }

    /// Inverts the codeword modules where `pattern` returns true.
    mutating func invert(where pattern: (_ row: Int, _ column: Int) -> Bool) {
        for row in 0..<size {
            for column in 0..<size where !isFixed[row * size + column] && pattern(row, column) {
                modules[row * size + column].toggle()
            }
        }
    }

    /// Writes both copies of the format information, correction level and mask in 15 bits (7.9).
    mutating func writeFormat(correction: QRSymbol.Correction, mask: Int) {
        let level =
            switch correction {
            case .low: 1
            case .medium: 0
            case .quartile: 3
            case .high: 2
            }
        let bits = Self.coded(level << 3 | mask, generator: 0b101_0011_0111, width: 10) ^ 0b101_0100_0001_0010
        for bit in 0..<15 {
            let isDark = bits >> bit & 1 == 1
            // The first copy, around the top left finder pattern, skipping the timing patterns.
            let index = bit < 6 ? bit : bit < 8 ? bit + 1 : bit == 8 ? 7 : 14 - bit
            if bit < 8 { fix(index, 8, isDark) } else { fix(8, index, isDark) }
            // The second copy, next to the other two finder patterns.
            if bit < 8 { fix(8, size - 1 - bit, isDark) } else { fix(size - 15 + bit, 8, isDark) }
        }
        fix(size - 8, 8, true)
    }

    /// Writes both copies of the version information in 18 bits (7.10).
    private mutating func write(version number: Int) {
        let bits = Self.coded(number, generator: 0b1_1111_0010_0101, width: 12)
        for bit in 0..<18 {
            let (along, across) = (bit / 3, size - 11 + bit % 3)
            fix(along, across, bits >> bit & 1 == 1)
            fix(across, along, bits >> bit & 1 == 1)
        }
    }

    /// Returns `value` (at most 6 bits) followed by `width` bits: the remainder of its polynomial division by `generator` over GF(2).
    private static func coded(_ value: Int, generator: Int, width: Int) -> Int {
        var rest = value << width
        for bit in (width..<width + 6).reversed() where rest >> bit & 1 == 1 { rest ^= generator << (bit - width) }
        return value << width | rest
    }
}
