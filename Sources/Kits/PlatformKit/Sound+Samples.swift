import AudioKit
package import Foundation

extension Sound {
    /// The duration of a note's fade in and out, in seconds, so that the note does not click.
    private static let ramp = 0.003

    /// The tune as samples in ``SpeechFormat``.
    package var samples: Data {
        var samples: [Int16] = []
        for note in notes {
            let count = Int(note.duration / .seconds(1) * Double(SpeechFormat.sampleRate))
            for index in 0..<max(count, 0) {
                let time = Double(index) / Double(SpeechFormat.sampleRate)
                let remaining = Double(count - index) / Double(SpeechFormat.sampleRate)
                let loudness = min(max(note.gain, 0), 1) * min(1, time / Self.ramp, remaining / Self.ramp)
                samples.append(Int16((wave.value(at: time * note.frequency) * loudness * 32_767).rounded()))
            }
        }
        return PCM16.data(samples)
    }
}

extension Sound.Wave {
    /// - Parameter periods: The periods since the start; 0 throughout a pause.
    /// - Returns: -1 to 1; 0 at the start.
    fileprivate func value(at periods: Double) -> Double {
        let phase = periods - periods.rounded(.down)
        return switch self {
        case .sine: sin(2 * .pi * phase)
        case .square: phase == 0 || phase == 0.5 ? 0 : phase < 0.5 ? 1 : -1
        case .triangle: phase < 0.25 ? 4 * phase : phase < 0.75 ? 2 - 4 * phase : 4 * phase - 4
        }
    }
}
