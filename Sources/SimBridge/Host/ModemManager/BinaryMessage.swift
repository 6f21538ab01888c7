import Foundation
import SimBridgeWire
import WireKit

/// A received message in bytes: the notice of a multimedia message, a message for programs, or a text.
///
/// Sources: WAP-230-WSP (push and its headers), OMA-TS-MMS_ENC, sections 6.2 and 7.3 (the notice).
struct BinaryMessage: Sendable {
    /// A notice of a multimedia message that waits at the operator.
    struct Notice: Hashable, Sendable {
        /// The sender's number or address.
        var sender: String?
        var subject: String?
        /// The size of the multimedia message, in bytes.
        var size: Int?
        /// The time for which the operator keeps the multimedia message.
        var expiry: Duration?
    }

    let byteCount: Int
    let notice: Notice?
    /// The content as text; nil for a message that is not a text.
    private let text: String?

    init(hexadecimal digits: String) {
        let bytes = Self.bytes(digits)
        byteCount = bytes.count
        var reader = Reader(bytes)
        notice = reader.notice()
        // Some senders mark a text as 8-bit data.
        text = notice == nil ? Self.text(bytes) : nil
    }

    /// Returns the text of bytes in UTF-8 or Latin-1; nil for other bytes.
    private static func text(_ bytes: [UInt8]) -> String? {
        let utf8 = String(validating: bytes, as: UTF8.self)
        // Any bytes are valid Latin-1, so at least three quarters of a text must be ASCII letters and spaces.
        let letters = bytes.count { (0x61...0x7a).contains($0) || (0x41...0x5a).contains($0) || $0 == 0x20 }
        let latin = letters * 4 >= bytes.count * 3 ? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) })) : nil
        guard let text = utf8 ?? latin, !text.isEmpty, !text.unicodeScalars.contains(where: isControl) else { return nil }
        return text
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && !["\n", "\r", "\t"].contains(scalar)
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        let values = digits.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 0 }
        return stride(from: 0, to: values.count - values.count % 2, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    var sender: String? { notice?.sender }
    var kind: EventDetails.Kind? { notice != nil ? .multimedia : text != nil ? nil : .binary }

    var words: String {
        if let text { return text }
        guard let notice else { return "[A message for programs, not a text: \(byteCount) byte\(byteCount == 1 ? "" : "s")]" }
        var words = "[A multimedia message (MMS)"
        if let subject = notice.subject { words += ": \(subject)" }
        if let size = notice.size { words += ", \(max(1, (size + 512) / 1024)) KB" }
        words += ". This host cannot fetch it; a phone with this SIM can"
        if let expiry = notice.expiry {
            let hours = expiry.components.seconds / 3600
            words += hours >= 48 ? ", for \(hours / 24) days" : hours >= 1 ? ", for \(hours) hour\(hours == 1 ? "" : "s")" : ""
        }
        return words + ".]"
    }

    /// A reader of WSP. Every read checks for the end of the bytes.
    private struct Reader {
        private var bytes: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

        private mutating func byte() -> UInt8? { bytes.popFirst() }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, count <= bytes.count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        /// Reads an integer with seven bits in each byte, of five bytes at most.
        private mutating func variable() -> Int? {
            var value = 0
            for _ in 0..<5 {
                guard let next = byte() else { return nil }
                value = value << 7 | Int(next & 0x7F)
                if next & 0x80 == 0 { return value }
            }
            return nil
        }

        private mutating func string() -> String? {
            guard let end = bytes.firstIndex(of: 0) else { return nil }
            var content = bytes[..<end]
            bytes = bytes[bytes.index(after: end)...]
            // The byte quotes the first character.
            if content.first == 0x7F || content.first == 0x22 { content = content.dropFirst() }
            return String(decoding: content, as: UTF8.self)
        }

        /// Reads the length at the beginning of a value; nil if the value has none.
        private mutating func length() -> Int? {
            guard let first = bytes.first, first <= 31 else { return nil }
            bytes = bytes.dropFirst()
            return first == 31 ? variable() : Int(first)
        }

        /// Reads a short or a long integer.
        private mutating func integer() -> Int? {
            guard let first = byte() else { return nil }
            if first & 0x80 != 0 { return Int(first & 0x7F) }
            guard first <= 4, let value = take(Int(first)) else { return nil }
            return value.reduce(0) { $0 << 8 | Int($1) }
        }

        /// Reads a text with or without a character set.
        private mutating func encodedString() -> String? {
            guard let first = bytes.first, first <= 31 else { return string() }
            guard let length = length(), let value = take(length) else { return nil }
            var inner = Reader(Array(value))
            return inner.integer() == nil ? nil : inner.string()
        }

        /// Skips the value of an unknown header.
        private mutating func skip() -> Bool {
            guard let first = bytes.first else { return false }
            if first & 0x80 != 0 { return byte() != nil }
            if first <= 31 { return length().flatMap { take($0) } != nil }
            return string() != nil
        }

        mutating func notice() -> Notice? {
            // The transaction identifier, the type (push), and the headers with their length.
            guard byte() != nil, let kind = byte(), kind == 0x06, let length = variable(), let headers = take(length),
                Self.isMultimedia(headers)
            else { return nil }
            // The type of the message: a notice.
            guard byte() == 0x8C, byte() == 0x82 else { return nil }
            var notice = Notice()
            while let field = byte() {
                switch field {
                case 0x89:
                    // The sender is hidden, or is an address that ends with its type.
                    guard let length = self.length(), let value = take(length) else { return notice }
                    var inner = Reader(Array(value))
                    if inner.byte() == 0x80 { notice.sender = inner.encodedString().flatMap(Self.address) }
                case 0x96: notice.subject = encodedString().flatMap { $0.isEmpty ? nil : String($0.prefix(200)) }
                case 0x8E:
                    guard let size = integer() else { return notice }
                    notice.size = size
                case 0x88:
                    guard let length = self.length(), let value = take(length) else { return notice }
                    var inner = Reader(Array(value))
                    if inner.byte() == 0x81, let seconds = inner.integer() { notice.expiry = .seconds(seconds) }
                default: if !skip() { return notice }
                }
            }
            return notice
        }

        private static func isMultimedia(_ headers: ArraySlice<UInt8>) -> Bool {
            // The content type is in words, or the registered number 0x3E.
            headers.starts(with: Array("application/vnd.wap.mms-message".utf8)) || headers.first == 0xBE
                || headers.count > 1 && headers.first.map { $0 <= 31 } == true && headers.dropFirst().first == 0xBE
        }

        private static func address(_ text: String) -> String? {
            let address = text.split(separator: "/TYPE=", maxSplits: 1).first.map(String.init) ?? text
            return address.isEmpty ? nil : address
        }
    }
}
