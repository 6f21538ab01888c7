public import Foundation
public import WireKit

/// The projects of this machine and their earlier sessions: folders in the history of the agent, and folders added by the user.
///
/// Nothing is ever written to the history. Results of scans are cached by the size and modification time of each file.
public actor ProjectCatalog {
    /// - Parameters:
    ///   - history: The agent's folder; see ``standardHistory(environment:)``. It need not exist.
    ///   - added: Folders that the user added, as absolute paths.
    ///   - salt: Random bytes that this host keeps over restarts. Without them a project's identifier cannot be derived from its path.
    public init(history: String, added: [String] = [], salt: Data)

    /// The agent's folder: `CLAUDE_CONFIG_DIR`, otherwise `.claude` in the user's home folder.
    public static func standardHistory(environment: [String: String]) -> String

    /// Adds a folder.
    ///
    /// - Throws: ``ProjectError`` if it is not a folder that can be opened.
    public func add(_ path: String) throws(ProjectError) -> Project.ID
    public func remove(_ id: Project.ID)

    /// Projects whose folders exist, newest use first, then by name.
    ///
    /// - Parameter sessions: Identifiers of sessions that are not counted.
    public func projects(excluding sessions: Set<EarlierSession.ID> = []) async throws(ProjectError) -> [Project]
    /// - Throws: `notFound`.
    public func project(_ id: Project.ID) async throws(ProjectError) -> Project

    /// The earlier sessions of a project, newest activity first. Subagents' transcripts and sessions without a message are left out.
    public func sessions(of id: Project.ID) async throws(ProjectError) -> [EarlierSession]

    /// Messages of an earlier session: of the parent chain that ends with the newest message.
    ///
    /// - Parameters:
    ///   - limit: 1…1,000.
    ///   - before: The number of the message before which the page ends; nil: the page ends with the newest.
    public func messages(
        of session: EarlierSession.ID, in id: Project.ID, limit: Int = HistoryPage.maximumLimit, before: Int? = nil
    ) async throws(ProjectError) -> HistoryPage
}
