public import Foundation

/// A point in time in UTC with millisecond precision.
///
/// On the wire an ISO 8601 string with exactly three fraction digits and `Z`, in the form of JavaScript's `Date.toISOString()`:
/// `2026-11-20T23:25:51.861Z`. Decoding accepts any number of fraction digits, none, and an offset instead of `Z`.
public struct Timestamp: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z, between ``earliest`` and ``latest``.
    public let milliseconds: Int64

    /// The start of year 1.
    public static let earliest = Timestamp(clamping: -62_135_596_800_000)
    /// The last millisecond of year 9999, the largest year of four digits.
    public static let latest = Timestamp(clamping: 253_402_300_799_999)

    /// Clamps values outside ``earliest`` … ``latest``.
    public init(milliseconds: Int64) {
        self.init(clamping: min(max(milliseconds, Self.earliest.milliseconds), Self.latest.milliseconds))
    }

    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded(.down)
        self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min))
    }

    private init(clamping milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static var now: Timestamp { Timestamp(Date()) }

    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

    public static func + (a: Timestamp, b: Duration) -> Timestamp {
        let (seconds, attoseconds) = b.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let added = a.milliseconds.addingReportingOverflow(scaled)
        if overflow || added.overflow { return seconds > 0 ? .latest : .earliest }
        return Timestamp(milliseconds: added.partialValue + attoseconds / 1_000_000_000_000_000)
    }

    public static func - (a: Timestamp, b: Duration) -> Timestamp { a + (.zero - b) }

    // MARK: Text

    public var description: String {
        let second = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
        let fraction = String(milliseconds - second * 1000)
        let whole = Date(timeIntervalSince1970: TimeInterval(second)).formatted(Self.style).dropLast()
        return "\(whole).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)Z"
    }

    /// - Returns: nil unless the text is an ISO 8601 date and time with a time zone. Fraction digits after the third are ignored.
    public init?(_ text: String) {
        var whole = text
        var fraction: Int64 = 0
        if let point = text.firstIndex(of: ".") {
            let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
            guard let value = Int64((digits.prefix(3) + "00").prefix(3)), !digits.isEmpty else { return nil }
            fraction = value
            whole = String(text[..<point] + text[digits.endIndex...])
        }
        guard let date = try? Self.style.parse(whole) else { return nil }
        self.init(milliseconds: Int64(date.timeIntervalSince1970) * 1000 + fraction)
    }

    private static let style = Date.ISO8601FormatStyle()

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an ISO 8601 time: \(text.prefix(40))")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
