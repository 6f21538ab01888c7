import CSodium

/// Comparison of secrets in a time that does not depend on their contents.
public enum ConstantTime {
    /// Returns true if the arrays are equal. Lengths are not secret: arrays of different lengths are not compared byte by byte.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return sodium_memcmp(left, right, left.count) == 0
    }
}
