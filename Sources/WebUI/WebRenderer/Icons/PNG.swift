import Foundation

/// Writes a square picture with a palette as a PNG file. The same picture gives the same bytes.
///
/// Source: Portable Network Graphics (Third Edition); RFC 1950 (zlib), RFC 1951 (deflate).
enum PNG {
    struct Color {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
        var alpha: UInt8

        /// - Precondition: Red, green and blue, each from 0 to 255.
        init(_ channels: [Int], alpha: Int) {
            (red, green, blue, self.alpha) = (UInt8(channels[0]), UInt8(channels[1]), UInt8(channels[2]), UInt8(alpha))
        }
    }

    /// - Parameters:
    ///   - pixels: Row by row, each an index of `palette`.
    ///   - palette: At most 256 colours.
    static func file(side: Int, pixels: [UInt8], palette: [Color]) -> Data {
        var data = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
        // Eight bits, by palette; compression, filter and interlacing as ever.
        data.append(chunk("IHDR", bytes(UInt32(side)) + bytes(UInt32(side)) + [8, 3, 0, 0, 0]))
        data.append(chunk("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }))
        data.append(chunk("tRNS", palette.map(\.alpha)))
        var rows: [UInt8] = []
        rows.reserveCapacity(pixels.count + side)
        for row in stride(from: 0, to: pixels.count, by: side) {
            // Not filtered.
            rows.append(0)
            rows += pixels[row..<row + side]
        }
        data.append(chunk("IDAT", zlib(rows)))
        data.append(chunk("IEND", []))
        return data
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

    private static func chunk(_ name: StaticString, _ content: [UInt8]) -> Data {
        let body = Array("\(name)".utf8) + content
        return Data(bytes(UInt32(content.count)) + body + bytes(crc32(body)))
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xedb8_8320) }
        }
    }

    private static func zlib(_ content: [UInt8]) -> [UInt8] {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x01] + deflated(content) + bytes(high << 16 | low)
    }

    /// One block with the fixed codes, in which only repetitions of a byte are made shorter: of those an icon has plenty.
    private static func deflated(_ content: [UInt8]) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0b011, 3)
        var place = 0
        while place < content.count {
            let byte = content[place]
            bits.literal(byte)
            place += 1
            var end = place
            while end < content.count, content[end] == byte { end += 1 }
            while end - place >= 3 {
                let length = min(end - place, 258)
                bits.repeatLast(length)
                place += length
            }
        }
        bits.symbol(256)
        return bits.bytes
    }

    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var free = 0

        /// Lowest bit first.
        mutating func write(_ value: Int, _ count: Int) {
            for bit in 0..<count {
                if free == 0 {
                    bytes.append(0)
                    free = 8
                }
                if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << (8 - free) }
                free -= 1
            }
        }

        /// A code of the fixed alphabet; these come highest bit first. RFC 1951, 3.2.6.
        mutating func symbol(_ symbol: Int) {
            let (code, count) =
                switch symbol {
                case ..<144: (0x30 + symbol, 8)
                case ..<256: (0x190 + symbol - 144, 9)
                case ..<280: (symbol - 256, 7)
                default: (0xc0 + symbol - 280, 8)
                }
            for bit in (0..<count).reversed() { write(code >> bit & 1, 1) }
        }

        mutating func literal(_ byte: UInt8) { symbol(Int(byte)) }

        /// The last byte `length` times more, 3 to 258. RFC 1951, 3.2.5.
        mutating func repeatLast(_ length: Int) {
            let rest = length - 3
            if length == 258 {
                symbol(285)
            } else {
                let extra = max(0, Int.bitWidth - rest.leadingZeroBitCount - 3)
                symbol(257 + extra * 4 + rest >> extra)
                write(rest & ((1 << extra) - 1), extra)
            }
            // One byte back.
            write(0, 5)
        }
    }
}
