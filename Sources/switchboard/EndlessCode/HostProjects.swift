import EndlessCodeProjects
import Foundation
import ServerKit
import WireKit

/// The projects of a host.
enum HostProjects {
    /// Returns the absolute path of a folder that the user named.
    ///
    /// - Parameter option: The option that names the folder, for the error.
    /// - Throws: `StartupError` if the path is not a readable folder.
    static func checked(_ path: String, option: String = "--project") throws(StartupError) -> String {
        let folder = URL(filePath: path, directoryHint: .isDirectory).absoluteURL.standardizedFileURL
        do {
            return try ProjectFolder(folder.path).path
        } catch {
            throw StartupError("\(option) \"\(path)\" is not a folder that can be read: \(error.detail)")
        }
    }

    /// Returns the list of the history's folders that the owner shows to phones.
    static func confirmed(in folder: URL) -> OwnerList { OwnerList(file: folder.appending(path: "endlesscode-projects")) }

    /// - Parameters:
    ///   - folders: Absolute paths.
    ///   - history: The agent's own folder, whose projects are listed as well where the owner has confirmed them.
    ///   - repositories: Absolute paths of git folders outside of the projects.
    ///   - secrets: The data folder of the host.
    static func catalog(
        _ folders: [String],
        history: String = ProjectCatalog.standardHistory(environment: ProcessInfo.processInfo.environment),
        repositories: [String] = [], secretsIn secrets: URL
    ) throws(StartupError) -> ProjectCatalog {
        let salt = try StoredText.value(in: secrets.appending(path: "endlesscode-projects.secret")) {
            Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        }
        let confirmed = confirmed(in: secrets)
        return ProjectCatalog(
            history: history, added: folders, confirmed: { confirmed.entries }, repositories: repositories,
            salt: Data(salt.utf8))
    }

    /// Returns a row for the owner about folders of the history that phones do not see; nil if there are none.
    ///
    /// - Parameter command: The command that shows them.
    static func words(aboutUnconfirmed catalog: ProjectCatalog, command: String) async -> String? {
        do {
            let hidden = try await catalog.unconfirmed()
            guard let first = hidden.first else { return nil }
            let others = hidden.count > 1 ? " and \(hidden.count - 1) other \(hidden.count > 2 ? "folders" : "folder")" : ""
            return
                "Not shown to phones: \(first.path.printableInOneRow)\(others), in which Claude Code has been used. To show them: \(command)"
        } catch {
            return "Claude Code's history cannot be read: \(error.detail)"
        }
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
