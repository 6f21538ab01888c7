/// The identifier of a `Subject`, a positive integer assigned by the relay.
///
/// `NumericID<Device>` and `NumericID<Account>` are different types, so one cannot be passed for the other. Encoded as a plain number.
public struct NumericID<Subject>: RawRepresentable, Hashable, Sendable, Comparable, Codable, CustomStringConvertible,
    ExpressibleByIntegerLiteral
{
    public var rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    public init(integerLiteral value: Int64) {
        rawValue = value
    }

    // Written by hand: the synthesized form would be {"rawValue": …}.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public static func < (a: NumericID, b: NumericID) -> Bool { a.rawValue < b.rawValue }

    public var description: String { String(rawValue) }
}
