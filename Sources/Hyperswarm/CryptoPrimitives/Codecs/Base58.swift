/// The base 58 encoding with the Bitcoin alphabet and without a checksum.
///
/// Leading zero bytes become leading `1` characters. A mistyped character gives other bytes, not an error.
public enum Base58 {
    /// Maximum length of a text to decode, in characters. The cost of decoding grows with the square of the length.
    public static let maximumLength = 256

    private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    public static func encode(_ bytes: [UInt8]) -> String {
        let zeros = bytes.prefix { $0 == 0 }.count
        let digits = convert(bytes.dropFirst(zeros), from: 256, to: 58)
        let text = [UInt8](repeating: alphabet[0], count: zeros) + digits.map { alphabet[Int($0)] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns `nil` for a character outside the alphabet and for more than ``maximumLength`` characters.
    public static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= maximumLength else { return nil }
        var digits: [UInt8] = []
        for character in text.utf8 {
            guard let value = values[Int(character)] else { return nil }
            digits.append(value)
        }
        let zeros = digits.prefix { $0 == 0 }.count
        return [UInt8](repeating: 0, count: zeros) + convert(digits.dropFirst(zeros), from: 58, to: 256)
    }

    /// Converts a big-endian number between bases. Leading zeros of the result are not written.
    private static func convert(_ input: ArraySlice<UInt8>, from base: Int, to target: Int) -> [UInt8] {
        // The digits of the result, least significant first.
        var output: [UInt8] = []
        for digit in input {
            var carry = Int(digit)
            for index in output.indices {
                carry += Int(output[index]) * base
                output[index] = UInt8(carry % target)
                carry /= target
            }
            while carry > 0 {
                output.append(UInt8(carry % target))
                carry /= target
            }
        }
        return output.reversed()
    }
}
