import WireKit

/// The number of a pager: eight upper-case hexadecimal digits, unique per user, such as `BF010BA2`.
public struct HexCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public static let length = 8

    public let rawValue: String

    /// Converts to upper case.
    ///
    /// - Returns: nil for anything but eight hexadecimal digits.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == Self.length, rawValue.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        self.rawValue = rawValue.uppercased()
    }

    /// Returns the hexadecimal digits of a typed or pasted code, of every width and script, in upper case: at most ``length``.
    public static func digits(in text: String) -> String {
        String(text.plainForms.uppercased().filter { $0.isASCII && $0.isHexDigit }.prefix(length))
    }

    /// Creates the code with the given value.
    public init(_ value: UInt32) {
        let digits = String(value, radix: 16, uppercase: true)
        rawValue = String(repeating: "0", count: Self.length - digits.count) + digits
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let code = HexCode(rawValue: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not eight hexadecimal digits")
        }
        self = code
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public var description: String { rawValue }
}
