import CSodium

/// Comparison of secrets in a time that does not depend on their contents.
public enum ConstantTime {
    /// Compares byte by byte. Lengths are not secret: different lengths are unequal at once.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return sodium_memcmp(left, right, left.count) == 0
    }
}
