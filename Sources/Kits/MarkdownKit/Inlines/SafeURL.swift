/// Addresses that a text may link to.
enum SafeURL {
    /// Returns an absolute URL with the scheme `http`, `https` or `mailto`; nil for any other text.
    ///
    /// Bytes that no URL contains are percent-encoded. Characters beyond ASCII stay.
    static func read(_ text: ArraySlice<UInt8>) -> String? {
        guard let colon = text.prefix(8).firstIndex(of: .ascii(":")) else { return nil }
        let scheme = text[..<colon].map { $0 | 0x20 }
        let rest = text[(colon + 1)...]
        if scheme == Array("mailto".utf8) {
            guard !rest.isEmpty else { return nil }
        } else {
            guard scheme == Array("http".utf8) || scheme == Array("https".utf8), rest.starts(with: "//".utf8), rest.count > 2 else {
                return nil
            }
        }
        return encoded(text)
    }

    /// Returns the `mailto` URL of a mail address; nil for any other text.
    static func mail(_ text: ArraySlice<UInt8>) -> String? {
        guard text.count <= 254, let at = text.firstIndex(of: .ascii("@")), at > text.startIndex else { return nil }
        let allowed = { (byte: UInt8) in byte.isLetter || byte.isDigit || ".-_+".utf8.contains(byte) }
        let host = text[(at + 1)...]
        guard text[..<at].allSatisfy(allowed), host.contains(.ascii(".")), host.allSatisfy({ allowed($0) }) else { return nil }
        return "mailto:" + String(decoding: text, as: UTF8.self)
    }

    /// Returns the length of a web address at the start of the text, without the punctuation of the sentence; nil if there is none.
    ///
    /// The address ends before the first character that is not ASCII, such as a Korean particle.
    static func bareLength(_ text: ArraySlice<UInt8>) -> Int? {
        guard let scheme = ["https://", "http://"].first(where: { text.starts(with: $0.utf8) })?.utf8.count else { return nil }
        let outside = Array("<>[]{}|\\^`\"".utf8)
        var length = 0
        var surplus = 0
        for (offset, byte) in text.enumerated() {
            let endsStrong = byte == .ascii("*") && text.dropFirst(offset + 1).first == .ascii("*")
            guard byte > .space, byte < 0x7F, !outside.contains(byte), !endsStrong else { break }
            if byte == .ascii("(") { surplus -= 1 }
            if byte == .ascii(")") { surplus += 1 }
            length += 1
        }
        while length > scheme {
            let last = text[text.startIndex + length - 1]
            if last == .ascii(")"), surplus > 0 {
                surplus -= 1
            } else if !".,:;!?'*_~".utf8.contains(last) {
                break
            }
            length -= 1
        }
        return length > scheme ? length : nil
    }

    private static func encoded(_ text: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text {
            if byte <= .space || byte == 0x7F || "\"<>\\^`{|}".utf8.contains(byte) {
                bytes += [.ascii("%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
