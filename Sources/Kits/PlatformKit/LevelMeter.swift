package import Foundation

/// The loudness of speech, in steps of 50 ms.
package struct LevelMeter: Sendable {
    private static let stepLength = SpeechFormat.sampleRate / 20
    private var sum = 0.0
    private var count = 0

    package init() {}

    /// - Parameter samples: The next samples, in ``SpeechFormat``.
    /// - Returns: The root mean square of the newest step that these samples complete, 0 to 1; nil if they complete none.
    package mutating func append(_ samples: Data) -> Double? {
        var level: Double?
        samples.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count - 1, by: SpeechFormat.sampleSize) {
                let sample = Double(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))) / 32_768
                sum += sample * sample
                count += 1
                guard count == Self.stepLength else { continue }
                level = (sum / Double(count)).squareRoot()
                (sum, count) = (0, 0)
            }
        }
        return level
    }
}
