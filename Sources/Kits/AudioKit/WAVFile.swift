public import Foundation

/// PCM samples of 16 bits, little-endian, in a RIFF WAVE file.
public struct WAVFile: Hashable, Sendable {
    public var sampleRate: Int
    public var channelCount: Int
    /// Interleaved if there are several channels.
    public var samples: Data

    public init(sampleRate: Int, channelCount: Int = 1, samples: Data) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.samples = samples
    }
}
