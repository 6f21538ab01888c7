/// The human-oriented base 32 encoding of Zooko O'Whielacronx ("z-base-32"), for whole bytes.
public enum ZBase32 {
    private static let alphabet = Array("ybndrfg8ejkmcpqxot1uwisza345h769".utf8)
    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
            if character >= UInt8(ascii: "a") { values[Int(character) - 32] = UInt8(value) }
        }
        return values
    }()

    /// Returns one character per five bits; the last character is padded with zero bits.
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        var pending: UInt32 = 0
        var pendingBits = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            pendingBits += 8
            while pendingBits >= 5 {
                pendingBits -= 5
                text.append(alphabet[Int(pending >> UInt32(pendingBits) & 31)])
            }
            pending &= (1 << UInt32(pendingBits)) - 1
        }
        if pendingBits > 0 { text.append(alphabet[Int(pending << UInt32(5 - pendingBits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads characters of either case. Returns `nil` for other characters, for a length that does not encode whole bytes, and for
    /// padding bits that are not zero.
    public static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var pending: UInt32 = 0
        var pendingBits = 0
        for character in text.utf8 {
            guard let value = values[Int(character)] else { return nil }
            pending = pending << 5 | UInt32(value)
            pendingBits += 5
            if pendingBits >= 8 {
                pendingBits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits)))
                pending &= (1 << UInt32(pendingBits)) - 1
            }
        }
        guard pendingBits < 5, pending == 0 else { return nil }
        return bytes
    }
}
