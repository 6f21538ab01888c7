import CSodium

/// The BLAKE2b hash function (RFC 7693), as `crypto_generichash` of libsodium.
public enum BLAKE2b {
    /// Returns the digest of the concatenation of `parts`.
    ///
    /// - Parameters:
    ///   - size: The length of the digest in bytes, 16 to 64.
    ///   - key: The key of the keyed hash, at most 64 bytes. Empty for the plain hash.
    public static func hash(_ parts: [UInt8]..., size: Int = 32, key: [UInt8] = []) -> [UInt8] {
        precondition((16...64).contains(size) && key.count <= 64, "BLAKE2b sizes are fixed by the caller")
        Sodium.start()
        let input = parts.count == 1 ? parts[0] : Array(parts.joined())
        return [UInt8](unsafeUninitializedCapacity: size) { digest, count in
            let result = crypto_generichash(
                digest.baseAddress!, size, input, UInt64(input.count), key.isEmpty ? nil : key, key.count)
            precondition(result == 0)
            count = size
        }
    }
}
