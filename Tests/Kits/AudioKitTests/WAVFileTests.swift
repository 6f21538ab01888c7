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
        for (kind, bits) in [(2, 4), (3, 16), (6, 16), (0x11, 4), (0x55, 0), (1, 0), (1, 40)] as [(UInt32, UInt32)] {
            #expect(code(riff(chunk("fmt ", format(kind, bits: bits)) + chunk("data", samples))) == .unsupported)
        }
        #expect(code(riff(chunk("fmt ", format(rate: 0)) + chunk("data", samples))) == .unsupported)
        #expect(code(riff(chunk("fmt ", format(channels: 0)) + chunk("data", samples))) == .unsupported)
    }

    // MARK: Encodings

    private func read(_ kind: UInt32, bits: UInt32, container: UInt32? = nil, _ data: [UInt8]) throws -> [Int16] {
        let file = riff(chunk("fmt ", format(kind, frameSize: container ?? bits / 8, bits: bits)) + chunk("data", Data(data)))
        return PCM16.samples(try WAVFile(parsing: file).samples)
    }

    @Test func everyDepthOfPCMIsRead() throws {
        #expect(try read(1, bits: 8, [0, 0x80, 0x81, 0xFF]) == [-32_768, 0, 256, 32_512])
        #expect(try read(1, bits: 24, [0xFF, 0, 0x80, 0, 0xFF, 0x7F, 1, 2, 3]) == [-32_768, 32_767, 0x302])
        #expect(try read(1, bits: 24, container: 4, [0, 0xFF, 0, 0x80, 9, 9, 0xFF, 0x7F]) == [-32_768, 32_767])
        #expect(try read(1, bits: 32, [9, 9, 0, 0x80, 9, 9, 0xFF, 0x7F]) == [-32_768, 32_767])
        // 12 bits, at the top of 16.
        #expect(try read(1, bits: 12, container: 2, [0xF0, 0x7F]) == [0x7FF0])
    }

    @Test func floatingPointIsReadAndClipped() throws {
        func bytes<Value>(_ values: Value...) -> [UInt8] { values.withUnsafeBytes { Array($0) } }
        #expect(try read(3, bits: 32, bytes(0.5 as Float, -1, 7, .nan, -.infinity)) == [16_384, -32_768, 32_767, 0, -32_768])
        #expect(try read(3, bits: 64, bytes(0.25, -0.5)) == [8_192, -16_384])
    }

    /// ITU-T G.711: the codes of the largest, the smallest and middle values.
    @Test func lawsOfTelephonesAreRead() throws {
        #expect(try read(6, bits: 8, [0x2A, 0xAA, 0x55, 0xD5, 0x80]) == [-32_256, 32_256, -8, 8, 5_504])
        #expect(try read(7, bits: 8, [0x00, 0x80, 0x7F, 0xFF, 0xAA]) == [-32_124, 32_124, 0, 0, 5_372])
    }

    @Test func bigEndianFilesAreRead() throws {
        func big(_ value: UInt32, _ count: Int) -> Data { Data(bytes(value, count).reversed()) }
        let format = big(1, 2) + big(1, 2) + big(8_000, 4) + big(16_000, 4) + big(2, 2) + big(16, 2)
        let file =
            Data("RIFX".utf8) + big(40, 4) + Data("WAVEfmt ".utf8) + big(16, 4) + format + Data("data".utf8) + big(4, 4)
            + Data([1, 2, 0xFF, 0xFE])
        #expect(try WAVFile(parsing: file) == WAVFile(sampleRate: 8_000, samples: PCM16.data([0x102, -2])))
    }

    /// EBU Tech 3306: the size of the data stands in another chunk.
    @Test(arguments: ["RF64", "BW64"]) func longFilesAreRead(tag: String) throws {
        let sizes = bytes(80, 4) + bytes(0, 4) + bytes(12, 4) + bytes(0, 4) + bytes(6, 4) + bytes(0, 8)
        let file =
            Data(tag.utf8) + bytes(.max, 4) + Data("WAVE".utf8) + chunk("ds64", sizes) + chunk("fmt ", format())
            + chunk("data", samples, size: .max) + chunk("LIST", Data("end.".utf8))
        #expect(try WAVFile(parsing: file).samples == samples)
    }

    /// Recorders write the sizes at the end; one that was killed has left those of an empty file.
    @Test(arguments: [UInt32(36), 0, .max]) func unfinishedHeaderIsReadToTheEnd(size: UInt32) throws {
        let file = riff(chunk("fmt ", format()) + chunk("data", samples, size: 0), size: size)
        #expect(try WAVFile(parsing: file).samples == samples)
    }

    @Test func emptyFileStaysEmpty() throws {
        #expect(try WAVFile(parsing: riff(chunk("fmt ", format()) + chunk("data", Data()))).samples.isEmpty)
        let tagged = riff(chunk("fmt ", format()) + chunk("data", Data()) + chunk("LIST", Data("made".utf8)))
        #expect(try WAVFile(parsing: tagged).samples.isEmpty)
    }

    /// A server that streams sends one file after the other, each with the size of its own samples, or of none.
    /// Source: remsky/Kokoro-FastAPI#94.
    @Test(arguments: [nil, 0, UInt32.max] as [UInt32?]) func filesBehindEachOtherAreOneSound(size: UInt32?) throws {
        let file = riff(chunk("fmt ", format()) + chunk("LIST", Data("odd".utf8)) + chunk("data", samples, size: size))
        for allows in [false, true] {
            #expect(try WAVFile(parsing: file + file + file, allowsWrongSizes: allows).samples == samples + samples + samples)
        }
        let other = riff(chunk("fmt ", format(rate: 16_000)) + chunk("data", samples))
        #expect(code(file + other) == .unsupported)
        // A word in the samples is no file.
        let word = Data("RIFF....WAV RIFFWAVE".utf8)
        #expect(try WAVFile(parsing: riff(chunk("fmt ", format()) + chunk("data", word, size: .max))).samples == word)
    }

    /// kyutai-labs/pocket-tts#229, pollinations/pollinations#11457, pollinations/pollinations#8929: placeholders, and the size of a first piece.
    @Test(arguments: [2_000_000_000, 0x7FFF_FFFF, 14, 10_000, 8] as [UInt32]) func wrongSizesAreAllowedFromServers(size: UInt32)
        throws
    {
        let loud = PCM16.data((0..<40).map { Int16($0 % 2 == 0 ? 20_000 : -20_000) })
        let file = riff(chunk("fmt ", format()) + chunk("data", loud, size: size), size: size)
        #expect(try WAVFile(parsing: file, allowsWrongSizes: true).samples == loud)
        #expect((code(file) == nil) == (size >= 0x7000_0000))
    }

    /// Chunks behind the samples are not heard, also where they are cut. Source: roryeckel/wyoming_openai#73.
    @Test func chunksBehindTheSamplesAreNoSound() throws {
        let file = riff(
            chunk("fmt ", format()) + chunk("data", samples) + chunk("LIST", Data("INFOISFTCrispASR".utf8))
                + chunk("C2PA", Data(count: 99)))
        for allows in [false, true] { #expect(try WAVFile(parsing: file, allowsWrongSizes: allows).samples == samples) }
        #expect(try WAVFile(parsing: file.dropLast(50), allowsWrongSizes: true).samples == samples)
        #expect(code(file.dropLast(50)) == .truncated)
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
            guard let parsed = try? WAVFile(parsing: mutant, allowsWrongSizes: seed % 2 == 0) else { continue }
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
