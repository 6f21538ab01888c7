/// Conversion between a file name, which is bytes and mostly UTF-8, and its text.
///
/// Each byte that is not part of valid UTF-8 becomes the character U+F700 plus its value, U+F780…U+F7FF of the private use area.
/// The bytes of those characters themselves are replaced too, so that the text of every name is unambiguous.
enum FileName {
    private static let escapes: ClosedRange<UInt32> = 0xf780...0xf7ff

    static func text(_ name: some Sequence<UInt8>) -> String {
        let bytes = Array(name)
        let plain = String(decoding: bytes, as: UTF8.self)
        if plain.utf8.elementsEqual(bytes), !plain.unicodeScalars.contains(where: { escapes.contains($0.value) }) { return plain }
        var text = String.UnicodeScalarView()
        var index = 0
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if escapes.contains(scalar.value) {
                    text.append(contentsOf: bytes[index..<index + encoded.count].map(escape))
                } else {
                    text.append(scalar)
                }
                index += encoded.count
            case .error(let length):
                text.append(contentsOf: bytes[index..<index + length].map(escape))
                index += length
            case .emptyInput: return String(text)
            }
        }
    }

    static func bytes(_ text: String) -> [UInt8] {
        guard text.unicodeScalars.contains(where: { escapes.contains($0.value) }) else { return Array(text.utf8) }
        return text.unicodeScalars.flatMap { scalar in
            escapes.contains(scalar.value) ? [UInt8(scalar.value - 0xf700)] : Array(String(scalar).utf8)
        }
    }

    /// - Parameter byte: 0x80 or greater: lower ones are valid on their own.
    private static func escape(_ byte: UInt8) -> Unicode.Scalar { Unicode.Scalar(0xf700 + UInt32(byte)) ?? "\u{fffd}" }
}
