package import Foundation

/// A detector that tells speech from silence and room noise by loudness alone. In doubt it reports speech.
package enum SpeechGate {
    /// Minimum root mean square of a loud window, of 32,768.
    private static let loudness = 200.0
    /// Minimum loud windows in speech: 100 ms. A click has fewer.
    private static let minimumWindowCount = 5
    /// Windows per second, of 20 ms each.
    private static let windowsPerSecond = 50
    /// Minimum ratio of the loudness of speech to that of its own pauses. Measured with a recognizer: at least 3.0 while words are
    /// still recognized in noise as loud as they are, and at most 2.0 for the noises of rooms and machines.
    private static let minimumRise = 2.5
    /// Maximum root mean square of steady room noise of any kind.
    private static let roomLoudness = 1_500.0
    /// Maximum root mean square of hiss, which fluctuates from window to window, unlike a tone.
    private static let hissLoudness = 5_000.0
    private static let hissFluctuation = 1.03
    /// The corner frequency of the filter that removes hum and rumble, in hertz.
    private static let corner = 150.0

    /// Returns true if mono samples contain speech.
    package static func hasSpeech(_ samples: Data, sampleRate: Int) -> Bool {
        let loud = windows(samples, sampleRate: sampleRate).sorted()
        guard !loud.isEmpty else { return false }
        let needed = min(minimumWindowCount, loud.count)
        // Only the loudest windows count, so that a short word in a long pause is speech too.
        let (floor, top) = (loud[loud.count / 10], loud[loud.count - needed])
        guard top > loudness else { return false }
        if top >= floor * minimumRise { return true }
        return top > (top > floor * hissFluctuation ? hissLoudness : roomLoudness)
    }

    /// Returns the root mean square of each window, without hum and rumble. Omits an incomplete last window, unless it is alone.
    private static func windows(_ data: Data, sampleRate: Int) -> [Double] {
        // 8,000 samples per second suffice to measure loudness.
        let step = max(sampleRate / 8_000, 1)
        let rate = max(sampleRate / step, 1)
        let decay = exp(-2 * .pi * corner / Double(rate))
        let count = data.count / PCM16.sampleSize / step
        guard count > 0 else { return [] }
        let length = min(max(rate / windowsPerSecond, 1), count)
        return data.withUnsafeBytes { bytes in
            var (before, filtered) = (0.0, 0.0)
            return (0..<count / length).map { window in
                var sum = 0.0
                var index = window * length
                let end = index + length
                while index < end {
                    let offset = index &* step &* PCM16.sampleSize
                    let value = Double(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)))
                    filtered = decay * (filtered + value - before)
                    before = value
                    sum += filtered * filtered
                    index &+= 1
                }
                return (sum / Double(length)).squareRoot()
            }
        }
    }
}
