import Foundation

/// A parser of JSON texts (RFC 8259) that makes one pass over the bytes.
///
/// A `Decoder` has to try one type after another, and every failed attempt costs more the deeper the value is: a hostile body of
/// 64 KiB could take seconds.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    /// - Parameter data: UTF-8; not validated here.
    /// - Throws: ``WireJSONError/notJSON`` or ``WireJSONError/tooDeep``.
    static func value(of data: Data) throws(WireJSONError) -> JSONValue {
        var reader = JSONReader(bytes: Array(data))
        // A byte order mark may be ignored (section 8.1).
        if reader.bytes.starts(with: [0xef, 0xbb, 0xbf]) { reader.position = 3 }
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.next == nil else { throw .notJSON }
        return value
    }

    /// Returns the members of an object in the order of the text, and the object itself.
    ///
    /// - Parameter outer: Levels that already count against ``WireJSON/maximumDepth``.
    static func members(
        of bytes: [UInt8], below outer: Int
    ) throws(WireJSONError) -> ([JSONObjectText.Member], [String: JSONValue]) {
        var reader = JSONReader(bytes: bytes)
        var members: [JSONObjectText.Member] = []
        reader.skipSpace()
        let value =
            if reader.next == UInt8(ascii: "{") {
                try reader.object(depth: outer + 1) { members.append($0) }
            } else {
                try reader.value(depth: outer)
            }
        reader.skipSpace()
        guard reader.next == nil else { throw .notJSON }
        guard case .object(let object) = value else { throw .notAnObject }
        return (members, object)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(WireJSONError) {
        guard take(byte) else { throw .notJSON }
    }

    private mutating func value(depth: Int) throws(WireJSONError) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "\""): .string(try string())
        case UInt8(ascii: "t"): try word("true", .bool(true))
        case UInt8(ascii: "f"): try word("false", .bool(false))
        case UInt8(ascii: "n"): try word("null", .null)
        default: try number()
        }
    }

    /// - Parameter found: Called for each member.
    private mutating func object(
        depth: Int, _ found: ((JSONObjectText.Member) -> Void)? = nil
    ) throws(WireJSONError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        try items(in: UInt8(ascii: "{"), UInt8(ascii: "}"), depth: depth) { reader throws(WireJSONError) in
            let start = reader.position
            let key = try reader.key()
            let from = reader.position
            let value = try reader.value(depth: depth)
            found?(.init(key: key, whole: start..<reader.position, value: from..<reader.position))
            // Of a repeated key the first member counts, as in Foundation.
            if members[key] == nil { members[key] = value }
        }
        return .object(members)
    }

    /// Reads a key and the colon after it.
    private mutating func key() throws(WireJSONError) -> String {
        let key = try string()
        skipSpace()
        try expect(UInt8(ascii: ":"))
        skipSpace()
        return key
    }

    private mutating func array(depth: Int) throws(WireJSONError) -> JSONValue {
        var values: [JSONValue] = []
        try items(in: UInt8(ascii: "["), UInt8(ascii: "]"), depth: depth) { reader throws(WireJSONError) in
            values.append(try reader.value(depth: depth))
        }
        return .array(values)
    }

    private mutating func items(
        in open: UInt8, _ close: UInt8, depth: Int, _ item: (inout JSONReader) throws(WireJSONError) -> Void
    ) throws(WireJSONError) {
        guard depth <= WireJSON.maximumDepth else { throw .tooDeep }
        try expect(open)
        skipSpace()
        if take(close) { return }
        repeat {
            skipSpace()
            try item(&self)
            skipSpace()
        } while take(UInt8(ascii: ","))
        try expect(close)
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(WireJSONError) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[offset]) }
        return value
    }

    // MARK: Strings

    private mutating func string() throws(WireJSONError) -> String {
        try expect(UInt8(ascii: "\""))
        let start = position
        // Nil while the string contains no escape sequence.
        var read: [UInt8]?
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: read ?? Array(bytes[start..<position - 1]), as: UTF8.self)
            case UInt8(ascii: "\\"):
                if read == nil { read = Array(bytes[start..<position - 1]) }
                read?.append(contentsOf: try escape())
            // Control characters have to be escaped (section 7).
            case 0..<0x20: throw .notJSON
            default: read?.append(byte)
            }
        }
        throw .notJSON
    }

    private mutating func escape() throws(WireJSONError) -> [UInt8] {
        guard let byte = next else { throw .notJSON }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var scalar = try unit()
            if (0xd800...0xdbff).contains(scalar), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
                let low = try unit()
                guard (0xdc00...0xdfff).contains(low) else { throw .notJSON }
                scalar = 0x10000 + (scalar - 0xd800) << 10 + (low - 0xdc00)
            }
            // A lone surrogate is not a character.
            guard let character = Unicode.Scalar(scalar) else { throw .notJSON }
            return Array(String(character).utf8)
        default: throw .notJSON
        }
    }

    /// Reads four hexadecimal digits, a UTF-16 code unit.
    private mutating func unit() throws(WireJSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw .notJSON }
            position += 1
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    // MARK: Numbers

    private mutating func number() throws(WireJSONError) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw .notJSON }
        // An integral value would be written, and read again, as an integer.
        return Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
    }

    private mutating func digits() throws(WireJSONError) {
        let start = position
        while let byte = next, byte.isASCIIDigit { position += 1 }
        guard position > start else { throw .notJSON }
    }
}

/// The JSON text of a running decode, for its members of type ``JSONValue``.
final class JSONSource: Sendable {
    static let key = CodingUserInfoKey(rawValue: "switchboard.source")!

    private let data: Data
    /// The parsed text, cached by the first request.
    private let root = Locked<JSONValue?>(nil)

    init(_ data: Data) { self.data = data }

    /// Returns the value at a decoder's coding path; null if the text has none there.
    func value(at path: [any CodingKey]) throws -> JSONValue {
        var value = try root.withLock { root throws -> JSONValue in
            if let root { return root }
            let read = try JSONReader.value(of: data)
            root = read
            return read
        }
        for key in path {
            switch value {
            case .object(let members): value = members[key.stringValue] ?? .null
            case .array(let values): value = key.intValue.flatMap { values.indices.contains($0) ? values[$0] : nil } ?? .null
            default: value = .null
            }
        }
        return value
    }
}
