import AudioKit
import Foundation
import TestKit
import Testing

@Suite struct ResamplerTests {
    private static let rates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 44_101]

    private func resample(_ samples: Data, from: Int, to: Int) -> Data {
        var resampler = Resampler(from: from, to: to)
        return resampler.process(samples) + resampler.finish()
    }

    /// Within 0.1 dB.
    @Test(arguments: rates, [16_000, 24_000]) func speechKeepsItsLevel(from: Int, to: Int) {
        for frequency in [200.0, 1_000, 3_000] {
            let output = resample(sine(frequency, sampleRate: from), from: from, to: to)

            #expect(output.count / 2 == to, "one second stays one second")
            #expect(abs(amplitude(of: frequency, in: output, sampleRate: to) - 10_000) < 115, "\(frequency) Hz")
        }
    }

    /// A tone above the new Nyquist frequency is 60 dB down, wherever it would land.
    @Test(arguments: [(24_000, 16_000, 8_800.0), (48_000, 24_000, 13_200), (44_100, 16_000, 12_000), (48_000, 16_000, 20_000)])
    func tonesAboveTheNewRangeDoNotAlias(from: Int, to: Int, frequency: Double) {
        let output = resample(sine(frequency, sampleRate: from), from: from, to: to)

        let inner = output.dropFirst(output.count / 4).dropLast(output.count / 4)
        #expect(PCM16.rootMeanSquare(inner) < 10)
    }

    @Test func upsamplingAddsNoImages() {
        let output = resample(sine(3_000, sampleRate: 16_000), from: 16_000, to: 24_000)

        #expect(amplitude(of: 11_000, in: output, sampleRate: 24_000) < 10)
    }

    @Test(arguments: 0..<10) func chunksGiveTheSameAsTheWhole(seed: Int) {
        var random = SeededGenerator(seed: 77, number: seed)
        let input = sine(700, sampleRate: 22_050, seconds: 0.2)
        var resampler = Resampler(from: 22_050, to: 24_000)
        var output = Data()
        var rest = input
        while !rest.isEmpty {
            // Odd lengths cut samples in two.
            let length = Int.random(in: 1...701, using: &random)
            output += resampler.process(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        output += resampler.finish()

        #expect(output == resample(input, from: 22_050, to: 24_000))
    }

    @Test func outputIsAlignedWithTheInput() throws {
        var input = [Int16](repeating: 0, count: 2_000)
        input[1_000] = 20_000

        let output = PCM16.samples(resample(PCM16.data(input), from: 16_000, to: 24_000))

        #expect(output.indices.max { output[$0] < output[$1] } == 1_500)
    }

    @Test func fullScaleDoesNotOverflow() {
        let square = PCM16.data((0..<8_000).map { $0 / 20 % 2 == 0 ? Int16.max : Int16.min })

        let output = PCM16.samples(resample(square, from: 16_000, to: 24_000))

        #expect(output.max() == .max && output.min() == .min)
    }

    @Test func equalRatesAndEmptyInputPassThrough() {
        let input = sine(440, sampleRate: 24_000, seconds: 0.01)
        #expect(resample(input, from: 24_000, to: 24_000) == input)
        #expect(resample(Data(), from: 22_050, to: 24_000).isEmpty)
        #expect(resample(Data([5]), from: 22_050, to: 24_000).isEmpty)
    }

    @Test func resamplerStartsAnewAfterItsEnd() {
        let input = sine(440, sampleRate: 22_050, seconds: 0.05)
        var resampler = Resampler(from: 22_050, to: 24_000)
        let first = resampler.process(input) + resampler.finish()

        #expect(resampler.process(input) + resampler.finish() == first)
    }
}
