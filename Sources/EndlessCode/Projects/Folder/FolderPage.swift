package import WireKit

/// A page of the content of a folder.
package struct FolderPage: Hashable, Sendable {
    package static let standardLimit = 100
    package static let maximumLimit = 1_000

    package var entries: [FolderEntry]
    /// Count of entries in the whole folder.
    package var totalCount: Int
    /// True if entries follow the last one of ``entries``.
    package var hasMore: Bool
}

/// A file or folder in a listing.
package struct FolderEntry: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case file
        case directory
    }

    package var name: String
    /// The path from the project's folder, for ``ProjectFolder/list(_:offset:limit:marks:)`` and ``ProjectFolder/content(of:full:)``.
    package var path: String
    /// The kind of the entry, or of a link's target.
    package var kind: Kind
    /// Size in bytes; 0 for a folder, and for a file that is deleted in the work tree.
    package var size: Int64
    /// The time of the last change; nil for a file that is deleted in the work tree.
    package var modified: Timestamp?
    package var git: GitMark?
}
