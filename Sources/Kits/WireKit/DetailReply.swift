/// The reply to a failed call: `{"detail":"…"}`, or with 422 `{"detail":[{"loc":["body","sim"],"msg":"…","type":"…"}]}`.
public struct DetailReply: Codable, Hashable, Sendable {
    /// A validation error in one field.
    public struct Issue: Codable, Hashable, Sendable {
        /// The path to the field: `"body"` or `"query"` first, the field last.
        public var loc: [Place]
        /// A message for developers.
        public var msg: String
        /// A stable error type, such as `missing`.
        public var type: String

        public init(loc: [Place], msg: String, type: String) {
            self.loc = loc
            self.msg = msg
            self.type = type
        }

        /// The name of the invalid field.
        public var field: String? { if case .name(let name) = loc.last { name } else { nil } }
    }

    /// A component of a path: a key or an index.
    public enum Place: Codable, Hashable, Sendable {
        case name(String)
        case index(Int)

        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let index = try? container.decode(Int.self) {
                self = .index(index)
            } else {
                self = .name(try container.decode(String.self))
            }
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .name(let name): try container.encode(name)
            case .index(let index): try container.encode(index)
            }
        }
    }

    public enum Detail: Codable, Hashable, Sendable {
        case text(String)
        case issues([Issue])

        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .issues(try container.decode([Issue].self))
            }
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .issues(let issues): try container.encode(issues)
            }
        }
    }

    public var detail: Detail

    public init(_ text: String) {
        detail = .text(text)
    }

    public init(_ issues: [Issue]) {
        detail = .issues(issues)
    }

    /// The text, or the joined messages of all issues.
    public var sentence: String {
        switch detail {
        case .text(let text): text
        case .issues(let issues): issues.map(\.msg).joined(separator: "; ")
        }
    }
}
