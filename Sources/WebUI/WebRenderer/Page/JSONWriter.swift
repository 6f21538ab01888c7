/// An incremental writer of JSON (RFC 8259). A streamed token takes microseconds, with an encoder tens of microseconds:
/// see `Docs/Decisions/0011-what-is-written-by-hand-for-the-page.md`.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    var text: String { String(decoding: bytes, as: UTF8.self) }

    package init() {}

    package mutating func object(_ content: (inout JSONWriter) -> Void) { nested("{", "}", content) }
    package mutating func array(_ content: (inout JSONWriter) -> Void) { nested("[", "]", content) }

    /// Begins an object or array, which ``end(_:)`` ends.
    mutating func begin(_ bracket: StaticString) {
        separate()
        append(bracket)
        needsComma = false
    }
    mutating func end(_ bracket: StaticString) {
        append(bracket)
        needsComma = true
    }

    package mutating func key(_ key: StaticString) {
        separate()
        append("\"")
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        append("\":")
        needsComma = false
    }
    mutating func key(_ key: String) {
        string(key)
        append(":")
        needsComma = false
    }

    mutating func string(_ string: String) {
        separate()
        append("\"")
        var string = string
        string.withUTF8 { utf8 in
            // The start of the bytes that are copied unchanged, as most are.
            var start = 0
            for index in 0..<utf8.count {
                let byte = utf8[index]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                start = index + 1
                switch byte {
                case UInt8(ascii: "\n"): append("\\n")
                case 0..<0x20:
                    append("\\u00")
                    bytes.append(Self.digits[Int(byte >> 4)])
                    bytes.append(Self.digits[Int(byte & 15)])
                default:
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                }
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
        append("\"")
    }

    mutating func integer(_ number: Int) {
        separate()
        bytes.append(contentsOf: String(number).utf8)
    }

    /// Writes a number. NaN and infinity, which JSON does not have, become 0.
    mutating func number(_ number: Double) {
        guard number.isFinite else { return integer(0) }
        if let whole = Int(exactly: number) { return integer(whole) }
        separate()
        bytes.append(contentsOf: number.description.utf8)
    }

    mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }
    mutating func null() {
        separate()
        append("null")
    }

    /// Writes a value that was encoded before.
    mutating func raw(_ value: JSONWriter) {
        separate()
        bytes += value.bytes
    }

    /// Writes elements that were encoded before, inside new brackets.
    mutating func raw(_ elements: JSONWriter, open: StaticString, close: StaticString) {
        nested(open, close) { $0.bytes += elements.bytes }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private mutating func nested(_ open: StaticString, _ close: StaticString, _ content: (inout JSONWriter) -> Void) {
        begin(open)
        content(&self)
        end(close)
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }
}
