import WireKit

/// Access to JSON of which any part may be missing or have another type.
extension JSONValue {
    subscript(_ key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }

    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var list: [JSONValue]? {
        guard case .array(let list) = self else { return nil }
        return list
    }

    var members: [String: JSONValue]? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    /// An integer, also one that is written as a text.
    var int: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .string(let text): Int(text)
        default: nil
        }
    }
}
