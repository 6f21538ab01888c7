import Foundation
import WireKit

/// The text of a JSON object (RFC 8259), taken apart without being built: what the relay has to know of a message are a few keys, and the rest is
/// passed on as it is. All of it is checked, so that nothing that is no JSON is stored or passed on.
///
/// As `WireJSON`, which everything that is accepted here can be read with: at most 64 levels, no lone surrogates, no number beyond a `Double`.
struct ObjectText {
    /// Why a text is no object.
    enum Malformed: Error {
        case notJSON
        case notAnObject
    }

    /// One key with its value, by position in ``bytes``.
    struct Member {
        var key: String
        /// From the key to the end of the value.
        var whole: Range<Int>
        var value: Range<Int>
    }

    let bytes: [UInt8]
    /// In the order of the text; a key may be there twice, and the last then counts.
    let members: [Member]

    init(_ text: String) throws(Malformed) {
        var scanner = Scanner(text)
        scanner.skipSpace()
        if scanner.next == UInt8(ascii: "{") {
            try scanner.object(depth: 1)
        } else {
            try scanner.value(depth: 0)
        }
        scanner.skipSpace()
        guard scanner.next == nil else { throw .notJSON }
        guard let members = scanner.members else { throw .notAnObject }
        bytes = scanner.bytes
        self.members = members
    }

    func value(of member: Member) -> JSONValue {
        let text = bytes[member.value]
        if text.first == UInt8(ascii: "\""), !text.contains(UInt8(ascii: "\\")) {
            return .string(String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
        }
        let read = String(decoding: text, as: UTF8.self)
        if let number = Int64(read) { return .integer(number) }
        // It has been checked already.
        return (try? WireJSON.decode([JSONValue].self, from: Data("[\(read)]".utf8)))?.first ?? .null
    }

    /// The object with further members in front, and without those of its own that have these keys.
    func replacing(_ keys: Set<String>, with further: [String]) -> String {
        var text = "{" + further.joined(separator: ",")
        for member in members where !keys.contains(member.key) {
            if text.utf8.count > 1 { text += "," }
            text += String(decoding: bytes[member.whole], as: UTF8.self)
        }
        return text + "}"
    }
}

/// Reads JSON from its first byte to its last.
private struct Scanner {
    let bytes: [UInt8]
    private var place = 0
    /// Of the outermost object; nil when it is none.
    private(set) var members: [ObjectText.Member]?

    init(_ text: String) { bytes = Array(text.utf8) }

    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { place += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        place += 1
        return true
    }

    mutating func value(depth: Int) throws(ObjectText.Malformed) {
        switch next {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    mutating func object(depth: Int) throws(ObjectText.Malformed) {
        guard depth <= WireJSON.maximumDepth else { throw .notJSON }
        place += 1
        var found: [ObjectText.Member] = []
        skipSpace()
        if !take(UInt8(ascii: "}")) {
            repeat {
                skipSpace()
                let start = place
                let hasEscapes = try string()
                let key = start..<place
                skipSpace()
                guard take(UInt8(ascii: ":")) else { throw .notJSON }
                skipSpace()
                let from = place
                try value(depth: depth)
                if depth == 1 {
                    found.append(.init(key: name(key, hasEscapes), whole: start..<place, value: from..<place))
                }
                skipSpace()
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { throw .notJSON }
        }
        if depth == 1 { members = found }
    }

    /// The key between its quotes.
    private func name(_ key: Range<Int>, _ hasEscapes: Bool) -> String {
        guard hasEscapes else { return String(decoding: bytes[key.lowerBound + 1..<key.upperBound - 1], as: UTF8.self) }
        let text = Data("[".utf8) + Data(bytes[key]) + Data("]".utf8)
        // It has been checked already.
        return (try? WireJSON.decode([String].self, from: text))?.first ?? ""
    }

    private mutating func array(depth: Int) throws(ObjectText.Malformed) {
        guard depth <= WireJSON.maximumDepth else { throw .notJSON }
        place += 1
        skipSpace()
        if take(UInt8(ascii: "]")) { return }
        repeat {
            skipSpace()
            try value(depth: depth)
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw .notJSON }
    }

    private mutating func word(_ word: StaticString) throws(ObjectText.Malformed) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[offset]) else { throw .notJSON }
        }
    }

    // MARK: Texts

    /// - Returns: Whether there were escapes in it.
    private mutating func string() throws(ObjectText.Malformed) -> Bool {
        guard take(UInt8(ascii: "\"")) else { throw .notJSON }
        var hasEscapes = false
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return hasEscapes
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape()
            // Control characters have to be escaped (section 7).
            case 0..<0x20: throw .notJSON
            default: break
            }
        }
        throw .notJSON
    }

    private mutating func escape() throws(ObjectText.Malformed) {
        guard let byte = next else { throw .notJSON }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            switch try unit() {
            case 0xd800...0xdbff:
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), try (0xdc00...0xdfff).contains(unit()) else {
                    throw .notJSON
                }
            case 0xdc00...0xdfff: throw .notJSON
            default: return
            }
        default: throw .notJSON
        }
    }

    /// Four hexadecimal digits.
    private mutating func unit() throws(ObjectText.Malformed) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(UnicodeScalar(byte)).hexDigitValue else { throw .notJSON }
            place += 1
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    // MARK: Numbers

    private mutating func number() throws(ObjectText.Malformed) {
        let start = place
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        var hasExponent = false
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            hasExponent = true
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        guard hasExponent || place - start > 300 else { return }
        guard let value = Double(String(decoding: bytes[start..<place], as: UTF8.self)), value.isFinite else { throw .notJSON }
    }

    private mutating func digits() throws(ObjectText.Malformed) {
        let start = place
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
        guard place > start else { throw .notJSON }
    }
}
