import CryptoPrimitives
import WireKit

/// The address of a host: 32 bytes, written in base58 without a checksum.
///
/// The bytes are the host's public key, and the topic under which it announces itself. A mistyped character gives another address.
public struct ServerID: Hashable, Sendable, CustomStringConvertible {
    /// Size of an ID, in bytes.
    public static let size = 32
    /// The scheme of ``link``.
    public static let scheme = "localllm"
    private static let prefix = "\(scheme)://"

    public let bytes: [UInt8]

    /// Creates an ID; nil unless `bytes` has exactly 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads a pasted or scanned text: an ID, or its ``link``. Outer white space, line breaks and invisible characters are ignored.
    ///
    /// - Returns: nil for anything that is not base58 of exactly 32 bytes: ``ErrorCode/invalidServerID``.
    public init?(text: String) {
        var rest = text.plainCode[...]
        // The scheme of an address has no case; base58 has.
        if rest.prefix(Self.prefix.count).lowercased() == Self.prefix { rest = rest.dropFirst(Self.prefix.count) }
        guard let bytes = Base58.decode(String(rest)) else { return nil }
        self.init(bytes)
    }

    /// The ID in base58: 43 or 44 characters, fewer when it begins with zero bytes. QR codes contain this text.
    public var text: String { Base58.encode(bytes) }
    /// The ID as a link, which QR codes may contain as well.
    public var link: String { Self.prefix + text }
    public var description: String { text }
}
