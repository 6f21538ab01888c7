package import Foundation

/// Tells speech from silence and from the noise of a room, by loudness alone. In doubt it is speech.
package enum SpeechGate {
    /// The root mean square from which a window is loud, of 32,768.
    private static let loudness = 200.0
    /// The loud windows that speech has at least: a tenth of a second. A click has fewer.
    private static let minimumWindowCount = 5
    /// The windows of 20 ms in a second.
    private static let windowsPerSecond = 50
    /// The factor by which speech rises above its own pauses. Measured with a recognizer: at least 3.0 where words are still recognized in
    /// noise as loud as they are, and at most 2.0 for the noises of rooms and machines.
    private static let minimumRise = 2.5
    /// The root mean square up to which a steady sound is the noise of a room, whatever its kind.
    private static let roomLoudness = 1_500.0
    /// The same for hiss, which fluctuates from window to window; a tone does not.
    private static let hissLoudness = 5_000.0
    private static let hissFluctuation = 1.03
    /// The corner of the filter that removes hum and rumble, in hertz.
    private static let corner = 150.0

    /// - Parameter samples: Mono samples.
    package static func hasSpeech(_ samples: Data, sampleRate: Int) -> Bool {
        let loud = windows(samples, sampleRate: sampleRate).sorted()
        guard !loud.isEmpty else { return false }
        let needed = min(minimumWindowCount, loud.count)
        // A short word in a long pause is speech too.
        let (floor, top) = (loud[loud.count / 10], loud[loud.count - needed])
        guard top > loudness else { return false }
        if top >= floor * minimumRise { return true }
        return top > (top > floor * hissFluctuation ? hissLoudness : roomLoudness)
    }

    /// The root mean square of each window, without hum and rumble. An incomplete last window is left out, unless it is the only one.
    private static func windows(_ data: Data, sampleRate: Int) -> [Double] {
        // Loudness needs no more than 8,000 samples in a second.
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
