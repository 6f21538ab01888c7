import Foundation
package import WireKit

extension JSONValue {
    /// A member of an object; nil for other values and for `null`.
    package subscript(_ key: String) -> JSONValue? {
        guard case .object(let members) = self, let value = members[key], value != .null else { return nil }
        return value
    }

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

    package var integer: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value.rounded())
        default: nil
        }
    }

    package var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The value as JSON text without line breaks.
    package var text: String {
        // Encoding fails for infinite numbers only, which no JSON text has.
        (try? WireJSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}

extension String {
    /// The text as a JSON string, with quotes.
    package var quotedJSON: String { JSONValue.string(self).text }
}
