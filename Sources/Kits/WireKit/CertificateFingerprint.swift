/// The SHA-256 of a certificate's DER encoding, by which a client recognises a server with a self-signed certificate.
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// Size in bytes.
    public static let size = 32

    public let bytes: [UInt8]

    /// - Returns: Nil unless there are exactly 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = Array(bytes)
    }

    /// Parses 64 hexadecimal digits of either case; colons between bytes are ignored.
    ///
    /// - Returns: Nil for any other text.
    public init?(_ text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 2 * Self.size, !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        bytes = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    /// 64 hexadecimal digits in lower case.
    public var description: String { bytes.hexadecimal }
}
