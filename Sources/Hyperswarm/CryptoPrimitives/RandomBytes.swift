import CSodium

/// Cryptographically secure random bytes of the system.
public enum RandomBytes {
    /// Returns `count` random bytes.
    public static func make(_ count: Int) -> [UInt8] {
        Sodium.start()
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let start = buffer.baseAddress { randombytes_buf(start, count) }
            initialized = count
        }
    }

    /// Returns `count` bytes of a generator that the caller supplies, for logic whose randomness is injected.
    public static func make(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count {
            withUnsafeBytes(of: (generator.next() as UInt64).littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
