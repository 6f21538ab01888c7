public import WireKit

/// A time in the relay's format: ISO 8601 in UTC without an offset, `2026-11-20T23:25:51.861`.
///
/// Decoding accepts any number of fraction digits, none, and an offset or `Z`; digits after the third are ignored.
/// Source: `Docs/Protocols/SimBridge.md`, section 1.
public struct RelayTime: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    public var timestamp: Timestamp

    public init(_ timestamp: Timestamp) {
        self.timestamp = timestamp
    }

    /// - Returns: nil unless the text is an ISO 8601 date and time.
    public init?(_ text: String) {
        guard let timestamp = Timestamp(text) ?? Timestamp(text + "Z") else { return nil }
        self.timestamp = timestamp
    }

    public static func < (a: RelayTime, b: RelayTime) -> Bool { a.timestamp < b.timestamp }

    public var description: String { String(timestamp.description.dropLast()) }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = RelayTime(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 time: \(text.prefix(40))")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
