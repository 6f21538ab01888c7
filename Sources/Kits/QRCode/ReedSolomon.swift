/// The code that lets a reader mend damaged bytes (ISO/IEC 18004, 7.5.2): bytes are elements of GF(2⁸), a block is a
/// polynomial with its highest power first, and what is appended makes it a multiple of (x − 1)(x − 2)(x − 4)…(x − 2ⁿ⁻¹).
struct ReedSolomon {
    /// Without the highest power, whose factor is 1.
    private let generator: [UInt8]

    /// - Parameter count: How many bytes of correction a block gets.
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

    /// What is appended to `data`: what is left when it is divided by the generator.
    func correction(of data: [UInt8]) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ rest[0]
            rest.removeFirst()
            rest.append(0)
            for (power, coefficient) in generator.enumerated() { rest[power] ^= Self.multiply(coefficient, factor) }
        }
        return rest
    }

    /// The product modulo x⁸ + x⁴ + x³ + x² + 1.
    static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product & 0x80 == 0 ? 0 : 0x1d)
            if b >> UInt8(bit) & 1 == 1 { product ^= a }
        }
        return product
    }
}
