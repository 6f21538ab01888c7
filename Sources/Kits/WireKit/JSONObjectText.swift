/// The text of a JSON object (RFC 8259), and what stands where in it: for who has to know a few of its members, and passes it on as it is.
///
/// All of it is checked, so that nothing that `WireJSON` could not read is passed on.
public struct JSONObjectText: Sendable {
    public struct Member: Sendable {
        public var key: String
        public var value: JSONValue
        /// From the key to the end of the value, by position in the text's bytes.
        var whole: Range<Int>
        /// The value alone.
        var written: Range<Int>
    }

    private let bytes: [UInt8]
    /// In the order of the text. A key may be there twice; the first then counts, as everywhere.
    public let members: [Member]

    /// - Throws: ``WireJSONError/notJSON``, ``WireJSONError/tooDeep``; ``WireJSONError/notAnObject`` for JSON that is something else.
    public init(_ text: String) throws(WireJSONError) {
        bytes = Array(text.utf8)
        members = try JSONReader.members(of: bytes)
    }

    /// The first member with each key.
    public var counting: [Member] {
        var known: Set<String> = []
        return members.filter { known.insert($0.key).inserted }
    }

    /// A member's value as it was written.
    public func text(of member: Member) -> String { String(decoding: bytes[member.written], as: UTF8.self) }

    /// The object with further members in front, and without those of its own that have these keys.
    ///
    /// - Parameter further: Each as JSON: `"key":value`.
    public func replacing(_ keys: Set<String>, with further: [String]) -> String {
        let own = members.filter { !keys.contains($0.key) }.map { String(decoding: bytes[$0.whole], as: UTF8.self) }
        return "{" + (further + own).joined(separator: ",") + "}"
    }
}
