package import WireKit

/// A folder that a coding agent works in.
package struct Project: Hashable, Sendable, Identifiable {
    package typealias ID = Identifier<Project>

    /// 32 lower-case hexadecimal digits. The same for the same folder and salt; see ``ProjectCatalog``.
    package var id: ID
    /// The last component of the path.
    package var name: String
    package var folder: ProjectFolder
    /// The number of earlier sessions in the agent's history, subagents left out.
    package var sessionCount: Int
    /// The last change of a session; nil without one.
    package var lastUsed: Timestamp?

    /// The absolute path without links.
    package var path: String { folder.path }
}
