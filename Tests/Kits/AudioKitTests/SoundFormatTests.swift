import AudioKit
import Foundation
import TestKit
import Testing

@Suite struct SoundFormatTests {
    private func format(_ bytes: [UInt8]) -> SoundFormat? { SoundFormat(beginning: Data(bytes)) }

    /// Beginnings as FFmpeg 5.1 and SoX 14.4 write them.
    @Test(arguments: [
        ("RIFF....WAVEfmt ", SoundFormat.wave), ("RIFX....WAVEfmt ", .wave), ("RF64....WAVEds64", .wave), ("ID3..", .mp3),
        ("fLaC.", .flac), ("OggS.", .ogg), ("....ftypM4A ", .m4a), ("....ftypisom", .m4a), ("FORM....AIFC", .aiff), (".snd.", .au),
        ("caff.", .caf), ("#!AMR.", .amr),
    ])
    func signaturesAreKnown(beginning: String, expected: SoundFormat) {
        // The other dots stand for zeros.
        let bytes = beginning.utf8.enumerated().map { $0.element == 0x2E && $0.offset > 0 ? 0 : $0.element }
        #expect(format(beginning.hasPrefix("....") ? [0] + bytes.dropFirst() : bytes) == expected)
        #expect(format([0x1A, 0x45, 0xDF, 0xA3, 0x9F]) == .webM)
    }

    /// The headers of frames: 64 kbit/s at 24 kHz, MPEG 2 layer III, 192 bytes; and ADTS frames of 40 bytes.
    @Test func framesOfMP3AndAACAreKnown() {
        let mp3 = [0xFF, 0xF3, 0x84, 0xC4] + Array(repeating: UInt8(0x55), count: 188)
        #expect(format(mp3 + mp3) == .mp3)
        #expect(format(mp3) == .mp3)
        let aac = [0xFF, 0xF1, 0x58, 0x40, 0x05, 0x1F, 0xFC] + Array(repeating: UInt8(0x21), count: 33)
        #expect(format(aac + aac) == .aac)
    }

    /// Quiet samples are often -1, which is the sync word of a frame.
    @Test func rawSamplesAreNoFile() {
        #expect(format([]) == nil)
        #expect(format(Array(repeating: 0xFF, count: 4_096)) == nil)
        #expect(format([0xFF, 0xFB, 0x90, 0x64] + Array(repeating: 0, count: 2_000)) == nil)
        #expect(format([0xFF, 0xF1, 0x58, 0x40, 0x05, 0x1F, 0xFC] + Array(repeating: 0, count: 2_000)) == nil)
        for length in [0, 1, 3, 11, 600] { #expect(format(Array(sine(440, sampleRate: 24_000).prefix(length))) == nil) }
    }

    @Test(arguments: 0..<4) func randomBytesNeverTrap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            if let first = bytes.indices.first { bytes[first] = 0xFF }
            _ = format(bytes)
        }
    }
}
