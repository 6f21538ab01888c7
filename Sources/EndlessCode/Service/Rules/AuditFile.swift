import EndlessCodeWire
package import Foundation
import NIOConcurrencyHelpers
package import ServerKit
import WireKit

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The record of all decisions about agents: one line of JSON for each, only appended to, readable by its owner alone.
package final class AuditFile: Sendable {
    /// A decision that could not be written down.
    struct Failure: Error { var reason: String }

    private let descriptor: NIOLockedValueBox<Int32>

    /// - Throws: `StartupError`.
    package init(_ file: URL) throws(StartupError) {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { Self.close(descriptor) }
            throw StartupError("Cannot write \(file.path): \(reason)")
        }
        self.descriptor = NIOLockedValueBox(descriptor)
    }

    deinit { Self.close(descriptor.withLockedValue { $0 }) }

    /// Appends a decision. It is on disk when this returns.
    ///
    /// - Throws: ``Failure``.
    func append(_ entry: Entry) throws {
        let line = try WireJSON.encode(entry) + Data("\n".utf8)
        try descriptor.withLockedValue { descriptor in
            var rest = [UInt8](line)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 || errno == EINTR else { throw Failure(reason: String(cString: strerror(errno))) }
                rest = rest.dropFirst(max(0, count))
            }
            guard fsync(descriptor) == 0 else { throw Failure(reason: String(cString: strerror(errno))) }
        }
    }

    private static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
            Darwin.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
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
