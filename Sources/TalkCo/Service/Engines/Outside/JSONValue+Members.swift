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

    /// The text of a message: a string, or the joined texts of its parts, without thoughts, pictures and sound; nil for none.
    var words: String? {
        if let list {
            let texts = list.compactMap { part -> String? in
                guard ["text", "output_text", nil].contains(part["type"]?.text) else { return nil }
                return part.text ?? part["text"]?.text ?? part["text"]?["value"]?.text
            }
            return texts.isEmpty ? nil : texts.joined()
        }
        return text ?? self["text"]?.text
    }

    var list: [JSONValue]? {
        guard case .array(let list) = self else { return nil }
        return list
    }

    var members: [String: JSONValue]? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    /// An integer, also one that is written as a string; nil for other values.
    var int: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .string(let text): Int(text)
        default: nil
        }
    }
}
