package import Foundation

/// Calculations on PCM samples of 16 bits, little-endian. An odd byte at the end of the samples is ignored.
package enum PCM16 {
    /// Size of a sample, in bytes.
    package static let sampleSize = 2
    /// The amplitude of full scale.
    package static let fullScale = 32_768.0
    /// Maximum root mean square of silence. `Docs/Protocols/TalkCo.md`, section 3.
    package static let silenceThreshold = 300.0
    /// The bottom of a level meter, in decibels relative to full scale.
    private static let meterFloor = -50.0

    /// Returns the root mean square, 0 to 32,768; 0 without samples.
    package static func rootMeanSquare(_ samples: Data) -> Double {
        withSamples(samples) { rootMeanSquare($0[...]) }
    }

    /// True if the root mean square is ``silenceThreshold`` or less.
    package static func isSilent(_ samples: Data) -> Bool { rootMeanSquare(samples) <= silenceThreshold }

    /// Returns the position of a level meter, 0 to 1, on a logarithmic scale like that of hearing.
    ///
    /// - Parameter rootMeanSquare: The root mean square as a fraction of full scale, 0 to 1.
    package static func meterLevel(rootMeanSquare: Double) -> Double {
        guard rootMeanSquare > 0 else { return 0 }
        let decibels = 20 * log10(rootMeanSquare)
        return min(max(1 - decibels / meterFloor, 0), 1)
    }

    /// Returns the position of a level meter for samples, 0 to 1.
    package static func level(_ samples: Data) -> Double {
        meterLevel(rootMeanSquare: rootMeanSquare(samples) / fullScale)
    }

    /// True if the bytes cannot be the samples of a sound: they are white noise at full scale, as compressed data, or samples of
    /// another size or byte order, would be.
    package static func isNoise(_ samples: Data) -> Bool {
        withSamples(samples) { samples in
            guard samples.count >= 256 else { return false }
            var changes = 0.0
            for (sample, next) in zip(samples, samples.dropFirst()) { changes += pow(Double(next) - Double(sample), 2) }
            let change = (changes / Double(samples.count - 1)).squareRoot()
            let loudness = rootMeanSquare(samples[...])
            // Independent samples change by √2 times their root mean square, which is 18,919 for uniform samples.
            return loudness > 12_000 && change > 1.2 * loudness
        }
    }

    /// Returns the duration of mono samples.
    package static func duration(_ samples: Data, sampleRate: Int) -> Duration {
        .seconds(Double(samples.count / sampleSize) / Double(max(sampleRate, 1)))
    }

    /// Returns mono samples without the silence at both ends.
    ///
    /// - Parameters:
    ///   - threshold: Maximum root mean square of a silent window of 20 ms.
    ///   - margin: The silence to keep at either end.
    /// - Returns: Empty if all is silence.
    package static func trimmingSilence(
        _ samples: Data, sampleRate: Int, threshold: Double = silenceThreshold, margin: Duration = .milliseconds(100)
    ) -> Data {
        let window = max(sampleRate / 50, 1)
        let kept = withSamples(samples) { samples -> Range<Int> in
            let starts = stride(from: 0, to: samples.count, by: window)
            let isLoud = { (start: Int) in rootMeanSquare(samples[start..<min(start + window, samples.count)]) > threshold }
            guard let first = starts.first(where: isLoud), let last = starts.reversed().first(where: isLoud) else { return 0..<0 }
            let extra = Int(min(max(margin / .seconds(1), 0), 60) * Double(sampleRate))
            return max(first - extra, 0)..<min(last + window + extra, samples.count)
        }
        let start = samples.startIndex
        return Data(samples[start + kept.lowerBound * sampleSize..<start + kept.upperBound * sampleSize])
    }

    /// Returns the average of the channels of interleaved samples. An incomplete last frame is dropped.
    package static func mono(_ samples: Data, channelCount: Int) -> Data {
        guard channelCount > 1 else { return samples.count % sampleSize == 0 ? samples : samples.dropLast() }
        return withSamples(samples) { samples in
            data(
                (0..<samples.count / channelCount).map { frame in
                    let start = frame * channelCount
                    let sum = samples[start..<start + channelCount].reduce(0) { $0 + Int($1) }
                    return Int16(sum / channelCount)
                })
        }
    }

    /// Returns the samples as integers.
    package static func samples(_ data: Data) -> [Int16] { withSamples(data) { $0 } }

    /// Returns integers as samples.
    package static func data(_ samples: some Sequence<Int16>) -> Data {
        var numbers = Array(samples)
        exchangeBytesIfNeeded(&numbers)
        return numbers.withUnsafeBytes { Data($0) }
    }

    /// Returns floating-point samples from -1 to 1 as samples of 16 bits. Louder samples are clipped.
    package static func data(fromFloats samples: some Sequence<Float>) -> Data {
        data(samples.lazy.map { Int16(min(max(($0.isNaN ? 0 : $0) * 32_768, -32_768), 32_767).rounded()) })
    }

    /// Returns the samples as floating-point numbers from -1 to 1.
    package static func floats(_ data: Data) -> [Float] { withSamples(data) { $0.map { Float($0) / 32_768 } } }

    private static func withSamples<Result>(_ data: Data, _ body: ([Int16]) -> Result) -> Result {
        let count = data.count / sampleSize
        var samples = [Int16](unsafeUninitializedCapacity: count) { buffer, initialized in
            data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer), count: count * sampleSize)
            initialized = count
        }
        exchangeBytesIfNeeded(&samples)
        return body(samples)
    }

    /// Converts between the byte order of samples and that of this machine.
    private static func exchangeBytesIfNeeded(_ samples: inout [Int16]) {
        #if _endian(big)
            for index in samples.indices { samples[index] = samples[index].byteSwapped }
        #endif
    }

    private static func rootMeanSquare(_ samples: ArraySlice<Int16>) -> Double {
        guard !samples.isEmpty else { return 0 }
        var sum = 0.0
        for sample in samples { sum += Double(sample) * Double(sample) }
        return (sum / Double(samples.count)).squareRoot()
    }
}
