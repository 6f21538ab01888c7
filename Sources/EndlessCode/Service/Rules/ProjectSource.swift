package import EndlessCodeWire

/// The projects of a server's computer.
package protocol ProjectSource: Sendable {
    /// The latest use first.
    ///
    /// - Parameter sessions: Identifiers of earlier sessions that are not counted, because the caller counts them.
    func projects(without sessions: Set<String>) async throws -> [Project]
    /// - Returns: Nil for an unknown one.
    func project(_ id: Project.ID) async throws -> Project?
    /// The sessions in the agent's own files; terminated.
    func earlierSessions(of id: Project.ID) async throws -> [Session]
    /// The work trees that agents have made for sessions and work in, by the agent's own identifier of the session: paths from the project's folder.
    func workTrees(of id: Project.ID) async throws -> [String: String]
    /// One of them, whatever its project. Nil for an unknown one.
    func earlierSession(_ id: Session.ID) async throws -> Session?
    /// Messages of an earlier session, the newest last. Their numbers are from 1 without gaps.
    ///
    /// - Parameters:
    ///   - limit: Within ``Limits/historyPageSizes``. Large messages may make fewer of it.
    ///   - before: The number before which the page ends.
    /// - Returns: Nothing for a session that is not there any more.
    func earlierMessages(of id: Session.ID, in project: Project.ID, limit: Int, before: Int64) async throws -> [LoggedMessage]

    /// A page of a folder.
    ///
    /// - Parameter path: From the project's folder; empty for that itself.
    func folder(_ path: String, of id: Project.ID, offset: Int) async throws -> FolderPage
    /// - Parameter full: Up to ``Limits/fullFileSize`` instead of ``Limits/fileSize``.
    func file(_ path: String, of id: Project.ID, full: Bool) async throws -> FileContent
    func diff(of id: Project.ID) async throws -> WorkTreeDiff
}
