package import Foundation

/// The format of a sound file, by its first bytes.
package enum SoundFormat: String, Hashable, Sendable, CaseIterable {
    case wave = "WAV"
    case mp3 = "MP3"
    /// AAC in ADTS frames.
    case aac = "AAC"
    case flac = "FLAC"
    /// Opus or Vorbis.
    case ogg = "Ogg"
    case webM = "WebM"
    case m4a = "M4A"
    case aiff = "AIFF"
    case au = "AU"
    case caf = "CAF"
    case amr = "AMR"
    case wma = "WMA"

    /// Maximum bytes that ``init(beginning:)`` reads: two frames of MP3 after an empty tag.
    package static let signatureSize = 4_096

    /// - Parameter data: The beginning of the file, ``signatureSize`` bytes or the whole file.
    /// - Returns: nil for bytes without a known signature, such as raw samples.
    package init?(beginning data: Data) {
        let bytes = Array(data.prefix(Self.signatureSize))
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if ["RIFF", "RIFX", "RF64", "BW64"].contains(where: { has($0) }), has("WAVE", at: 8) {
            self = .wave
        } else if has("ID3") {
            self = .mp3
        } else if has("fLaC") {
            self = .flac
        } else if has("OggS") {
            self = .ogg
        } else if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .webM
        } else if has("ftyp", at: 4) {
            self = .m4a
        } else if has("FORM"), has("AIF", at: 8) {
            self = .aiff
        } else if has(".snd") {
            self = .au
        } else if has("caff") {
            self = .caf
        } else if has("#!AMR") {
            self = .amr
        } else if bytes.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) {
            self = .wma
        } else if Self.hasFrames(bytes, Self.aacFrameSize) || has("ADIF") {
            self = .aac
        } else if Self.hasFrames(bytes, Self.mp3FrameSize) {
            self = .mp3
        } else {
            return nil
        }
    }

    /// True if two frames follow each other, or one frame is the whole file: a single sync word may also be a sample.
    private static func hasFrames(_ bytes: [UInt8], _ size: ([UInt8], Int) -> Int?) -> Bool {
        guard let first = size(bytes, 0) else { return false }
        return first == bytes.count || size(bytes, first) != nil
    }

    /// Returns the size of the MP3 frame at an offset; nil if there is none. Source: ISO/IEC 11172-3, 2.4.1.3, and 13818-3.
    private static func mp3FrameSize(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard offset + 4 <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] & 0xE0 == 0xE0 else { return nil }
        let version = (bytes[offset + 1] >> 3) & 3
        let (rateIndex, bitRateIndex) = (Int(bytes[offset + 2] >> 2) & 3, Int(bytes[offset + 2] >> 4))
        // Layer III.
        guard (bytes[offset + 1] >> 1) & 3 == 1, version != 1, rateIndex != 3, 1...14 ~= bitRateIndex else { return nil }
        let isFirst = version == 3
        let rate = [44_100, 48_000, 32_000][rateIndex] / (isFirst ? 1 : version == 2 ? 2 : 4)
        let bitRates =
            isFirst
            ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
            : [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        return (isFirst ? 144 : 72) * bitRates[bitRateIndex - 1] * 1_000 / rate + Int(bytes[offset + 2] >> 1) & 1
    }

    /// Returns the size of the ADTS frame at an offset, in bytes; nil if there is none. Source: ISO/IEC 13818-7, 6.2.
    private static func aacFrameSize(_ bytes: [UInt8], at offset: Int) -> Int? {
        guard offset + 7 <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] & 0xF6 == 0xF0,
            (bytes[offset + 2] >> 2) & 15 < 13
        else { return nil }
        let size = Int(bytes[offset + 3] & 3) << 11 | Int(bytes[offset + 4]) << 3 | Int(bytes[offset + 5]) >> 5
        return size >= 7 ? size : nil
    }
}
