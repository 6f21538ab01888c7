import Foundation

/// Finds the programs of agents.
package enum AgentProgram {
    /// Returns the absolute path of an agent's program.
    ///
    /// - Parameters:
    ///   - given: A path or a name that the user set; nil for `name`.
    ///   - name: The usual name, such as `claude`.
    ///   - environment: A name is looked up in its `PATH`. Relative folders of `PATH` are skipped.
    /// - Throws: ``AgentError/programNotFound(_:)``.
    package static func find(
        _ given: String? = nil, name: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(AgentError) -> String {
        let wanted = given ?? name
        guard !wanted.isEmpty else { throw .programNotFound(wanted) }
        if wanted.contains("/") {
            let path = URL(filePath: expandingHome(wanted, environment)).absoluteURL.standardizedFileURL.path
            guard isExecutable(path) else { throw .programNotFound(wanted) }
            return path
        }
        for folder in (environment["PATH"] ?? "").split(separator: ":") where folder.hasPrefix("/") {
            let path = "\(folder)/\(wanted)"
            if isExecutable(path) { return path }
        }
        throw .programNotFound(wanted)
    }

    private static func expandingHome(_ path: String, _ environment: [String: String]) -> String {
        guard path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
        return home + path.dropFirst()
    }

    private static func isExecutable(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let files = FileManager.default
        return files.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue && files.isExecutableFile(atPath: path)
    }
}
