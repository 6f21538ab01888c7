import Foundation
import Logging
import ServerKit

/// The folders of a box's phones. Changes run in order, off the main actor.
final class PhoneFiles: Sendable {
    private let folder: URL
    /// The key that seals the secrets of the phones.
    let key: PhoneKey
    private let logger: Logger
    private let queue = DispatchQueue(label: "phone files")

    init(_ folder: URL, key: PhoneKey, logger: Logger) {
        self.folder = folder
        self.key = key
        self.logger = logger
    }

    func folder(of identity: String) -> URL { folder.appending(path: identity) }

    /// The file that marks the folder of a phone that has entered the access code.
    private func admission(of identity: String) -> URL { folder(of: identity).appending(path: "admitted") }

    func isAdmitted(_ identity: String) -> Bool { FileManager.default.fileExists(atPath: admission(of: identity).path) }

    /// - Throws: `StartupError` and errors of Foundation when the folder cannot be made.
    func admit(_ identity: String) async throws {
        let file = admission(of: identity)
        try await perform {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try PrivateFiles.create(file, text: "")
        }
    }

    /// Records that a phone is used now.
    func touch(_ identity: String) {
        let path = folder(of: identity).path
        queue.async {
            // A phone without a folder has stored nothing. At worst a folder looks older than it is.
            try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: path)
        }
    }

    /// Removes the folder of a forgotten phone.
    func removeFolder(of identity: String, ending life: PhoneLife) {
        let folder = folder(of: identity)
        queue.async { [logger] in
            life.end()
            do {
                try FileManager.default.removeItem(at: folder)
            } catch CocoaError.fileNoSuchFile {
                // The phone had stored nothing.
            } catch {
                logger.error("A phone's folder could not be removed", metadata: ["phone": "\(identity)", "error": "\(error)"])
            }
        }
    }

    /// Removes folders unused for longer than `expiry`, in seconds, and the oldest beyond `limit`; never those of `phones`.
    func removeUnused(except phones: Set<String>, expiry: TimeInterval, limit: Int) {
        queue.async { [folder] in
            let keys: Set<URLResourceKey> = [.contentModificationDateKey]
            let files = FileManager.default
            let all = (try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))) ?? []
            let folders = all.filter { Phones.isIdentity($0.lastPathComponent) }
            let dated = folders.map { ($0, (try? $0.resourceValues(forKeys: keys).contentModificationDate) ?? .distantPast) }
            let sorted = dated.sorted { $0.1 > $1.1 }
            for (index, (folder, date)) in sorted.enumerated() where !phones.contains(folder.lastPathComponent) {
                // A folder that cannot be removed now is removed the next time.
                if index >= limit || date.timeIntervalSinceNow < -expiry { try? files.removeItem(at: folder) }
            }
        }
    }

    /// Waits for all earlier changes.
    func flush() async { try? await perform {} }

    private func perform(_ change: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: change)) }
        }
    }
}
