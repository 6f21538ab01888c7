/// Modules while they are placed (ISO/IEC 18004, 6.3 and 7.7).
struct ModuleGrid {
    let size: Int
    /// Row after row; true where dark.
    private(set) var modules: [Bool]
    /// Which modules belong to patterns and notes; the others carry codewords.
    private var isFixed: [Bool]

    /// The patterns, and nothing yet of text, correction and mask.
    init(_ version: Version) {
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isFixed = modules
        for place in 8..<size - 8 {
            fix(6, place, place % 2 == 0)
            fix(place, 6, place % 2 == 0)
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

    /// Whether a finder pattern is there.
    private func isCorner(_ row: Int, _ column: Int) -> Bool {
        row < 8 && column < 8 || row < 8 && column >= size - 8 || row >= size - 8 && column < 8
    }

    /// Squares around a middle, as far as they are in the grid.
    private mutating func drawSquares(_ row: Int, _ column: Int, radius: Int, isDark: (Int) -> Bool) {
        for down in -radius...radius where (0..<size).contains(row + down) {
            for right in -radius...radius where (0..<size).contains(column + right) {
                fix(row + down, column + right, isDark(max(abs(down), abs(right))))
            }
        }
    }

    /// The codewords, highest bit first, in columns of two from the right, up and down in turn.
    mutating func place(_ codewords: [UInt8]) {
        var bit = 0
        var isUpward = true
        // The column of the vertical timing pattern is left out.
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

    /// Inverts the modules that are not fixed, where `pattern` says so.
    mutating func invert(where pattern: (_ row: Int, _ column: Int) -> Bool) {
        for row in 0..<size {
            for column in 0..<size where !isFixed[row * size + column] && pattern(row, column) {
                modules[row * size + column].toggle()
            }
        }
    }

    /// The correction and the mask, twice, in 15 bits (7.9).
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
            // Around the first corner, past the timing patterns.
            let place = bit < 6 ? bit : bit < 8 ? bit + 1 : bit == 8 ? 7 : 14 - bit
            if bit < 8 { fix(place, 8, isDark) } else { fix(8, place, isDark) }
            // Along the other two.
            if bit < 8 { fix(8, size - 1 - bit, isDark) } else { fix(size - 15 + bit, 8, isDark) }
        }
        fix(size - 8, 8, true)
    }

    /// The number of the version, twice, in 18 bits (7.10).
    private mutating func write(version number: Int) {
        let bits = Self.coded(number, generator: 0b1_1111_0010_0101, width: 12)
        for bit in 0..<18 {
            let (along, across) = (bit / 3, size - 11 + bit % 3)
            fix(along, across, bits >> bit & 1 == 1)
            fix(across, along, bits >> bit & 1 == 1)
        }
    }

    /// `value` of at most 6 bits and, in `width` bits below it, what is left when it is divided by `generator` as polynomials over bits.
    private static func coded(_ value: Int, generator: Int, width: Int) -> Int {
        var rest = value << width
        for bit in (width..<width + 6).reversed() where rest >> bit & 1 == 1 { rest ^= generator << (bit - width) }
        return value << width | rest
    }
}
