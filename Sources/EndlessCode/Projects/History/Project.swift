package import WireKit

/// A folder that a coding agent works in.
package struct Project: Hashable, Sendable, Identifiable {
    package typealias ID = Identifier<Project>

    /// 32 lower-case hexadecimal digits. The same for the same folder and salt; see ``ProjectCatalog``.
    package var id: ID
    /// The last component of the path.
    package var name: String
    package var folder: ProjectFolder
    /// Count of earlier sessions in the agent's history, without subagents.
    package var sessionCount: Int
    /// The time of the last change of a session; nil without sessions.
    package var lastUsed: Timestamp?

    /// The absolute path without links.
    package var path: String { folder.path }
}
