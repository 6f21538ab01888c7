/// Character references of HTML: numbers, and the names that texts need to show markup.
enum Entity {
    private static let names: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    /// Returns the character of a reference at the start of the text, and the length of the reference; nil if there is none.
    static func read(_ text: ArraySlice<UInt8>) -> (text: String, length: Int)? {
        let name = text.dropFirst().prefix(10).prefix { $0 != .ascii(";") }
        guard !name.isEmpty, name.endIndex < text.endIndex, text[name.endIndex] == .ascii(";") else { return nil }
        let length = name.count + 2
        guard name.first == .ascii("#") else { return names[String(decoding: name, as: UTF8.self)].map { ($0, length) } }
        let digits = name.dropFirst()
        let isHexadecimal = (digits.first ?? 0) | 0x20 == .ascii("x")
        let number = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
        guard let first = number.utf8.first, first != .ascii("+"), first != .ascii("-"),
            let value = UInt32(number, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        return (String(value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"), length)
    }
}
