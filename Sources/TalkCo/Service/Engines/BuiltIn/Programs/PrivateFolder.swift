import Foundation

/// A folder for the files of one run of a program, readable only by the service's user.
struct PrivateFolder {
    let path: String

    /// Runs the work with a new folder, and then removes the folder.
    ///
    /// - Throws: ``EngineError`` when the folder cannot be created; errors of the work.
    static func with<Result>(_ work: (PrivateFolder) async throws -> Result) async throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "talkco-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw EngineError(.failed, "No folder for temporary files can be made: \(error.localizedDescription)")
        }
        // If the removal fails, the operating system removes the temporary files later.
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await work(PrivateFolder(path: path))
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func write(_ data: Data, to name: String) throws {
        do {
            try data.write(to: URL(filePath: path(of: name)))
        } catch {
            throw EngineError(.failed, "A temporary file cannot be written: \(error.localizedDescription)")
        }
    }

    /// - Returns: nil if the file is missing or longer than the limit.
    func read(_ name: String, limit: Int) -> Data? {
        let size = (try? FileManager.default.attributesOfItem(atPath: path(of: name)))?[.size] as? Int ?? 0
        return size > limit ? nil : FileManager.default.contents(atPath: path(of: name))
    }
}
