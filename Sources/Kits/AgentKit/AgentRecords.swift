public import Foundation

/// The running agents of a host, in a folder: what a killed host left is found and killed at its next start.
///
/// Each agent has a file with its mark (``AgentEnvironment/mark``), its process id and the start of that process. On Linux a process
/// belongs to an agent if its environment contains the mark, also if it left the process group. Elsewhere the process group is
/// killed if its leader still is the recorded process.
public struct AgentRecords: Sendable {
    let folder: URL

    /// - Parameter folder: Created if missing, for its owner only.
    public init(in folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
