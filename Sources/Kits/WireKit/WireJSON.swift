public import Foundation

/// The JSON settings that every system shares: keys in a stable order, slashes unescaped, and input with bounds.
public enum WireJSON {
    /// Deepest nesting of arrays and objects that is read. Deeper input is refused before it is parsed.
    public static let maximumDepth = 64

    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Decodes bytes that come from outside.
    ///
    /// - Throws: ``WireJSONError`` for bytes that are not UTF-8 or are nested deeper than ``maximumDepth``; that or `DecodingError`
    ///   for bytes that are not JSON or not a `Value`.
    public static func decode<Value: Decodable>(_: Value.Type = Value.self, from data: Data) throws -> Value {
        try check(data)
        if Value.self == JSONValue.self, let value = try JSONReader.value(of: data) as? Value { return value }
        let decoder = JSONDecoder()
        decoder.userInfo[JSONSource.key] = JSONSource(data)
        return try decoder.decode(Value.self, from: data)
    }

    /// One pass over the bytes. Foundation would take UTF-16 and UTF-32 for JSON too, forgives a comma at the end, and recurses
    /// some hundred levels deep.
    private static func check(_ data: Data) throws(WireJSONError) {
        var depth = 0
        var isInString = false
        var isEscaped = false
        var followsComma = false
        for byte in data {
            if byte == 0 { throw .notUTF8 }
            if followsComma, !isInString, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { throw .trailingComma }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): continue
            default: followsComma = byte == UInt8(ascii: ",")
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > maximumDepth { throw .tooDeep }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        if String(data: data, encoding: .utf8) == nil { throw .notUTF8 }
    }
}

/// Why bytes were refused as JSON.
public enum WireJSONError: Error, Equatable {
    case notUTF8
    case notJSON
    /// `{"a":1,}`.
    case trailingComma
    /// JSON, but not the object that it has to be.
    case notAnObject
    /// Nested deeper than ``WireJSON/maximumDepth``.
    case tooDeep
}
