import Foundation
import PlatformKit

/// The properties of a recording that tell one tone from another.
nonisolated struct SpeechFacts: Equatable {
    /// In seconds.
    var length = 0.0
    /// The root mean square of the loudest tenth of a second, 0 to 1.
    var level = 0.0
    /// The frequency in Hz: the median of the parts that are at least half as loud.
    var pitch = 0

    private static let partLength = SpeechFormat.sampleRate / 10

    /// - Parameter bytes: In ``SpeechFormat``.
    init(_ bytes: Data) {
        let samples = Self.samples(bytes)
        length = Double(samples.count) / Double(SpeechFormat.sampleRate)
        let starts = stride(from: 0, through: samples.count - Self.partLength, by: Self.partLength / 2)
        let parts = starts.map { start in
            let part = samples[start..<start + Self.partLength]
            let level = (part.reduce(0) { $0 + $1 * $1 } / Double(part.count)).squareRoot()
            let crossings = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
            return (level: level, pitch: crossings * SpeechFormat.sampleRate / part.count / 2)
        }
        level = parts.map(\.level).max() ?? 0
        let pitches = parts.filter { $0.level >= level / 2 }.map(\.pitch).sorted()
        pitch = pitches.isEmpty ? 0 : pitches[pitches.count / 2]
    }

    private static func samples(_ bytes: Data) -> [Double] {
        bytes.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 1, by: SpeechFormat.sampleSize).map {
                Double(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self))) / 32_768
            }
        }
    }

    /// Returns a tone in ``SpeechFormat``.
    static func tone(frequency: Double, seconds: Double) -> Data {
        let step = 2 * Double.pi * frequency / Double(SpeechFormat.sampleRate)
        let samples = (0..<Int(seconds * Double(SpeechFormat.sampleRate))).map { Int16(8_000 * sin(step * Double($0))) }
        return samples.reduce(into: Data(capacity: samples.count * SpeechFormat.sampleSize)) { bytes, sample in
            withUnsafeBytes(of: sample.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }
}
