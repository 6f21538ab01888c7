package import EndlessCodeWire

/// The projects of a server's computer.
package protocol ProjectSource: Sendable {
    /// The latest use first.
    func projects() async throws -> [Project]
    /// - Returns: Nil for an unknown one.
    func project(_ id: Project.ID) async throws -> Project?
    /// The sessions in the agent's own files; terminated.
    func earlierSessions(of id: Project.ID) async throws -> [Session]

    /// A page of a folder.
    ///
    /// - Parameter path: From the project's folder; empty for that itself.
    func folder(_ path: String, of id: Project.ID, offset: Int) async throws -> FolderPage
    /// - Parameter full: Up to ``Limits/fullFileSize`` instead of ``Limits/fileSize``.
    func file(_ path: String, of id: Project.ID, full: Bool) async throws -> FileContent
    func diff(of id: Project.ID) async throws -> WorkTreeDiff
}
