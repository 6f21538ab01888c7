import Foundation

/// Identifies one command: chosen by whoever gives it, echoed by the host in what it reports about it.
///
/// The text of a UUID where it is ours; what others write is kept as it is.
public struct RequestID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The length, in Unicode scalar values, up to which the relay knows a command again by the id.
    public static let maximumLength = 200

    public var rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// A fresh one: a random UUID in lower case (RFC 9562, section 5.4).
    public static func random() -> RequestID { RequestID(UUID().uuidString.lowercased()) }

    /// Whether it is the text of a UUID, in either case: what `POST /sms` and `POST /call` take.
    public var isWellFormed: Bool { UUID(uuidString: rawValue) != nil }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public var description: String { rawValue }
}
