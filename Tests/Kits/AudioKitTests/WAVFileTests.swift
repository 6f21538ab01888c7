import AudioKit
import Foundation
import TestKit
import Testing

@Suite struct WAVFileTests {
    private let samples = PCM16.data([1, -2, 3, -4, 32_767, -32_768])

    private func chunk(_ tag: String, _ body: Data, size: UInt32? = nil) -> Data {
        Data(tag.utf8) + bytes(size ?? UInt32(body.count), 4) + body + Data(count: body.count % 2)
    }

    private func bytes(_ value: UInt32, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) })
    }

    private func format(
        _ kind: UInt32 = 1, channels: UInt32 = 1, rate: UInt32 = 24_000, frameSize: UInt32? = nil, bits: UInt32 = 16
    ) -> Data {
        bytes(kind, 2) + bytes(channels, 2) + bytes(rate, 4) + bytes(rate * 2, 4) + bytes(frameSize ?? channels * 2, 2)
            + bytes(bits, 2)
    }

    private func riff(_ chunks: Data, size: UInt32? = nil) -> Data {
        Data("RIFF".utf8) + bytes(size ?? UInt32(4 + chunks.count), 4) + Data("WAVE".utf8) + chunks
    }

    private func code(_ file: Data) -> WAVError.Code? {
        do {
            _ = try WAVFile(parsing: file)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func writtenFileIsReadBack() throws {
        let file = WAVFile(sampleRate: 24_000, samples: samples)

        #expect(file.data.count == WAVFile.headerLength + samples.count)
        #expect(try WAVFile(parsing: file.data) == file)
    }

    /// Recorded from the module `wave` of Python, as most programs write it.
    @Test func headerIsTheCommonOne() {
        let header = WAVFile(sampleRate: 24_000, samples: Data(count: 4)).data.prefix(44)

        #expect(
            Data(header).base64EncodedString() == "UklGRigAAABXQVZFZm10IBAAAAABAAEAwF0AAIC7AAACABAAZGF0YQQAAAA=")
    }

    @Test func chunksMayHaveAnyOrder() throws {
        let file = riff(
            chunk("LIST", Data("odd".utf8)) + chunk("data", samples) + chunk("fmt ", format()) + chunk("id3 ", Data([1])))

        #expect(try WAVFile(parsing: file).samples == samples)
    }

    @Test func sliceOfLargerDataIsRead() throws {
        let file = Data(count: 7) + WAVFile(sampleRate: 16_000, channelCount: 2, samples: samples).data

        let parsed = try WAVFile(parsing: file.dropFirst(7))

        #expect(parsed == WAVFile(sampleRate: 16_000, channelCount: 2, samples: samples.prefix(12)))
    }

    @Test func extensibleFormatIsRead() throws {
        let guid = bytes(1, 2) + Data([0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
        let body = format(0xFFFE) + bytes(22, 2) + bytes(16, 2) + bytes(4, 4) + guid

        #expect(try WAVFile(parsing: riff(chunk("fmt ", body) + chunk("data", samples))).samples == samples)
        #expect(code(riff(chunk("fmt ", format(0xFFFE)) + chunk("data", samples))) == .malformed)
    }

    /// `0xFFFFFFFF` is FFmpeg's size for a stream, `0x7FFFF000` that of espeak-ng; others leave 0.
    @Test(arguments: [UInt32.max, 0x7FFF_F000, 0]) func streamOfUnknownLengthIsReadToItsEnd(size: UInt32) throws {
        let file = riff(chunk("fmt ", format()) + chunk("data", samples + Data([7]), size: size), size: size).dropLast()

        #expect(try WAVFile(parsing: file).samples == samples)
    }

    @Test func lyingSizesAreRefused() {
        #expect(code(riff(chunk("fmt ", format()) + chunk("data", samples, size: 13))) == .truncated)
        #expect(code(riff(chunk("fmt ", format(), size: 0x7FFF_FFFF) + chunk("data", samples))) == .truncated)
        #expect(code(riff(chunk("fmt ", format().prefix(14)) + chunk("data", samples))) == .malformed)
        #expect(code(riff(chunk("fmt ", format(frameSize: 4)) + chunk("data", samples))) == .malformed)
    }

    @Test func otherContentsAreRefused() {
        #expect(code(Data()) == .notWAVE)
        #expect(code(Data("RIFF".utf8)) == .notWAVE)
        #expect(code(Data("ID3 an MP3 and not a wave file".utf8)) == .notWAVE)
        #expect(code(riff(Data())) == .malformed)
        #expect(code(riff(chunk("fmt ", format()))) == .malformed)
        #expect(code(riff(chunk("data", samples))) == .malformed)
        #expect(code(riff(chunk("fmt ", format(3, bits: 32)) + chunk("data", samples))) == .unsupported)
        #expect(code(riff(chunk("fmt ", format(bits: 8, )) + chunk("data", samples))) == .unsupported)
        #expect(code(riff(chunk("fmt ", format(rate: 0)) + chunk("data", samples))) == .unsupported)
        #expect(code(riff(chunk("fmt ", format(channels: 0)) + chunk("data", samples))) == .unsupported)
    }

    @Test func endlessEmptyChunksAreRefused() {
        let chunks = (0..<2_000).reduce(into: Data()) { data, _ in data += chunk("junk", Data()) }

        #expect(code(riff(chunks + chunk("fmt ", format()) + chunk("data", samples))) == .unsupported)
    }

    @Test func incompleteFrameIsDropped() throws {
        let file = riff(chunk("fmt ", format(channels: 2)) + chunk("data", samples.prefix(7)))

        #expect(try WAVFile(parsing: file).samples.count == 4)
    }

    @Test func everyPrefixIsRefusedOrShorter() throws {
        let file = riff(chunk("LIST", Data(count: 5)) + chunk("fmt ", format()) + chunk("data", samples))
        for length in 0..<file.count { #expect(code(file.prefix(length)) != nil, "\(length)") }
    }

    @Test(arguments: 0..<20) func mutatedFilesNeverTrap(seed: Int) {
        var random = SeededGenerator(seed: 0x3a7, number: seed)
        let file = riff(
            chunk("LIST", Data(count: 9)) + chunk("fmt ", format(channels: 2))
                + chunk("data", sine(440, sampleRate: 8_000, seconds: 0.01)))
        for _ in 0..<500 {
            var mutant = file
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: mutant[Int.random(in: 0..<mutant.count, using: &random)] = .random(in: 0...255, using: &random)
                case 1: mutant[Int.random(in: 0..<mutant.count, using: &random)] = [0, 0x7F, 0xFF].randomElement(using: &random)!
                case 2: mutant = Data(mutant.prefix(Int.random(in: 1...mutant.count, using: &random)))
                default: mutant.insert(contentsOf: file.suffix(40), at: Int.random(in: 0..<mutant.count, using: &random))
                }
            }
            guard let parsed = try? WAVFile(parsing: mutant) else { continue }
            #expect(parsed.samples.count <= mutant.count)
            #expect(parsed.samples.count % (2 * parsed.channelCount) == 0)
        }
    }

    @Test func channelsAreMixedAndResampled() {
        let left = PCM16.samples(sine(500, sampleRate: 48_000))
        let file = WAVFile(sampleRate: 48_000, channelCount: 2, samples: PCM16.data(left.flatMap { [$0, 0] }))

        let mono = file.mono(sampleRate: 24_000)

        #expect(mono.count == 48_000)
        #expect(abs(amplitude(of: 500, in: mono, sampleRate: 24_000) - 5_000) < 50)
    }
}
