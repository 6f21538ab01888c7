/// The SplitMix64 generator, for tests that need the same random numbers in every run.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(_ state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// Returns true with a probability from 0 to 1.
    package mutating func isTrue(probability: Double) -> Bool {
        Double(next() >> 11) / Double(1 << 53) < probability
    }
}
