package import Foundation

/// PCM samples of 16 bits, little-endian, in a RIFF WAVE file.
package struct WAVFile: Hashable, Sendable {
    /// The length of the header that ``data`` writes, in bytes.
    package static let headerLength = 44
    /// The sample rates that ``init(parsing:)`` accepts.
    package static let sampleRates = 1_000...384_000
    /// The channel counts that ``init(parsing:)`` accepts.
    package static let channelCounts = 1...32

    package var sampleRate: Int
    package var channelCount: Int
    /// The samples, interleaved if there are several channels.
    package var samples: Data

    package init(sampleRate: Int, channelCount: Int = 1, samples: Data) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.samples = samples
    }

    /// Returns the samples mixed to one channel and resampled to `rate`, in hertz.
    package func mono(sampleRate rate: Int) -> Data {
        let mixed = PCM16.mono(samples, channelCount: channelCount)
        guard rate != sampleRate else { return mixed }
        var resampler = Resampler(from: sampleRate, to: rate)
        return resampler.process(mixed) + resampler.finish()
    }

    /// The file: a header of 44 bytes, then the samples.
    ///
    /// The sizes in the header have 32 bits. Those of a file of 4 GiB or more are `0xFFFFFFFF`, as in a stream.
    package var data: Data {
        let padding = samples.count % 2
        var file = Data(capacity: Self.headerLength + samples.count + padding)
        func append(_ value: Int, bytes: Int) {
            let bits = UInt64(clamping: value)
            for index in 0..<bytes { file.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(index)))) }
        }
        let frameSize = channelCount * PCM16.sampleSize
        let unknown = Int(UInt32.max)
        let isStream = samples.count > unknown - Self.headerLength
        file.append(contentsOf: "RIFF".utf8)
        append(isStream ? unknown : Self.headerLength - 8 + samples.count + padding, bytes: 4)
        file.append(contentsOf: "WAVEfmt ".utf8)
        append(16, bytes: 4)
        append(1, bytes: 2)
        append(channelCount, bytes: 2)
        append(sampleRate, bytes: 4)
        append(sampleRate * frameSize, bytes: 4)
        append(frameSize, bytes: 2)
        append(PCM16.sampleSize * 8, bytes: 2)
        file.append(contentsOf: "data".utf8)
        append(isStream ? unknown : samples.count, bytes: 4)
        file.append(samples)
        if padding == 1 { file.append(0) }
        return file
    }
}
