public import WireKit

/// A folder that a coding agent works in.
public struct Project: Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<Project>

    /// 32 lower-case hexadecimal digits. The same for the same folder and salt; see ``ProjectCatalog``.
    public var id: ID
    /// The last component of the path.
    public var name: String
    public var folder: ProjectFolder
    /// The number of earlier sessions in the agent's history, subagents left out.
    public var sessionCount: Int
    /// The last change of a session; nil without one.
    public var lastUsed: Timestamp?

    /// The absolute path without links.
    public var path: String { folder.path }
}
