import EndlessCodeWire
package import Foundation
package import ServerKit
import WireKit

/// The record of all decisions about agents: one line of JSON for each, only appended to, readable by its owner alone.
///
/// At ``limit`` a new file begins, and the full one is kept as `….old` in place of the one before.
package final class AuditFile: Sendable {
    /// A decision that could not be written down.
    struct Failure: Error { var reason: String }

    /// The maximum size of one file, in bytes; a longer line has a file of its own.
    static let standardLimit = 64 * 1_048_576

    private struct State {
        var descriptor: Int32
        var size: Int
    }

    private let file: URL
    private let limit: Int
    private let state: Locked<State>

    /// - Throws: `StartupError`, also for another user's file and for anything but a regular one, such as a FIFO without a reader.
    package convenience init(_ file: URL) throws(StartupError) { try self.init(file, limit: Self.standardLimit) }

    init(_ file: URL, limit: Int) throws(StartupError) {
        do {
            state = Locked(try Self.open(file))
        } catch {
            throw StartupError("Cannot write \(file.path): \(error)")
        }
        (self.file, self.limit) = (file, limit)
    }

    deinit { close(state.withLock { $0.descriptor }) }

    private static func open(_ file: URL) throws(OwnFile.Failure) -> State {
        let descriptor = try OwnFile.openForAppending(file.path)
        return State(descriptor: descriptor, size: Int(lseek(descriptor, 0, SEEK_END)))
    }

    /// Appends a decision. It is on disk when this returns.
    ///
    /// - Throws: ``Failure``.
    func append(_ entry: Entry) throws {
        let line = try WireJSON.encode(entry) + Data("\n".utf8)
        try state.withLock { state in
            do {
                if state.size > 0, state.size + line.count > limit { try begin(&state) }
                try OwnFile.write(line, to: state.descriptor)
            } catch {
                // The next line does not follow a part of this one.
                ftruncate(state.descriptor, off_t(state.size))
                throw Failure(reason: "\(error)")
            }
            state.size += line.count
            guard fsync(state.descriptor) == 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        }
    }

    /// Begins a new file.
    private func begin(_ state: inout State) throws(OwnFile.Failure) {
        // Absent: an earlier attempt has renamed it, and could not create the new one.
        guard rename(file.path, file.path + ".old") == 0 || errno == ENOENT else { throw .system(errno) }
        let new = try Self.open(file)
        close(state.descriptor)
        state = new
    }

    /// One decision.
    struct Entry: Codable, Hashable {
        var at: Timestamp
        var sessionId: Session.ID
        var promptId: PromptRequest.ID
        var kind: PromptRequest.Kind
        var outcome: PromptResolved.Outcome
        /// The question as it was shown.
        var question: String
        var toolName: String?
        /// The tool's input, character for character as the agent wrote it.
        var input: String?
        var selectedOptions: [String]?
        var customInput: String?
        /// The phone's name and id.
        var by: String?
        var phone: String?
    }
}
