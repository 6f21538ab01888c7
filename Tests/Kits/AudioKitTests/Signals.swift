import AudioKit
import Foundation

/// A sine of full length at a rate.
func sine(_ frequency: Double, amplitude: Double = 10_000, sampleRate: Int, seconds: Double = 1) -> Data {
    PCM16.data(
        (0..<Int(Double(sampleRate) * seconds)).map { index in
            Int16((amplitude * sin(2 * .pi * frequency * Double(index) / Double(sampleRate))).rounded())
        })
}

/// The amplitude of a frequency in samples, by correlation with a sine and a cosine.
func amplitude(of frequency: Double, in samples: Data, sampleRate: Int) -> Double {
    let samples = PCM16.samples(samples)
    // The edges belong to the filter.
    let inner = samples.indices.dropFirst(samples.count / 8).dropLast(samples.count / 8)
    var (real, imaginary) = (0.0, 0.0)
    for index in inner {
        let angle = 2 * .pi * frequency * Double(index) / Double(sampleRate)
        real += Double(samples[index]) * cos(angle)
        imaginary += Double(samples[index]) * sin(angle)
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(inner.count)
}
