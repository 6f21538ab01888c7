/// A reproducible random number generator (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// - Parameter number: Selects one of the independent sequences of `seed`.
    package init(seed: UInt64, number: Int = 0) {
        state = seed ^ Self.mix(UInt64(truncatingIfNeeded: number))
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mix(state)
    }

    private static func mix(_ number: UInt64) -> UInt64 {
        var value = number
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    /// Returns true with the given probability, 0…1.
    mutating func occurs(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1, using: &self)
    }
}
