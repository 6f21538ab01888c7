import WireKit

/// Access to JSON of which any part may be missing or have another type.
extension JSONValue {
    subscript(_ key: String) -> JSONValue? { members?[key] }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var list: [JSONValue]? { if case .array(let list) = self { list } else { nil } }
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// A text, or the text parts of a list such as `[{"type":"thinking",…},{"type":"text","text":"…"}]`, which Mistral's servers send.
    var words: String? {
        guard let list else { return text ?? self["text"]?.text }
        return list.filter { !$0.isThought }.compactMap { $0.text ?? $0["text"]?.text }.joined()
    }

    /// The text of the parts of a list that are thoughts; nil without such parts.
    var thoughts: String? {
        let parts = (list ?? []).filter(\.isThought)
        return parts.isEmpty ? nil : parts.compactMap { ($0["thinking"] ?? $0["reasoning"] ?? $0["text"])?.words }.joined()
    }

    private var isThought: Bool { ["thinking", "reasoning"].contains(self["type"]?.text) }
}
