/// A Reed–Solomon code (ISO/IEC 18004, 7.5.2). Bytes are elements of GF(2⁸) and a block is a polynomial, highest power first. The
/// appended bytes make it a multiple of the generator (x − 1)(x − 2)(x − 4)…(x − 2ⁿ⁻¹).
struct ReedSolomon {
    /// The generator's coefficients without the leading 1.
    private let generator: [UInt8]

    /// - Parameter count: Correction bytes per block.
    init(_ count: Int) {
        var generator: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            var product = generator + [0]
            for (power, factor) in generator.enumerated() { product[power + 1] ^= Self.multiply(factor, root) }
            generator = product
            root = Self.multiply(root, 2)
        }
        self.generator = Array(generator.dropFirst())
    }

    /// Returns the correction bytes of `data`: the remainder of the division by the generator.
    func correction(of data: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder[0]
            remainder.removeFirst()
            remainder.append(0)
            for (power, coefficient) in generator.enumerated() { remainder[power] ^= Self.multiply(coefficient, factor) }
        }
        return remainder
    }

    /// Returns the product modulo x⁸ + x⁴ + x³ + x² + 1.
    static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product & 0x80 == 0 ? 0 : 0x1d)
            if b >> UInt8(bit) & 1 == 1 { product ^= a }
        }
        return product
    }
}
