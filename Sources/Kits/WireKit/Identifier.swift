/// The identifier of a `Subject`, an opaque string on the wire and in storage.
///
/// `Identifier<User>` and `Identifier<Message>` are different types, so one cannot be passed for the other. Encoded as a plain string.
public struct Identifier<Subject>: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public var rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    // Written by hand: the synthesized form would be {"rawValue": …}.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public var description: String { rawValue }
}

extension Identifier {
    /// Returns a new identifier of 128 random bits as 32 lower-case hexadecimal digits.
    public static func random(using generator: inout some RandomNumberGenerator) -> Identifier {
        Identifier(hexadecimal(generator.next() as UInt64) + hexadecimal(generator.next() as UInt64))
    }

    /// True when the identifier has the form of ``random(using:)``: 32 lower-case hexadecimal digits.
    public var isWellFormed: Bool {
        let bytes = rawValue.utf8
        return bytes.count == 32
            && bytes.allSatisfy {
                $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}

/// Returns `value` as lower-case hexadecimal digits, two for each byte.
private func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
