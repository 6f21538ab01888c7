package import Foundation

extension WAVFile {
    /// Maximum chunks in a file.
    private static let maximumChunkCount = 1_024
    /// Minimum declared size that means "until the end of the file": writers to a pipe do not know the size, and write
    /// `0xFFFFFFFF`, `0x7FFFFFFF`, `0x7FFFF000` or 2,000,000,000.
    private static let unknownSize = 0x4000_0000

    /// Reads a file, and converts its samples to 16 bits.
    ///
    /// Encodings: PCM of 8 to 32 bits, floating point of 32 and 64 bits, A-law and µ-law. Containers: RIFF, RIFX (big-endian), RF64
    /// and BW64. The chunks may have any order; unknown ones are skipped. An incomplete last frame is dropped. A file with an
    /// unfinished header, from a stream or a recorder that was killed, is read to its end. Consecutive files of one format are read
    /// as one sound.
    ///
    /// - Parameter allowsWrongSizes: True to read the samples to the end even if the header declares another size. For servers that
    ///   stream files; a truncated file is not detected then.
    /// - Throws: ``WAVError``. A size beyond the end of the bytes is `truncated`, unless the file is a stream of unknown length.
    /// - SeeAlso: Microsoft, *Multiple channel audio data and WAVE files*, for the extensible format; EBU Tech 3306 for RF64.
    package init(parsing data: Data, allowsWrongSizes: Bool = false) throws(WAVError) {
        var (file, end) = try Self.first(of: data, allowsWrongSizes: allowsWrongSizes)
        while end < data.count, WAVBytes.isFile(data, at: end) {
            let (next, length) = try Self.first(of: data.dropFirst(end), allowsWrongSizes: allowsWrongSizes)
            guard (next.sampleRate, next.channelCount) == (file.sampleRate, file.channelCount) else {
                throw WAVError(.unsupported, "The sound changes its format")
            }
            file.samples += next.samples
            end += length
        }
        self = file
    }

    /// Returns the first file in `data`, and the offset of its end.
    private static func first(of data: Data, allowsWrongSizes: Bool) throws(WAVError) -> (file: WAVFile, end: Int) {
        guard let bytes = WAVBytes(data) else {
            throw WAVError(.notWAVE, data.count < 12 ? "The file is too short for a WAVE file" : "The file is not a WAVE file")
        }
        var format: Format?
        var samples: Range<Int>?
        var longSize: Int?
        var offset = 12
        var chunkCount = 0
        // Fewer than eight bytes at the end are padding.
        while let tag = bytes.tag(at: offset), let declared = bytes.integer(at: offset + 4, bytes: 4) {
            if let known = samples {
                if WAVBytes.isFile(data, at: offset) { break }
                if allowsWrongSizes, !isTag(tag) {
                    samples = known.lowerBound..<bytes.nextFile(from: offset)
                    offset = bytes.nextFile(from: offset)
                    break
                }
            }
            chunkCount += 1
            guard chunkCount <= Self.maximumChunkCount else {
                throw WAVError(.unsupported, "The file has more than \(Self.maximumChunkCount) chunks")
            }
            let start = offset + 8
            let rest = bytes.count - start
            var size = declared
            if tag == "data" {
                if let longSize, declared >= Self.unknownSize { size = longSize }
                let isCut = size > rest && allowsWrongSizes
                if Self.isUnknown(size) || isCut || size == 0 && !Self.isChunk(at: start, bytes) {
                    size = bytes.nextFile(from: start) - start
                }
            }
            guard size <= rest else {
                // A truncated chunk after the samples is ignored.
                if allowsWrongSizes, samples != nil {
                    offset = bytes.count
                    break
                }
                throw WAVError(.truncated, "The chunk '\(tag)' has \(declared) bytes, but \(rest) follow")
            }
            switch tag {
            case "fmt ":
                guard format == nil else { throw WAVError(.malformed, "The file has two format chunks") }
                format = try Format(bytes, at: start, size: size)
            case "data":
                guard samples == nil else { throw WAVError(.unsupported, "The file has two data chunks") }
                samples = start..<start + size
            case "ds64":
                // The size of the data in 64 bits. A size beyond 32 bits cannot be that of bytes in memory.
                if size >= 16, bytes.integer(at: start + 12, bytes: 4) == 0 { longSize = bytes.integer(at: start + 8, bytes: 4) }
            default: break
            }
            offset = start + size
            // Some writers leave out the padding before the next file.
            if size % 2 == 1, !WAVBytes.isFile(data, at: offset) { offset += 1 }
        }
        guard let format else { throw WAVError(.malformed, "The file has no format chunk") }
        guard let samples else { throw WAVError(.malformed, "The file has no data chunk") }
        let whole = samples.count - samples.count % format.frameSize
        let file = WAVFile(
            sampleRate: format.sampleRate, channelCount: format.channelCount,
            samples: format.encoding.samples(
                bytes.data(in: samples.lowerBound..<samples.lowerBound + whole), isBigEndian: bytes.isBigEndian))
        return (file, offset)
    }

