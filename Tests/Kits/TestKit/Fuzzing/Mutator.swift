/// Derives nearly valid inputs from valid ones.
package struct Mutator: Sendable {
    /// The maximum length of an input in bytes.
    package static let maximumSize = 65_536

    private let corpus: [[UInt8]]

    /// - Parameter corpus: At least one input.
    package init(_ corpus: [[UInt8]]) { self.corpus = corpus }

    /// The input number `index`, always the same for a seed. The first inputs are the corpus itself.
    package func input(_ index: Int, seed: UInt64) -> [UInt8] {
        if index < corpus.count { return corpus[index] }
        var numbers = SeededGenerator(seed: seed, number: index)
        var bytes = corpus.randomElement(using: &numbers)!
        // Mostly one or two mutations: a heavily damaged input is refused at its first byte.
        repeat { apply(.allCases.randomElement(using: &numbers)!, to: &bytes, &numbers) } while Bool.random(using: &numbers)
        return bytes.count > Self.maximumSize ? Array(bytes.prefix(Self.maximumSize)) : bytes
    }

    private enum Mutation: CaseIterable {
        case flip, overwrite, insert, delete, duplicate, cut, splice, text, token, number, nest, length
    }

    private func apply(_ mutation: Mutation, to bytes: inout [UInt8], _ numbers: inout SeededGenerator) {
        let position = Int.random(in: 0...bytes.count, using: &numbers)
        let range = position..<min(bytes.count, position + .random(in: 1...16, using: &numbers))
        switch mutation {
        case .flip: if !range.isEmpty { bytes[position] ^= 1 << UInt8.random(in: 0...7, using: &numbers) }
        case .overwrite: if !range.isEmpty { bytes[position] = Self.bytes.randomElement(using: &numbers)! }
        case .insert:
            let added = (0..<Int.random(in: 1...8, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            bytes.insert(contentsOf: added, at: position)
        case .delete: bytes.removeSubrange(range)
        case .duplicate:
            var again: [UInt8] = []
            for _ in 0..<Self.counts.randomElement(using: &numbers)! { again += bytes[range] }
            bytes.insert(contentsOf: again, at: position)
        case .cut: bytes.removeSubrange(position...)
        case .splice:
            let other = corpus.randomElement(using: &numbers)!
            bytes.replaceSubrange(position..., with: other[Int.random(in: 0...other.count, using: &numbers)...])
        case .text: bytes.insert(contentsOf: Self.texts.randomElement(using: &numbers)!, at: position)
        case .token: bytes.replaceSubrange(range, with: Self.tokens.randomElement(using: &numbers)!.utf8)
        case .number:
            let digits = Self.digits(in: bytes, from: position) ?? position..<position
            bytes.replaceSubrange(digits, with: Self.numbers.randomElement(using: &numbers)!.utf8)
        case .nest:
            let (open, close) = Self.brackets.randomElement(using: &numbers)!
            let depth = Self.counts.randomElement(using: &numbers)!
            bytes.insert(contentsOf: Array(String(repeating: open, count: depth).utf8), at: position)
            if Bool.random(using: &numbers) { bytes += Array(String(repeating: close, count: depth).utf8) }
        case .length:
            let width = [1, 2, 4, 8].randomElement(using: &numbers)!
            let left = UInt64(bytes.count - position)
            let value = [0, 1, left, left + 1, left &- 1, 126, 127, 0x7fff, 0xffff, 0x7fff_ffff, .max].randomElement(
                using: &numbers)!
            for (index, byte) in (0..<width).reversed().map({ UInt8(truncatingIfNeeded: value >> ($0 * 8)) }).enumerated()
            where position + index < bytes.count { bytes[position + index] = byte }
        }
    }

    /// The first run of digits at or after `position`.
    private static func digits(in bytes: [UInt8], from position: Int) -> Range<Int>? {
        func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        guard let start = bytes[position...].firstIndex(where: isDigit) else { return nil }
        return start..<(bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count)
    }

    // MARK: Values that often reveal mistakes

    private static let bytes: [UInt8] = [0x00, 0x01, 0x0a, 0x0d, 0x1f, 0x20, 0x22, 0x2f, 0x5c, 0x7f, 0x80, 0xbf, 0xc0, 0xfe, 0xff]

    /// Repetition counts. High ones are rare, since they make inputs long.
    private static let counts = Array(1...30) + [64, 65, 128, 1000, 5000]

    private static let brackets = [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")]

    private static let texts: [[UInt8]] =
        [
            // Overlong, a surrogate, beyond Unicode, truncated, a lone continuation byte, a byte order mark of UTF-16.
            [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80], [0xff, 0xfe],
        ]
        + ["\u{0}", "\u{feff}", "\u{202e}", "e\u{301}", "👩‍👩‍👧‍👦", "\r\n", "\u{2028}", "ﬃ", "٣"].map { Array($0.utf8) }

    private static let tokens = [
        "null", "true", "false", "{}", "[]", #""""#, ",", ":", "\"", "\\", #"\u0000"#, #"\ud800"#, #"\udc00\ud800"#, #"\u"#, "NaN",
        "-", ".", "e", " ", "\r\n\r\n", "%00", "%", "//", "..", ";", "=",
    ]

    private static let numbers = [
        "0", "-0", "-1", "00", "1.0", "1.5", "0x7f", "1e3", "1e400", "-1e400", "1e-400", "127", "128", "255", "256", "65536",
        "2147483648", "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "18446744073709551616", String(repeating: "9", count: 400),
    ]
}
