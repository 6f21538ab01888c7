import Foundation

/// Inputs for tests of decoders.
///
/// All fuzz tests of Hyperswarm together use 100,000 inputs, and a million with `SWITCHBOARD_SOAK=1` in the environment.
package enum Fuzz {
    package static let isSoak = ProcessInfo.processInfo.environment["SWITCHBOARD_SOAK"] == "1"

    /// The number of inputs of one test.
    ///
    /// - Parameter normal: Its number in a normal run.
    package static func inputCount(_ normal: Int) -> Int { isSoak ? normal * 10 : normal }

    /// Random bytes, or a sample with some bytes replaced, cut off or added.
    package static func input(_ samples: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        guard var bytes = samples.randomElement(using: &random), !random.isTrue(probability: 0.25) else {
            return self.bytes(Int.random(in: 0...120, using: &random), &random)
        }
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            // Lengths and flags are where decoders fail: extreme values come more often.
            let extremes: [UInt8] = [0, 1, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff]
            bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                random.isTrue(probability: 0.3)
                ? extremes.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
        case 1: bytes += self.bytes(Int.random(in: 0...40, using: &random), &random)
        default: break
        }
        return bytes
    }

    package static func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}
