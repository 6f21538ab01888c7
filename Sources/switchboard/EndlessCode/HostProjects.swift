import Foundation
import ProjectKit
import ServerKit

/// The projects of a host.
enum HostProjects {
    /// The absolute path of a folder that the user named.
    ///
    /// - Throws: `StartupError` if it is no folder that can be read.
    static func checked(_ path: String) throws(StartupError) -> String {
        let folder = URL(filePath: path, directoryHint: .isDirectory).absoluteURL.standardizedFileURL
        do {
            return try ProjectFolder(folder.path).path
        } catch {
            throw StartupError("--project \"\(path)\" is not a folder that can be read: \(error.detail)")
        }
    }

    /// - Parameters:
    ///   - folders: Absolute paths.
    ///   - history: The agent's own folder, whose projects are listed as well.
    ///   - secrets: The data folder of the host.
    static func catalog(
        _ folders: [String],
        history: String = ProjectCatalog.standardHistory(environment: ProcessInfo.processInfo.environment),
        secretsIn secrets: URL
    ) throws(StartupError) -> ProjectCatalog {
        let salt = try StoredText.value(in: secrets.appending(path: "endlesscode-projects.secret")) {
            Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        }
        return ProjectCatalog(history: history, added: folders, salt: Data(salt.utf8))
    }
}

/// A short text that is drawn once and kept in a private file.
enum StoredText {
    /// Reads the text in `file`, or draws one and stores it.
    static func value(in file: URL, draw: () -> String) throws(StartupError) -> String {
        if !FileManager.default.fileExists(atPath: file.path) { try PrivateFiles.create(file, text: draw() + "\n") }
        let text = try PrivateFiles.secret(in: file).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw StartupError("\(file.path) is empty; remove it to create a new one") }
        return text
    }
}
