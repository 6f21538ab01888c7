public import WireKit

/// Part of the content of one folder.
public struct FolderPage: Hashable, Sendable {
    public static let standardLimit = 100
    public static let maximumLimit = 1_000

    public var entries: [FolderEntry]
    /// The number of entries in the whole folder.
    public var totalCount: Int
    /// True if entries follow the last one of ``entries``.
    public var hasMore: Bool
}

/// A file or folder in a listing.
public struct FolderEntry: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        case file
        case directory
    }

    public var name: String
    /// The path from the project's folder, for ``ProjectFolder/list(_:offset:limit:marks:)`` and ``ProjectFolder/content(of:full:)``.
    public var path: String
    /// The kind of what a link leads to.
    public var kind: Kind
    /// The number of bytes; 0 for a folder, and for a file that is deleted in the work tree.
    public var size: Int64
    /// nil for a file that is deleted in the work tree.
    public var modified: Timestamp?
    public var git: GitMark?
}
