/// The text of a JSON object (RFC 8259), and what it says: for who has to know a few of its members, and passes it on as it is.
///
/// All of it is checked, so that nothing that `WireJSON` could not read is passed on.
public struct JSONObjectText: Sendable {
    /// By position in the text's bytes.
    struct Member: Sendable {
        var key: String
        /// From the key to the end of the value.
        var whole: Range<Int>
        /// The value alone.
        var value: Range<Int>
    }

    private let bytes: [UInt8]
    /// In the order of the text; a key may be there twice.
    private let members: [Member]
    /// What it says. Of a key that is there twice the first counts, as everywhere.
    public let object: [String: JSONValue]

    /// - Parameter outer: The number of levels that the object is to have around it later. It may be nested that much less than
    ///   ``WireJSON/maximumDepth``.
    /// - Throws: ``WireJSONError/notJSON``, ``WireJSONError/tooDeep``; ``WireJSONError/notAnObject`` for JSON that is something else.
    public init(_ text: String, below outer: Int = 0) throws(WireJSONError) {
        bytes = Array(text.utf8)
        (members, object) = try JSONReader.members(of: bytes, below: outer)
    }

    /// The value of a key, as it was written.
    public func text(of key: String) -> String? {
        members.first { $0.key == key }.map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }

    /// The object with further members in front, and without those of its own that have these keys.
    ///
    /// - Parameter further: Each as JSON: `"key":value`.
    public func replacing(_ keys: Set<String>, with further: [String]) -> String {
        let own = members.filter { !keys.contains($0.key) }.map { String(decoding: bytes[$0.whole], as: UTF8.self) }
        return "{" + (further + own).joined(separator: ",") + "}"
    }
}
