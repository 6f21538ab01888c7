/// A small deterministic generator, so that a failing test fails again.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(_ state: UInt64) { self.state = state }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    /// Returns true in `share` of the calls.
    mutating func chance(_ share: Double) -> Bool {
        Double(next() >> 11) / Double(1 << 53) < share
    }
}
