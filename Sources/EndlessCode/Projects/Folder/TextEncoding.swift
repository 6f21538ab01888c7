import Foundation

/// The encoding of a text file that is not plain UTF-8, found in its bytes.
///
///     byte order mark ─▶ UTF-8, UTF-16, UTF-32
///     zero bytes in every second place ─▶ UTF-16; others, and control characters: no text
///     pairs of bytes of East Asian encodings, by the script that they give ─▶ EUC-KR, Shift_JIS, GB 18030
///     words of bytes beyond ASCII ─▶ Windows-1251, KOI8-R
///     anything else ─▶ Windows-1252, which contains Latin-1
enum TextEncoding {
    /// CoreFoundation's numbers of the encodings.
    private enum Number: UInt {
        /// EUC-KR with the further syllables of Windows-949.
        case korean = 0x0422
        case shiftJIS = 0x0420
        case gb18030 = 0x0632
        case windowsCyrillic = 0x0502
        case koi8 = 0x0a02
    }

    /// The byte order mark of UTF-8.
    static let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    /// Maximum bytes from which the encoding is guessed.
    private static let sampleSize = 1 << 16

    /// Decodes a text.
    ///
    /// - Parameter isCut: True if the bytes may end inside a character, which is then left out.
    /// - Returns: The text without a byte order mark, and the encoding by its registered name; nil if the bytes are no text.
    static func decode(_ bytes: [UInt8], isCut: Bool = false) -> (text: String, name: String)? {
        if bytes.starts(with: mark) {
            return UTF8Text.string(Array(bytes.dropFirst(3))).map { ($0, "UTF-8") }
        }
        // The mark of UTF-32 begins with that of UTF-16.
        if bytes.starts(with: [0xff, 0xfe, 0, 0]) { return unicode(bytes, 4, .utf32LittleEndian, "UTF-32LE") }
        if bytes.starts(with: [0, 0, 0xfe, 0xff]) { return unicode(bytes, 4, .utf32BigEndian, "UTF-32BE") }
        if bytes.starts(with: [0xff, 0xfe]) { return unicode(bytes, 2, .utf16LittleEndian, "UTF-16LE") }
        if bytes.starts(with: [0xfe, 0xff]) { return unicode(bytes, 2, .utf16BigEndian, "UTF-16BE") }
        let sample = bytes.prefix(sampleSize)
        if sample.contains(0) { return unmarked(bytes, sample) }
        guard isText(sample) else { return nil }
        if let text = repaired(bytes) { return (text, "UTF-8") }
        for (number, name, isLikely) in others where isLikely(sample) {
            if let text = string(bytes, number, isCut: isCut) { return (text, name) }
        }
        return String(bytes: bytes.map { unassigned.contains($0) ? 0x3f : $0 }, encoding: .windowsCP1252).map {
            ($0, "windows-1252")
        }
    }

    // MARK: Unicode

    /// - Parameter mark: The length of the byte order mark in bytes.
    private static func unicode(_ bytes: [UInt8], _ mark: Int, _ encoding: String.Encoding, _ name: String) -> (String, String)? {
        let unit = encoding == .utf32LittleEndian || encoding == .utf32BigEndian ? 4 : 2
        var content = bytes.dropFirst(mark)
        guard content.isEmpty || content.count >= unit else { return nil }
        content = content.dropLast(content.count % unit)
        guard unit == 2 else { return String(bytes: content, encoding: encoding).map { ($0, name) } }
        // A text that is cut or malformed may have unpaired surrogates, which become U+FFFD.
        let isBig = encoding == .utf16BigEndian
        let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map { index in
            UInt16(content[isBig ? index : index + 1]) << 8 | UInt16(content[isBig ? index + 1 : index])
        }
        let text = String(decoding: units, as: UTF16.self)
        return text.unicodeScalars.contains("\0") ? nil : (text, name)
    }

    /// Decodes UTF-16 without a byte order mark: every second byte of its ASCII characters is zero. Returns nil for other bytes.
    private static func unmarked(_ bytes: [UInt8], _ sample: ArraySlice<UInt8>) -> (String, String)? {
        var zeros = [0, 0]
        for (index, byte) in sample.enumerated() where byte == 0 { zeros[index % 2] += 1 }
        let pairs = sample.count / 2
        guard pairs >= 4 else { return nil }
        let result: (String, String)? =
            if zeros[1] * 2 > pairs, zeros[0] * 20 <= zeros[1] {
                unicode(bytes, 0, .utf16LittleEndian, "UTF-16LE")
            } else if zeros[0] * 2 > pairs, zeros[1] * 20 <= zeros[0] {
                unicode(bytes, 0, .utf16BigEndian, "UTF-16BE")
            } else {
                nil
            }
        guard let result, result.0.unicodeScalars.prefix(sampleSize).allSatisfy({ !isControl($0.value) }) else { return nil }
        return result
    }

