import Foundation

/// An encoding of samples in a sound file.
enum SampleEncoding: Hashable {
    /// Integers of 1 to 4 bytes; a single byte is unsigned.
    case pcm(size: Int)
    /// Floating point of 4 or 8 bytes, from -1 to 1.
    case float(size: Int)
    case aLaw
    case muLaw

    /// - Parameters:
    ///   - code: The format tag of a WAVE file.
    ///   - size: The size of a sample, in bytes.
    /// - Returns: nil for an encoding that cannot be read.
    init?(_ code: Int, bits: Int, size: Int) {
        switch (code, size) {
        case (1, 1...4) where bits >= 1: self = .pcm(size: size)
        case (3, 4), (3, 8): self = .float(size: size)
        case (6, 1): self = .aLaw
        case (7, 1): self = .muLaw
        default: return nil
        }
    }

    /// Returns the samples as PCM of 16 bits, little-endian.
    ///
    /// - Parameter data: Whole samples.
    func samples(_ data: Data, isBigEndian: Bool) -> Data {
        switch self {
        case .pcm(size: 1): return PCM16.data(data.lazy.map { Int16((Int($0) - 128) << 8) })
        case .pcm(size: 2) where !isBigEndian: return data
        case .pcm(let size):
            // The two most significant bytes.
            let (low, high) = isBigEndian ? (1, 0) : (size - 2, size - 1)
            return words(data, size: size) { bytes, start in
                Int16(bitPattern: UInt16(bytes[start + high]) << 8 | UInt16(bytes[start + low]))
            }
        case .float(let size):
            return words(data, size: size) { bytes, start in
                var pattern: UInt64 = 0
                for index in 0..<size {
                    pattern = pattern << 8 | UInt64(bytes[start + (isBigEndian ? index : size - 1 - index)])
                }
                let value = size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern))) : Double(bitPattern: pattern)
                return Int16(min(max((value.isNaN ? 0 : value) * 32_768, -32_768), 32_767).rounded())
            }
        case .aLaw: return PCM16.data(data.lazy.map { Self.aLawTable[Int($0)] })
        case .muLaw: return PCM16.data(data.lazy.map { Self.muLawTable[Int($0)] })
        }
    }

    private func words(_ data: Data, size: Int, _ sample: (UnsafeRawBufferPointer, _ start: Int) -> Int16) -> Data {
        data.withUnsafeBytes { bytes in
            PCM16.data((0..<bytes.count / size).map { sample(bytes, $0 * size) })
        }
    }

    /// The sample of each A-law code. Source: ITU-T G.711, table 1.
    private static let aLawTable: [Int16] = (0..<256).map { code in
        let bits = code ^ 0x55
        let (exponent, mantissa) = ((bits >> 4) & 7, bits & 15)
        let magnitude = exponent == 0 ? mantissa << 4 + 8 : (mantissa << 4 + 264) << (exponent - 1)
        return Int16(bits & 0x80 == 0 ? -magnitude : magnitude)
    }

    /// The sample of each µ-law code. Source: ITU-T G.711, table 2.
    private static let muLawTable: [Int16] = (0..<256).map { code in
        let bits = ~code & 0xFF
        let magnitude = (((bits & 15) << 3 + 132) << ((bits >> 4) & 7)) - 132
        return Int16(bits & 0x80 == 0 ? magnitude : -magnitude)
    }
}
