import Foundation
import SystemTypes
import WireKit

/// The texts that the simulated network has accepted, as a file with one line of JSON each.
///
/// ```
///   {"body":"Hello","sim":1,"time":"2026-11-22T05:00:00.123Z","to":"+15550123"}
/// ```
///
/// A written text survives the end of the process, but not a power cut. At ``limit``, the file is renamed to `….old`, in place of
/// an earlier `….old`, and a new file begins.
package struct SentRecord: Sendable {
    package struct Text: Codable, Hashable, Sendable {
        /// The time of acceptance, in ISO 8601 with milliseconds, UTC.
        package var time: String
        package var sim: Int
        package var to: String
        package var body: String
    }

    package static let standardLimit = 8 * 1_048_576

    package let path: String
    /// Approximate maximum size of one file, in bytes.
    private let limit: Int

    package init(path: String, limit: Int = standardLimit) { (self.path, self.limit) = (path, limit) }

    /// Appends a text. Must be called by one task at a time.
    ///
    /// - Throws: `OwnFile.Failure`; `Errno`.
    func append(_ body: String, to number: String, sim: Int, at time: Date = Date()) throws {
        let text = Text(
            time: time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)), sim: sim, to: number, body: body)
        let line = try WireJSON.encode(text) + Data("\n".utf8)
        let file = FileDescriptor(rawValue: try OwnFile.openForAppending(path))
        let size = try file.closeAfter {
            _ = try file.writeAll(line)
            return try file.seek(offset: 0, from: .end)
        }
        guard size >= limit else { return }
        guard rename(path, path + ".old") == 0 else { throw Errno(rawValue: errno) }
    }

    /// Returns the texts of the current file, the oldest first.
    ///
    /// - Throws: `CocoaError` without a file; `DecodingError` or `WireJSONError` for a line of another format.
    package func texts() throws -> [Text] {
        try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n")).map { try WireJSON.decode(from: $0) }
    }
}
