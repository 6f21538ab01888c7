import CryptoPrimitives

/// HMAC (RFC 2104) and HKDF with unkeyed BLAKE2b-512, whose block has 128 bytes.
///
/// The network's handshakes do not use the keyed form of BLAKE2b here. Source: Noise revision 34, sections 4.3 and 12.8.
enum HMAC {
    private static let blockSize = 128

    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > blockSize ? BLAKE2b.hash(key, size: 64) : key
        block.append(contentsOf: repeatElement(0, count: blockSize - block.count))
        let inner = BLAKE2b.hash(block.map { $0 ^ 0x36 }, message, size: 64)
        return BLAKE2b.hash(block.map { $0 ^ 0x5c }, inner, size: 64)
    }

    /// Derives two keys of 64 bytes.
    static func derive(chainingKey: [UInt8], input: [UInt8]) -> (first: [UInt8], second: [UInt8]) {
        let temporary = authenticate(input, key: chainingKey)
        let first = authenticate([1], key: temporary)
        let second = authenticate(first + [2], key: temporary)
        return (first, second)
    }
}
