public import Foundation

/// Tells speech from silence and from the noise of a room, by loudness alone. In doubt it is speech.
public enum SpeechGate {
    /// The root mean square from which a window is loud, of 32,768.
    private static let loudness = 200.0
    /// The loud windows that speech has at least: a tenth of a second. A click has fewer.
    private static let minimumWindowCount = 5
    /// The windows of 20 ms in a second.
    private static let windowsPerSecond = 50
    /// The factor by which speech rises above its own pauses. Measured with a recognizer: at least 3.0 where words are still recognized in
    /// noise as loud as they are, and at most 1.7 for the noises of rooms and machines.
    private static let minimumRise = 2.2
    /// The root mean square up to which a steady sound is the noise of a room, whatever its kind.
    private static let roomLoudness = 1_500.0
    /// The same for hiss, which fluctuates from window to window; a tone does not.
    private static let hissLoudness = 5_000.0
    private static let hissFluctuation = 1.03
    /// The corner of the filter that removes hum and rumble, in hertz.
    private static let corner = 150.0

    /// - Parameter samples: Mono samples.
    public static func hasSpeech(_ samples: Data, sampleRate: Int) -> Bool {
        let loud = windows(samples, sampleRate: sampleRate).sorted()
        guard !loud.isEmpty else { return false }
        let needed = min(minimumWindowCount, loud.count)
        guard loud[loud.count - needed] > loudness else { return false }
        let (floor, top) = (loud[loud.count / 10], loud[loud.count - 1 - loud.count / 20])
        if top >= floor * minimumRise { return true }
        return top > (top > floor * hissFluctuation ? hissLoudness : roomLoudness)
    }

    /// The root mean square of each window, without hum and rumble.
    private static func windows(_ data: Data, sampleRate: Int) -> [Double] {
        let rate = Double(max(sampleRate, 1))
        let length = max(sampleRate / windowsPerSecond, 1)
        let decay = exp(-2 * .pi * corner / rate)
        var (before, filtered, sum) = (0.0, 0.0, 0.0)
        var windows: [Double] = []
        let samples = PCM16.samples(data)
        windows.reserveCapacity(samples.count / length + 1)
        // An incomplete last window is left out, unless it is the only one.
        for (index, sample) in samples.enumerated() {
            let value = Double(sample)
            filtered = decay * (filtered + value - before)
            before = value
            sum += filtered * filtered
            if (index + 1) % length == 0 || samples.count < length && index == samples.count - 1 {
                windows.append((sum / Double(min(length, samples.count))).squareRoot())
                sum = 0
            }
        }
        return windows
    }
}
