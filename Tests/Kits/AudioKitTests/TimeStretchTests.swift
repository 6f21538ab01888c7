import AudioKit
import Foundation
import Testing

@Suite struct TimeStretchTests {
    private static let rate = 24_000

    private func tone(_ pitch: Double, seconds: Double) -> Data {
        PCM16.data(
            (0..<Int(seconds * Double(Self.rate))).map { Int16(8_000 * sin(2 * .pi * pitch * Double($0) / Double(Self.rate))) })
    }

    private func stretched(_ samples: Data, by factor: Double, chunk: Int = .max) -> Data {
        var (stretch, output, rest) = (TimeStretch(by: factor, sampleRate: Self.rate), Data(), samples[...])
        while !rest.isEmpty {
            output += stretch.process(Data(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
        return output + stretch.finish()
    }

    /// In hertz, from the zero crossings.
    private func pitch(_ samples: Data) -> Double {
        let samples = PCM16.samples(samples)
        let crossings = zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        return Double(crossings) * Double(Self.rate) / Double(samples.count) / 2
    }

    @Test(arguments: [0.5, 0.8, 1, 1.15, 4.0 / 3, 2]) func durationChangesAndPitchStays(factor: Double) {
        let tone = tone(220, seconds: 1)
        let output = stretched(tone, by: factor)
        #expect(abs(output.count - Int(Double(tone.count) * factor)) <= 2)
        #expect(abs(pitch(output) - 220) < 4)
        #expect(abs(PCM16.rootMeanSquare(output) / PCM16.rootMeanSquare(tone) - 1) < 0.05)
    }

    @Test(arguments: [1, 2, 333, 4_801]) func chunksDoNotMatter(chunk: Int) {
        let tone = tone(330, seconds: 0.2)
        #expect(stretched(tone, by: 1.3, chunk: chunk) == stretched(tone, by: 1.3))
    }

    @Test func hardlyAnythingIsNoProblem() {
        #expect(stretched(Data(), by: 1.5).isEmpty)
        #expect(stretched(Data([7]), by: 1.5).isEmpty)
        #expect(stretched(tone(100, seconds: 0.001), by: 2).count == 96)
    }

    @Test func stretchIsAsNewAfterItsEnd() {
        var stretch = TimeStretch(by: 1.2, sampleRate: Self.rate)
        let tone = tone(150, seconds: 0.3)
        let first = stretch.process(tone) + stretch.finish()
        #expect(stretch.process(tone) + stretch.finish() == first)
    }
}
