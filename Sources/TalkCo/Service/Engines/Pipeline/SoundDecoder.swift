import AudioKit
import Foundation

/// The decoder of compressed sound, which runs FFmpeg as a program.
struct SoundDecoder: Sendable {
    /// Maximum size of the samples, in bytes: more than ten minutes.
    private static let maximumSize = 33_554_432

    private let program: ChildProgram

    /// - Parameters:
    ///   - searchPath: The folders that are searched for the program.
    ///   - timeLimit: The timeout of one sentence.
    /// - Returns: nil if FFmpeg is not installed.
    init?(in searchPath: String, timeLimit: Duration = .seconds(10)) {
        guard let path = ChildProgram.find("ffmpeg", in: searchPath) else { return nil }
        program = ChildProgram(path: path, timeLimit: timeLimit)
    }

    /// Returns the samples of a file in `SpeechFormat`.
    ///
    /// The format is given to the program, which could otherwise take the file for a list of other files and addresses.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func samples(of file: Data, _ format: SoundFormat) async throws -> Data {
        guard let demuxer = Self.demuxers[format] else { throw EngineError(.failed, "\(format.rawValue) cannot be decoded") }
        return try await PrivateFolder.with { folder in
            try folder.write(file, to: "speech")
            let input = ["-protocol_whitelist", "file", "-f", demuxer, "-i", "speech", "-vn", "-sn", "-dn"]
            let output = ["-ac", "1", "-ar", "\(SpeechServer.sampleRate)", "-fs", "\(Self.maximumSize)", "-f", "s16le", "samples"]
            _ = try await program.run(
                ["-nostdin", "-hide_banner", "-v", "error", "-threads", "1"] + input + output, in: folder.path, outputLimit: 65_536)
            guard let samples = folder.read("samples", limit: 2 * Self.maximumSize), !samples.isEmpty else {
                throw EngineError(.failed, "\(program.name) found no sound")
            }
            return samples.count.isMultiple(of: PCM16.sampleSize) ? samples : samples.dropLast()
        }
    }

    /// FFmpeg's names of formats.
    private static let demuxers: [SoundFormat: String] = [
        .wave: "wav", .mp3: "mp3", .aac: "aac", .flac: "flac", .ogg: "ogg", .webM: "matroska", .m4a: "mov", .aiff: "aiff",
        .au: "au",
        .caf: "caf", .amr: "amr", .wma: "asf",
    ]
}