    /// Decodes UTF-8 with some invalid bytes, which become U+FFFD; nil unless over 2/3 of the non-ASCII sequences are valid.
    private static func repaired(_ bytes: [UInt8]) -> String? {
        var (valid, invalid) = (0, 0)
        var iterator = bytes.prefix(sampleSize).makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): if scalar.count > 1 { valid += 1 }
            case .error: invalid += 1
            case .emptyInput: return valid > invalid * 2 ? String(decoding: bytes, as: UTF8.self) : nil
            }
        }
    }

    // MARK: Bytes

    /// Returns true if the bytes have no control characters except those of text and terminals.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy { !isControl(UInt32($0)) } }

    private static func isControl(_ value: UInt32) -> Bool {
        value < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1a, 0x1b].contains(value) || value == 0x7f
    }

    /// Bytes without a character in Windows-1252.
    private static let unassigned: Set<UInt8> = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

    private static func string(_ bytes: [UInt8], _ number: Number, isCut: Bool) -> String? {
        let encoding = String.Encoding(rawValue: 0x8000_0000 | number.rawValue)
        if let text = String(bytes: bytes, encoding: encoding) { return text }
        guard isCut else { return nil }
        return (1...3).lazy.compactMap { String(bytes: bytes.dropLast($0), encoding: encoding) }.first
    }

    // MARK: Encodings of other scripts

    private static let others: [(Number, String, @Sendable (ArraySlice<UInt8>) -> Bool)] = [
        (.korean, "EUC-KR", { isKorean($0) }),
        (.shiftJIS, "Shift_JIS", { isShiftJIS($0) }),
        (.windowsCyrillic, "windows-1251", { isCyrillic($0, lower: 0xe0...0xff) }),
        (.koi8, "KOI8-R", { isCyrillic($0, lower: 0xc0...0xdf) }), (.gb18030, "GB18030", { isChinese($0) }),
    ]

    /// Returns the pairs of bytes that begin with a byte beyond ASCII.
    ///
    /// - Parameter single: Returns true for a byte that is a character of its own.
    /// - Returns: nil if there are no pairs, or if a pair has an invalid second byte. The last pair may be cut.
    private static func pairs(
        _ bytes: ArraySlice<UInt8>, single: (UInt8) -> Bool = { _ in false }, second: (UInt8) -> Bool
    ) -> [(UInt8, UInt8)]? {
        var pairs: [(UInt8, UInt8)] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte < 0x80 || single(byte) {
                index += 1
                continue
            }
            guard index + 1 < bytes.endIndex else { break }
            guard second(bytes[index + 1]) else { return nil }
            pairs.append((byte, bytes[index + 1]))
            index += 2
        }
        return pairs.isEmpty ? nil : pairs
    }

    /// Returns true if at least `percent` percent of `pairs` satisfy a condition.
    private static func share(_ percent: Int, of pairs: [(UInt8, UInt8)], _ isCounted: ((UInt8, UInt8)) -> Bool) -> Bool {
        pairs.count(where: isCounted) * 100 >= pairs.count * percent
    }

    /// Returns true for likely EUC-KR. Syllables of KS X 1001 begin with 0xB0…0xC8; those of Windows-949 have other second bytes.
    private static func isKorean(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard
            let pairs = pairs(
                bytes,
                second: {
                    $0 >= 0xa1 && $0 < 0xff || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
                        || (0x81...0xa0).contains($0)
                })
        else { return false }
        return share(80, of: pairs) { $0.1 >= 0xa1 } && share(60, of: pairs) { (0xb0...0xc8).contains($0.0) }
            && share(95, of: pairs) { (0xa1...0xac).contains($0.0) || (0xb0...0xc8).contains($0.0) || $0.1 < 0xa1 }
    }

    /// Returns true for likely Shift_JIS. Kana begin with 0x82 and 0x83; 0xA1…0xDF are kana of one byte.
    private static func isShiftJIS(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let pairs = pairs(bytes, single: { (0xa1...0xdf).contains($0) }, second: { $0 >= 0x40 && $0 != 0x7f && $0 < 0xfd })
        else {
            return false
        }
        return share(100, of: pairs) { (0x81...0x9f).contains($0.0) || (0xe0...0xfc).contains($0.0) }
            && share(20, of: pairs) { $0.0 == 0x82 || $0.0 == 0x83 }
    }

    /// Returns true for likely GB 18030. The common characters of GB 2312 begin with 0xB0…0xD7.
    private static func isChinese(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let pairs = pairs(bytes, second: { $0 >= 0x40 && $0 != 0x7f && $0 < 0xff }) else { return false }
        return share(80, of: pairs) { $0.1 >= 0xa1 } && share(60, of: pairs) { (0xb0...0xd7).contains($0.0) }
    }

    /// Returns true for likely Cyrillic text, whose words have no ASCII letters and mostly lower-case letters.
    private static func isCyrillic(_ bytes: ArraySlice<UInt8>, lower: ClosedRange<UInt8>) -> Bool {
        let letters = bytes.filter { $0 >= 0x80 }
        let words = bytes.split { $0 < 0x80 }.filter { $0.count >= 3 }
        return words.count >= 2 && words.reduce(0) { $0 + $1.count } * 10 >= letters.count * 6
            && letters.count { lower.contains($0) } * 10 >= letters.count * 7
    }
}
