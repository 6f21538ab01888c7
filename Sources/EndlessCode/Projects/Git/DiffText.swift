/// The text of a diff, whose files may have different encodings.
enum DiffText {
    private static let start = Array("diff --git ".utf8)

    /// Decodes each file of a diff on its own: as UTF-8, otherwise as its lines suggest.
    static func string(_ bytes: [UInt8]) -> String {
        if let text = UTF8Text.string(bytes) { return text }
        return files(in: bytes).map { TextEncoding.decode($0)?.text ?? String(decoding: $0, as: UTF8.self) }.joined()
    }

    private static func files(in bytes: [UInt8]) -> [[UInt8]] {
        var starts: [Int] = []
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: start) { starts.append(index) }
            guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            index = end + 1
        }
        let ends = starts.dropFirst() + [bytes.count]
        return starts.isEmpty ? [bytes] : zip([0] + starts.dropFirst(), ends).map { Array(bytes[$0..<$1]) }
    }
}
