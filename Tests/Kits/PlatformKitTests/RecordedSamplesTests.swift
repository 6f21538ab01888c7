import AudioKit
import Foundation
import PlatformKit
import Testing

@Suite struct RecordedSamplesTests {
    /// A tone of 440 Hz.
    private func tone(sampleRate: Int, seconds: Double, amplitude: Float = 0.5) -> [Float] {
        (0..<Int(Double(sampleRate) * seconds)).map { amplitude * sin(2 * .pi * 440 * Float($0) / Float(sampleRate)) }
    }

    @Test(arguments: [16_000, 24_000, 44_100, 48_000])
    func recordingHasTheFormatOfSpeech(_ sampleRate: Int) {
        let recording = RecordedSamples()
        recording.begin(sampleRate: sampleRate)
        let tone = tone(sampleRate: sampleRate, seconds: 1)
        for start in stride(from: 0, to: tone.count, by: 1_000) { recording.append(tone[start..<min(start + 1_000, tone.count)]) }
        let samples = PCM16.samples(recording.end())
        #expect(samples.count == 24_000)
        #expect(zip(samples, samples.dropFirst()).count { $0.0 < 0 && $0.1 >= 0 } == 439)
        #expect((16_300...16_500).contains(samples.map { abs(Int($0)) }.max() ?? 0))
    }

    @Test func anotherMicrophoneContinuesTheRecording() {
        let recording = RecordedSamples()
        for sampleRate in [48_000, 16_000] {
            recording.begin(sampleRate: sampleRate)
            recording.append(tone(sampleRate: sampleRate, seconds: 0.5))
        }
        #expect(PCM16.samples(recording.end()).count == 24_000)
    }

    @Test func levelsEndWithTheRecording() async {
        let recording = RecordedSamples()
        recording.begin(sampleRate: 24_000)
        recording.append(tone(sampleRate: 24_000, seconds: 0.05))
        let samples = recording.end()
        var levels: [Double] = []
        for await level in recording.levels { levels.append(level) }
        #expect(levels.count == 1 && abs((levels.first ?? 0) - 0.3535) < 0.001)
        // A microphone may deliver a last buffer after the end.
        recording.append(tone(sampleRate: 24_000, seconds: 1))
        #expect(recording.end() == samples)
    }

    @Test func recordingIsBounded() {
        let recording = RecordedSamples(maximumLength: 1_000)
        recording.append([0.5])
        recording.begin(sampleRate: 24_000)
        for _ in 0..<10 { recording.append(tone(sampleRate: 24_000, seconds: 0.01)) }
        #expect(recording.end().count == 1_000)
    }
}
