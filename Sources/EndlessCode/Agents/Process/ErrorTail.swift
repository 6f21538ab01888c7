/// The last lines of a program's standard error.
package struct ErrorTail: Sendable {
    /// Maximum length in bytes.
    package static let maximumLength = 8192
    package static let maximumLineCount = 20

    private var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ new: some BidirectionalCollection<UInt8>) {
        bytes.append(contentsOf: new.suffix(Self.maximumLength))
        if bytes.count > Self.maximumLength { bytes.removeFirst(bytes.count - Self.maximumLength) }
    }

    /// The lines, without a line break at the end. Invalid UTF-8 is replaced.
    package var text: String {
        // The cut may lie inside a character.
        let whole = bytes.count == Self.maximumLength ? bytes.drop { $0 & 0xc0 == 0x80 } : bytes[...]
        let lines = whole.split(separator: 0x0a, omittingEmptySubsequences: true).suffix(Self.maximumLineCount)
        return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
}
