public import CompactEncoding
import CryptoPrimitives

/// A point of the 256-bit key space: the id of a node, or the target of a request.
///
/// Keys compare as big-endian numbers. Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, sections 3.2 and 3.11.
public struct DHTKey: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The length in bytes.
    public static let size = 32

    // Four words, highest first: distances are compared often and this form needs no allocation.
    private var words: SIMD4<UInt64>

    private init(words: SIMD4<UInt64>) {
        self.words = words
    }

    /// Creates a key; nil unless `bytes` has exactly 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        var words = SIMD4<UInt64>()
        for (index, byte) in bytes.enumerated() { words[index >> 3] = words[index >> 3] << 8 | UInt64(byte) }
        self.words = words
    }

    /// The id of the node at an address: BLAKE2b-256 of the six encoded bytes.
    ///
    /// No other id is valid for the address, so that a node cannot choose where in the key space it sits.
    public init(nodeAt address: PeerAddress) {
        self.init(hashing: address.encoded)
    }

    /// Creates the key that is the BLAKE2b-256 of `bytes`.
    public init(hashing bytes: [UInt8]) {
        guard let key = DHTKey(BLAKE2b.hash(bytes)) else { preconditionFailure("the digest has 32 bytes") }
        self = key
    }

    /// Returns a random key.
    public static func random(using generator: inout some RandomNumberGenerator) -> DHTKey {
        DHTKey(words: SIMD4(generator.next(), generator.next(), generator.next(), generator.next()))
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        for index in 0..<4 {
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: words[index] >> UInt64(shift)))
            }
        }
        return bytes
    }

    /// Returns the bitwise exclusive or of both keys. A smaller distance is closer.
    public func distance(to other: DHTKey) -> DHTKey {
        DHTKey(words: words ^ other.words)
    }

    /// Returns the index of the first bit that differs, counted from the highest; 255 for equal keys.
    public func bucketIndex(of other: DHTKey) -> Int {
        let difference = words ^ other.words
        for index in 0..<4 where difference[index] != 0 { return index * 64 + difference[index].leadingZeroBitCount }
        return 255
    }

    /// Hexadecimal text.
    public var description: String { Hexadecimal.encode(bytes) }

    public static func < (left: DHTKey, right: DHTKey) -> Bool {
        for index in 0..<4 where left.words[index] != right.words[index] { return left.words[index] < right.words[index] }
        return false
    }
}
