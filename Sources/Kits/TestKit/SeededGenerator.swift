/// The same numbers every time: a failure can be repeated (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// - Parameter number: Which of the many sequences of `seed`: one for each thing that draws on its own.
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

    /// True in `chance` of all cases, 0…1.
    mutating func happens(_ chance: Double) -> Bool { Double.random(in: 0..<1, using: &self) < chance }

    mutating func duration(in range: ClosedRange<Duration>) -> Duration {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double.random(in: 0...1, using: &self)
    }
}