    private static func isUnknown(_ size: Int) -> Bool { size >= unknownSize }

    /// True if the file ends or another chunk begins at the offset: a data chunk of size 0 before it is then empty, not unfinished.
    private static func isChunk(at offset: Int, _ bytes: WAVBytes) -> Bool {
        if offset >= bytes.count { return true }
        guard let tag = bytes.tag(at: offset), let size = bytes.integer(at: offset + 4, bytes: 4) else { return false }
        return size <= bytes.count - offset - 8 && isTag(tag)
    }

    private static func isTag(_ tag: String) -> Bool { !tag.contains("?") && tag.contains { $0.isLetter } }
}

/// The format chunk.
private struct Format {
    var sampleRate: Int
    var channelCount: Int
    /// The size of a frame, in bytes.
    var frameSize: Int
    var encoding: SampleEncoding

    /// - Throws: ``WAVError``.
    init(_ bytes: WAVBytes, at start: Int, size: Int) throws(WAVError) {
        guard size >= 16, let kind = bytes.integer(at: start, bytes: 2), let channels = bytes.integer(at: start + 2, bytes: 2),
            let rate = bytes.integer(at: start + 4, bytes: 4), let frameSize = bytes.integer(at: start + 12, bytes: 2),
            let bits = bytes.integer(at: start + 14, bytes: 2)
        else { throw WAVError(.malformed, "The format chunk has \(size) bytes; at least 16 are required") }
        var code = kind
        if kind == 0xFFFE {
            guard size >= 40, let subformat = bytes.integer(at: start + 24, bytes: 2) else {
                throw WAVError(.malformed, "The extensible format chunk has \(size) bytes; 40 are required")
            }
            code = subformat
        }
        guard WAVFile.channelCounts ~= channels else {
            throw WAVError(.unsupported, "\(channels) channels are not supported")
        }
        guard WAVFile.sampleRates ~= rate else { throw WAVError(.unsupported, "A sample rate of \(rate) Hz is not supported") }
        var sampleSize = (bits + 7) / 8
        // Samples of 24 bits may be stored in 32.
        if frameSize == channels * 4, bits == 24 || kind == 0xFFFE { sampleSize = max(sampleSize, 4) }
        guard let encoding = SampleEncoding(code, bits: bits, size: sampleSize) else {
            throw [1, 3, 6, 7].contains(code)
                ? WAVError(.unsupported, "Samples of \(bits) bits are not supported")
                : WAVError(.unsupported, "The encoding \(code) is not supported; use PCM")
        }
        guard frameSize == channels * sampleSize else {
            throw WAVError(.malformed, "A frame of \(frameSize) bytes does not hold \(channels) samples of \(bits) bits")
        }
        (sampleRate, channelCount, self.frameSize, self.encoding) = (rate, channels, frameSize, encoding)
    }
}

/// The bytes of a WAVE file, by offsets from zero. Reads beyond the end return nil.
private struct WAVBytes {
    private let data: Data
    let isBigEndian: Bool
    var count: Int { data.count }

    private static let containers = ["RIFF", "RIFX", "RF64", "BW64"]

    /// - Returns: nil for bytes that are not a WAVE file.
    init?(_ data: Data) {
        guard Self.isFile(data, at: 0) else { return nil }
        self.data = data
        isBigEndian = data.starts(with: "RIFX".utf8)
    }

    /// True if a WAVE file begins at the offset.
    static func isFile(_ data: Data, at offset: Int) -> Bool {
        let bytes = data.dropFirst(offset)
        return containers.contains { bytes.starts(with: $0.utf8) } && bytes.dropFirst(8).starts(with: "WAVE".utf8)
    }

    /// Returns the offset of the next file at or after `offset`; the end of the data if there is none.
    func nextFile(from offset: Int) -> Int {
        var rest = data.dropFirst(offset)
        while let mark = rest.firstRange(of: Data("WAVE".utf8)) {
            let start = mark.lowerBound - data.startIndex - 8
            if start >= offset, Self.isFile(data, at: start) { return start }
            rest = data[mark.upperBound...]
        }
        return count
    }

    func tag(at offset: Int) -> String? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        let start = data.startIndex + offset
        // Bytes that are not printable ASCII become question marks, so that error messages can show the tag.
        return String(decoding: data[start..<start + 4].map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// Returns an unsigned integer of up to four bytes; nil beyond the end.
    func integer(at offset: Int, bytes: Int) -> Int? {
        guard offset >= 0, offset <= count - bytes else { return nil }
        let start = data.startIndex + offset
        let value = data[start..<start + bytes]
        return isBigEndian ? value.reduce(0) { $0 << 8 | Int($1) } : value.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func data(in range: Range<Int>) -> Data {
        Data(data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
    }
}
