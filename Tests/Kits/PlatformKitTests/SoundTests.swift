import AudioKit
import Foundation
import PlatformKit
import Testing

@Suite struct SoundTests {
    @Test(arguments: [Sound.Wave.square, .sine, .triangle])
    func tuneHasTheLengthTheFrequencyAndTheLoudnessOfItsNotes(_ wave: Sound.Wave) {
        let sound = Sound(
            wave: wave,
            notes: [
                .init(frequency: 440, duration: .milliseconds(500), gain: 0.5), .init(frequency: 0, duration: .milliseconds(100)),
            ])
        let samples = PCM16.samples(sound.samples)
        #expect(samples.count == 14_400)
        let (note, pause) = (samples[..<12_000], samples[12_000...])
        #expect(pause.allSatisfy { $0 == 0 })
        let crossings = zip(note, note.dropFirst()).count { $0.0 < 0 && $0.1 >= 0 }
        #expect((219...220).contains(crossings))
        let loudest = note.map { abs(Int($0)) }.max() ?? 0
        #expect((16_000...16_384).contains(loudest))
        // It begins and ends without a click.
        #expect(note.prefix(3).allSatisfy { abs(Int($0)) < 800 } && note.suffix(3).allSatisfy { abs(Int($0)) < 800 })
    }

    @Test func oddNumbersMakeNoSound() {
        let notes: [Sound.Note] = [
            .init(frequency: 440, duration: .seconds(-1)), .init(frequency: 440, duration: .milliseconds(1), gain: -3),
        ]
        #expect(PCM16.samples(Sound(notes: notes).samples).allSatisfy { $0 == 0 })
        #expect(Sound(notes: []).samples.isEmpty)
    }

    @Test func vibrationsStartAfterTheTimesBeforeThem() {
        let pattern: [Duration] = [.milliseconds(200), .milliseconds(100), .milliseconds(300), .milliseconds(50), .zero]
        #expect(
            Vibration.all(in: pattern) == [
                Vibration(start: .zero, duration: .milliseconds(200)),
                Vibration(start: .milliseconds(300), duration: .milliseconds(300)),
            ])
        #expect(Vibration.all(in: []) == [])
    }
}
