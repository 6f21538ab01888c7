public import Foundation

extension WAVFile {
    /// The maximum number of chunks of a file.
    private static let maximumChunkCount = 1_024
    /// Sizes from here on mean "until the end": writers to a pipe do not know the size. `0x7FFFF000` is that of espeak-ng and SoX.
    private static let unknownSize = 0x7FFF_F000

    /// Reads a file.
    ///
    /// The chunks may have any order; unknown ones are skipped. An incomplete last frame is dropped.
    ///
    /// - Throws: ``WAVError``. A size beyond the end of the bytes is `truncated`, unless the file is a stream of unknown length.
    /// - SeeAlso: Microsoft, *Multiple channel audio data and WAVE files*, for the extensible format.
    public init(parsing data: Data) throws(WAVError) {
        let bytes = WAVBytes(data)
        guard bytes.tag(at: 0) == "RIFF", bytes.tag(at: 8) == "WAVE" else {
            throw WAVError(.notWAVE, bytes.count < 12 ? "The file is too short for a WAVE file" : "The file is not a WAVE file")
        }
        var format: Format?
        var samples: Range<Int>?
        var offset = 12
        var chunkCount = 0
        // Fewer than eight bytes at the end are padding.
        while let tag = bytes.tag(at: offset), let declared = bytes.integer(at: offset + 4, bytes: 4) {
            chunkCount += 1
            guard chunkCount <= Self.maximumChunkCount else {
                throw WAVError(.unsupported, "The file has more than \(Self.maximumChunkCount) chunks")
            }
            let start = offset + 8
            let rest = bytes.count - start
            let isStream = tag == "data" && Self.isUnknown(declared, riffSize: bytes.integer(at: 4, bytes: 4) ?? 0)
            let size = isStream ? rest : declared
            guard size <= rest else {
                throw WAVError(.truncated, "The chunk '\(tag)' has \(declared) bytes, but \(rest) follow")
            }
            switch tag {
            case "fmt ":
                guard format == nil else { throw WAVError(.malformed, "The file has two format chunks") }
                format = try Format(bytes, at: start, size: size)
            case "data":
                guard samples == nil else { throw WAVError(.unsupported, "The file has two data chunks") }
                samples = start..<start + size
            default: break
            }
            offset = start + size + size % 2
        }
        guard let format else { throw WAVError(.malformed, "The file has no format chunk") }
        guard let samples else { throw WAVError(.malformed, "The file has no data chunk") }
        let whole = samples.count - samples.count % (format.channelCount * PCM16.sampleSize)
        self.init(
            sampleRate: format.sampleRate, channelCount: format.channelCount,
            samples: bytes.data(in: samples.lowerBound..<samples.lowerBound + whole))
    }

    private static func isUnknown(_ size: Int, riffSize: Int) -> Bool {
        size >= unknownSize || size == 0 && (riffSize == 0 || riffSize >= unknownSize)
    }
}

/// The format chunk.
private struct Format {
    var sampleRate: Int
    var channelCount: Int

    /// - Throws: ``WAVError``.
    init(_ bytes: WAVBytes, at start: Int, size: Int) throws(WAVError) {
        guard size >= 16, let kind = bytes.integer(at: start, bytes: 2), let channels = bytes.integer(at: start + 2, bytes: 2),
            let rate = bytes.integer(at: start + 4, bytes: 4), let frameSize = bytes.integer(at: start + 12, bytes: 2),
            let bits = bytes.integer(at: start + 14, bytes: 2)
        else { throw WAVError(.malformed, "The format chunk has \(size) bytes; at least 16 are required") }
        var encoding = kind
        if kind == 0xFFFE {
            guard size >= 40, let subformat = bytes.integer(at: start + 24, bytes: 2) else {
                throw WAVError(.malformed, "The extensible format chunk has \(size) bytes; 40 are required")
            }
            encoding = subformat
        }
        guard encoding == 1 else { throw WAVError(.unsupported, "The encoding \(encoding) is not supported; use PCM") }
        guard bits == 16 else { throw WAVError(.unsupported, "Samples of \(bits) bits are not supported; use 16 bits") }
        guard WAVFile.channelCounts ~= channels else {
            throw WAVError(.unsupported, "\(channels) channels are not supported")
        }
        guard WAVFile.sampleRates ~= rate else { throw WAVError(.unsupported, "A sample rate of \(rate) Hz is not supported") }
        guard frameSize == channels * PCM16.sampleSize else {
            throw WAVError(.malformed, "A frame of \(frameSize) bytes does not hold \(channels) samples of 16 bits")
        }
        (sampleRate, channelCount) = (rate, channels)
    }
}

/// Bytes with offsets from zero, which are nil beyond the end.
private struct WAVBytes {
    private let data: Data
    var count: Int { data.count }

    init(_ data: Data) { self.data = data }

    func tag(at offset: Int) -> String? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        let start = data.startIndex + offset
        // Every tag is a text of four characters that can be shown.
        return String(decoding: data[start..<start + 4].map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// An unsigned little-endian integer of up to four bytes.
    func integer(at offset: Int, bytes: Int) -> Int? {
        guard offset >= 0, offset <= count - bytes else { return nil }
        let start = data.startIndex + offset
        return data[start..<start + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func data(in range: Range<Int>) -> Data {
        Data(data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
    }
}
