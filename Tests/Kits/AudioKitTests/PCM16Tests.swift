import AudioKit
import Foundation
import Testing

@Suite struct PCM16Tests {
    @Test func rootMeanSquareIsThatOfTheContract() {
        #expect(PCM16.rootMeanSquare(Data()) == 0)
        #expect(PCM16.rootMeanSquare(PCM16.data([300, -300, 300])) == 300)
        #expect(PCM16.rootMeanSquare(PCM16.data([.min, .min])) == 32_768)
        #expect(abs(PCM16.rootMeanSquare(sine(440, sampleRate: 24_000)) - 10_000 / 2.0.squareRoot()) < 1)
    }

    @Test func silenceEndsAbove300() {
        #expect(PCM16.isSilent(PCM16.data([300, -300])))
        #expect(!PCM16.isSilent(PCM16.data([301, -301])))
        #expect(PCM16.isSilent(Data([0xFF])))
    }

    @Test func meterRunsFromZeroToOne() {
        #expect(PCM16.level(Data()) == 0)
        #expect(PCM16.level(PCM16.data([1, -1])) == 0)
        #expect(PCM16.level(PCM16.data([.min, .min])) == 1)
        let levels = [300.0, 1_000, 3_000, 10_000].map { PCM16.level(sine(440, amplitude: $0, sampleRate: 24_000)) }
        #expect(levels == levels.sorted() && levels[0] > 0.05 && levels[3] < 1)
    }

    @Test func durationCountsWholeSamples() {
        #expect(PCM16.duration(Data(count: 48_001), sampleRate: 24_000) == .seconds(1))
        #expect(PCM16.duration(Data(), sampleRate: 24_000) == .zero)
    }

    @Test func silenceAtBothEndsIsTrimmed() {
        let silence = Data(count: 48_000)
        let tone = sine(440, sampleRate: 24_000, seconds: 0.5)

        let trimmed = PCM16.trimmingSilence(silence + tone + silence, sampleRate: 24_000)

        let duration = PCM16.duration(trimmed, sampleRate: 24_000)
        #expect(duration >= .milliseconds(680) && duration <= .milliseconds(740))
        #expect(PCM16.trimmingSilence(tone, sampleRate: 24_000) == tone)
        #expect(PCM16.trimmingSilence(silence, sampleRate: 24_000).isEmpty)
        #expect(PCM16.trimmingSilence(Data(), sampleRate: 24_000).isEmpty)
    }

    @Test func trimmingWorksOnSlices() {
        let tone = sine(440, sampleRate: 8_000, seconds: 0.1)
        let slice = (Data(count: 9) + Data(count: 16_000) + tone).dropFirst(9)

        #expect(PCM16.trimmingSilence(slice, sampleRate: 8_000, margin: .zero) == tone)
    }

    @Test func floatsAreScaledAndClipped() {
        let floats: [Float] = [0, 0.5, -0.5, -1, 1, 7, -7, .nan, .infinity]
        #expect(
            PCM16.samples(PCM16.data(fromFloats: floats))
                == [0, 16_384, -16_384, -32_768, 32_767, 32_767, -32_768, 0, 32_767])
        #expect(PCM16.floats(PCM16.data([0, 16_384, -32_768])) == [0, 0.5, -1])
    }

    @Test func oddByteIsIgnored() {
        #expect(PCM16.samples(Data([1, 0, 7])) == [1])
        #expect(PCM16.mono(Data([1, 0, 7]), channelCount: 1) == Data([1, 0]))
        #expect(PCM16.mono(PCM16.data([4, 8, 1]), channelCount: 2) == PCM16.data([6]))
    }
}
