public import WireKit

/// A time in the format of this contract: ISO 8601 in UTC with an offset, `2026-11-20T23:39:20.134+00:00`.
///
/// Decoding accepts any number of fraction digits, none, and `Z`; digits after the third are ignored.
/// Source: `Docs/Protocols/TalkCo.md`, section 1.
public struct TalkTime: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    public var timestamp: Timestamp

    public init(_ timestamp: Timestamp) {
        self.timestamp = timestamp
    }

    public static func < (a: TalkTime, b: TalkTime) -> Bool { a.timestamp < b.timestamp }

    public var description: String { "\(timestamp.description.dropLast())+00:00" }

    public init(from decoder: any Decoder) throws {
        timestamp = try Timestamp(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
