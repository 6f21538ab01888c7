/// The text of a JSON object (RFC 8259) with its members, for code that reads a few members and forwards the rest unchanged.
///
/// The initializer checks the whole text, so forwarded text is always readable by `WireJSON`.
public struct JSONObjectText: Sendable {
    /// The byte ranges of a member in the text.
    struct Member: Sendable {
        var key: String
        /// The range from the key to the end of the value.
        var whole: Range<Int>
        /// The range of the value.
        var value: Range<Int>
    }

    private let bytes: [UInt8]
    /// The members in the order of the text. A key may be repeated.
    private let members: [Member]
    /// The members by key. Of a repeated key the first member counts, as in all our parsers.
    public let object: [String: JSONValue]

    /// - Parameter outer: Levels that will enclose the object. They count against ``WireJSON/maximumDepth``.
    /// - Throws: ``WireJSONError/notJSON``; ``WireJSONError/tooDeep``; ``WireJSONError/notAnObject`` for other JSON.
    public init(_ text: String, below outer: Int = 0) throws(WireJSONError) {
        bytes = Array(text.utf8)
        (members, object) = try JSONReader.members(of: bytes, below: outer)
    }

    /// Returns the JSON text of a member's value, unchanged; nil without such a member.
    public func text(of key: String) -> String? {
        members.first { $0.key == key }.map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }

    /// Returns the object's text with `further` members in front and without its own members for `keys`.
    ///
    /// - Parameter further: Members as JSON: `"key":value`.
    public func replacing(_ keys: Set<String>, with further: [String]) -> String {
        let own = members.filter { !keys.contains($0.key) }.map { String(decoding: bytes[$0.whole], as: UTF8.self) }
        return "{" + (further + own).joined(separator: ",") + "}"
    }
}
