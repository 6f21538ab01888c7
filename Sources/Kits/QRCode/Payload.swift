/// A text as a segment of bits (ISO/IEC 18004, 7.4).
struct Payload {
    private enum Mode {
        /// Pairs of characters from an alphabet of 45, in 11 bits each.
        case alphanumeric([Int])
        /// ASCII bytes. Scanners assume Latin-1 or UTF-8, which agree on ASCII.
        case ascii
        /// UTF-8 bytes after an ECI designator (7.4.2) for UTF-8.
        case unicode
    }

    private static let alphabet = Dictionary(
        uniqueKeysWithValues: zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8, 0...))

    private let bytes: [UInt8]
    private let mode: Mode

    init(_ text: String) {
        bytes = Array(text.utf8)
        let values = bytes.compactMap { Self.alphabet[$0] }
        mode = values.count == bytes.count ? .alphanumeric(values) : bytes.allSatisfy { $0 < 128 } ? .ascii : .unicode
    }

    /// Returns the width of the character count field in bits.
    private func countWidth(in version: Version) -> Int {
        switch mode {
        case .alphanumeric: version.number < 10 ? 9 : 11
        case .ascii, .unicode: version.number < 10 ? 8 : 16
        }
    }

    /// Returns the length of the segment in bits, without the terminator, which may be truncated.
    func bitCount(in version: Version) -> Int {
        let data =
            switch mode {
            case .alphanumeric: bytes.count / 2 * 11 + bytes.count % 2 * 6
            case .ascii: bytes.count * 8
            case .unicode: 12 + bytes.count * 8
            }
        return 4 + countWidth(in: version) + data
    }

    /// Returns the segment, terminator and padding in `count` bytes, which must be enough for the segment.
    func codewords(in version: Version, filling count: Int) -> [UInt8] {
        var buffer = BitBuffer()
        switch mode {
        case .alphanumeric(let values):
            buffer.append(0b0010, width: 4)
            buffer.append(values.count, width: countWidth(in: version))
            for first in stride(from: 0, to: values.count - 1, by: 2) {
                buffer.append(values[first] * 45 + values[first + 1], width: 11)
            }
            if let last = values.last, values.count % 2 == 1 { buffer.append(last, width: 6) }
        case .ascii, .unicode:
            if case .unicode = mode { buffer.append(0b0111_00011010, width: 12) }
            buffer.append(0b0100, width: 4)
            buffer.append(bytes.count, width: countWidth(in: version))
            for byte in bytes { buffer.append(Int(byte), width: 8) }
        }
        buffer.append(0, width: min(4, count * 8 - buffer.count))
        let padding: [UInt8] = [0b1110_1100, 0b0001_0001]
        return buffer.bytes + (0..<max(0, count - buffer.bytes.count)).map { padding[$0 % 2] }
    }
}

/// A sequence of bits, the first in the highest bit of the first byte.
struct BitBuffer {
    /// The bits as bytes; the last byte is padded with zeros.
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    /// Appends the lowest `width` bits of `value`, highest first.
    mutating func append(_ value: Int, width: Int) {
        for shift in (0..<max(0, width)).reversed() {
            if count % 8 == 0 { bytes.append(0) }
            bytes[count / 8] |= UInt8(value >> shift & 1) << UInt8(7 - count % 8)
            count += 1
        }
    }
}
