import AudioKit
import Foundation
import TestKit
import Testing

/// Synthetic sounds; `RealSpeechTests` has real speech.
@Suite struct SpeechGateTests {
    private static let rate = 24_000

    /// White noise: the same half second again and again.
    private func noise(_ loudness: Double, seconds: Double = 1, seed: UInt64 = 1) -> [Double] {
        var random = SeededGenerator(seed: seed)
        // Uniform noise of width w has the root mean square w / √12.
        let width = loudness * 12.0.squareRoot() / 2
        let part = (0..<12_000).map { _ in Double.random(in: -width...width, using: &random) }
        let count = Int(seconds * Double(Self.rate))
        return Array((0..<count / part.count + 1).flatMap { _ in part }.prefix(count))
    }

    private func hasSpeech(_ samples: [Double], rate: Int = rate) -> Bool {
        SpeechGate.hasSpeech(PCM16.data(samples.map { Int16(min(max($0, -32_768), 32_767)) }), sampleRate: rate)
    }

    /// Syllables: a tone that rises and falls four times a second, with pauses.
    private func syllables(_ amplitude: Double, seconds: Double = 1, rate: Int = rate) -> [Double] {
        (0..<Int(seconds * Double(rate))).map { index in
            let time = Double(index) / Double(rate)
            return amplitude * max(0, sin(time * 8 * .pi)) * sin(time * 2 * .pi * 300)
        }
    }

    @Test func silenceIsNoSpeech() {
        #expect(!SpeechGate.hasSpeech(Data(), sampleRate: 24_000))
        #expect(!hasSpeech(Array(repeating: 0, count: 48_000)))
        #expect(!hasSpeech(Array(repeating: 9_000, count: 48_000)))
    }

    @Test(arguments: [20.0, 150, 310, 600, 1_000, 2_000, 4_000]) func steadyNoiseIsNoSpeech(loudness: Double) {
        #expect(!hasSpeech(noise(loudness)))
        #expect(!hasSpeech(noise(loudness, seconds: 0.4, seed: 7)))
    }

    @Test func humAndRumbleAreNoSpeech() {
        let hum = (0..<24_000).map { index in
            (1...11).reduce(0.0) { $0 + 900 / Double($1) * sin(2 * .pi * 50 * Double($1 * index) / Double(Self.rate)) }
        }
        #expect(!hasSpeech(hum))
        var level = 0.0
        let rumble = noise(400, seconds: 2).map { step -> Double in
            level = level * 0.999 + step / 10
            return level * 3
        }
        #expect(!hasSpeech(rumble))
    }

    @Test func clickIsNoSpeech() {
        var samples = noise(30)
        for index in 10_000..<10_700 { samples[index] = index.isMultiple(of: 2) ? 12_000 : -12_000 }
        #expect(!hasSpeech(samples))
    }

    @Test(arguments: [8_000, 16_000, 24_000, 44_100]) func syllablesAreSpeech(rate: Int) {
        #expect(hasSpeech(syllables(900, rate: rate), rate: rate))
        #expect(hasSpeech(syllables(20_000, rate: rate), rate: rate))
    }

    @Test func speechInNoiseAndBetweenLongPausesIsSpeech() {
        #expect(hasSpeech(zip(syllables(4_000), noise(1_000)).map { $0 + $1 }))
        #expect(hasSpeech(noise(60, seconds: 6) + syllables(3_000, seconds: 0.5) + noise(60, seconds: 2)))
    }

    @Test func shortestRecordingsNeverTrap() {
        for count in 0...3 {
            for rate in [0, 1, 49, 51, 24_000] { _ = hasSpeech(Array(repeating: 20_000, count: count), rate: rate) }
        }
    }
}
