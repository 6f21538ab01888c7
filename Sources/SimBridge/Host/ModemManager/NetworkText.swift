import Foundation

/// A decoder of the network's answers to service codes.
///
/// Some modems write an answer in hexadecimal digits of UTF-16, ASCII or packed 7-bit characters, whatever their settings.
/// Sources: gammu/gammu#377 and #513, obsy/sms_tool#4 and #13; 3GPP TS 23.038, sections 6.1.2.3 and 6.2.
enum NetworkText {
    /// Minimum count of hexadecimal digits. Shorter texts stay unchanged.
    private static let minimumDigitCount = 8

    /// Returns the decoded text; unchanged if it is not in hexadecimal digits, or may be a number.
    static func decoded(_ text: String) -> String {
        let digits = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        let values = digits.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard digits.count >= minimumDigitCount, digits.count.isMultiple(of: 2), values.count == digits.count else { return text }
        let bytes = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
        // A balance or a phone number has digits only.
        let hasLetter = digits.contains { !(0x30...0x39).contains($0) }
        return (hasLetter ? ascii(bytes) : nil) ?? utf16(bytes, hasLetter: hasLetter) ?? (hasLetter ? packed(bytes) : nil) ?? text
    }

    private static func ascii(_ bytes: [UInt8]) -> String? {
        bytes.allSatisfy(isPrintable) ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7e).contains(byte) || byte == 0x0a || byte == 0x0d }

    private static func utf16(_ bytes: [UInt8], hasLetter: Bool) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        guard let text = String(validating: units, as: UTF16.self) else { return nil }
        return text.unicodeScalars.allSatisfy { isWritten($0, widely: hasLetter) } ? text : nil
    }

    /// True for characters that networks use. Any two bytes are some character, so others suggest another encoding.
    private static func isWritten(_ scalar: Unicode.Scalar, widely: Bool) -> Bool {
        switch scalar.value {
        case 0x0a, 0x0d, 0x20...0x7e, 0x400...0x4ff: true
        // Latin, Greek, punctuation, currencies; Hebrew, Arabic, the scripts of India, Thai, Lao, Georgian; kana and Chinese characters,
        // Hangul, full-width forms, emoji.
        case 0xa0...0x24f, 0x370...0x3ff, 0x2010...0x2027, 0x20a0...0x20bf, 0x590...0x6ff, 0x900...0xeff, 0x10a0...0x10ff,
            0x3000...0x30ff, 0x4e00...0x9fff, 0xac00...0xd7a3, 0xff00...0xffef,
            0x1f300...0x1faff:
            widely
        default: false
        }
    }

    /// Returns the text of packed 7-bit characters, lowest bits first; nil unless 85 percent of the characters are common.
    private static func packed(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= minimumPackedSize else { return nil }
        var (septets, rest, bits) = ([Int](), 0, 0)
        for byte in bytes {
            rest |= Int(byte) << bits
            bits += 8
            while bits >= 7 {
                septets.append(rest & 0x7f)
                rest >>= 7
                bits -= 7
            }
        }
        // Seven free bits at the end are a carriage return, or nothing.
        if septets.last == 0x0d || septets.last == 0 && bytes.count.isMultiple(of: 7) { septets.removeLast() }
        let text = String(septets.map { alphabet[$0] })
        let common = text.count { $0.isASCII && ($0.isLetter || $0.isNumber || " \n\r.,:;-/*#()!?".contains($0)) }
        return common * 100 >= text.count * 85 ? text : nil
    }

    /// Minimum size of a packed text, in bytes.
    private static let minimumPackedSize = 12
    private static let alphabet = Array(
        """
        @£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1b}ÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?\
        ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
        """)
}
