package import EndlessCodeWire

/// The projects of a server's computer.
package protocol ProjectSource: Sendable {
    /// The latest use first.
    func projects() async throws -> [Project]
    /// - Returns: Nil for an unknown one.
    func project(_ id: Project.ID) async throws -> Project?
    /// The sessions in the agent's own files; terminated.
    func earlierSessions(of id: Project.ID) async throws -> [Session]
}
