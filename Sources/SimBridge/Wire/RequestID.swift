import Foundation

/// The identifier of a command: chosen by the sender, echoed by the host in its reports.
///
/// Our implementations use UUIDs; other values are kept unchanged.
public struct RequestID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// Maximum length, in Unicode scalar values, of an id by which the relay recognizes a repeated command.
    public static let maximumLength = 200

    public var rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Returns a new random UUID in lower case (RFC 9562, section 5.4).
    public static func random() -> RequestID { RequestID(UUID().uuidString.lowercased()) }

    /// True for a UUID in either case, as `POST /sms` and `POST /call` require.
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
