public import Foundation

/// JSON encoding and decoding with the settings of all systems: sorted keys, unescaped slashes and bounded input.
public enum WireJSON {
    /// Maximum nesting of arrays and objects. Deeper input is refused before it is parsed.
    public static let maximumDepth = 64

    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    /// Decodes untrusted bytes.
    ///
    /// - Throws: ``WireJSONError`` when the bytes are not UTF-8 or nested deeper than ``maximumDepth``; that or `DecodingError` when they
    ///   are not JSON or not a `Value`.
    public static func decode<Value: Decodable>(_: Value.Type = Value.self, from data: Data) throws -> Value {
        if let error = data.withUnsafeBytes(error(in:)) { throw error }
        if String(data: data, encoding: .utf8) == nil { throw WireJSONError.notUTF8 }
        if Value.self == JSONValue.self, let value = try JSONReader.value(of: data) as? Value { return value }
        let decoder = JSONDecoder()
        decoder.userInfo[JSONSource.key] = JSONSource(data)
        return try decoder.decode(Value.self, from: data)
    }

    /// Checks encoding, depth and trailing commas in one pass. Foundation accepts UTF-16, UTF-32 and a trailing comma, and recurses some
    /// hundred levels deep.
    private static func error(in bytes: UnsafeRawBufferPointer) -> WireJSONError? {
        var depth = 0
        var isInString = false
        var isEscaped = false
        var followsComma = false
        for byte in bytes {
            if byte == 0 { return .notUTF8 }
            if followsComma, !isInString, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return .trailingComma }
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
                if depth > maximumDepth { return .tooDeep }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return nil
    }
}

/// The reason why bytes were refused as JSON.
public enum WireJSONError: Error, Equatable {
    case notUTF8
    case notJSON
    /// A comma before a closing bracket, as in `{"a":1,}`.
    case trailingComma
    /// JSON of another type than the required object.
    case notAnObject
    /// Nested deeper than ``WireJSON/maximumDepth``.
    case tooDeep
}
