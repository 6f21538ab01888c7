public import WireKit

/// A file or folder of a project.
public struct FileEntry: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Hashable, Sendable { case file, directory }

    /// The git state of a file, or of the files in a folder.
    public enum GitMark: String, Codable, Hashable, Sendable {
        case modified = "M"
        case added = "A"
        case deleted = "D"
        case untracked = "U"
    }

    public var name: String
    /// The path from the project's folder, with `/` between the names.
    public var path: String
    public var kind: Kind
    /// The size in bytes; 0 for a folder.
    public var size: Int64
    /// The time of the last change; nil for a deleted file.
    public var modified: Timestamp?
    public var git: GitMark?

    public init(name: String, path: String, kind: Kind, size: Int64, modified: Timestamp?, git: GitMark? = nil) {
        (self.name, self.path, self.kind) = (name, path, kind)
        (self.size, self.modified, self.git) = (size, modified, git)
    }
}

/// A page of a folder: folders first, each group by name.
public struct FolderPage: Codable, Hashable, Sendable {
    public var entries: [FileEntry]
    /// Count of entries in the whole folder.
    public var totalCount: Int
    /// True if the folder has entries after these.
    public var hasMore: Bool

    public init(entries: [FileEntry], totalCount: Int, hasMore: Bool) {
        (self.entries, self.totalCount, self.hasMore) = (entries, totalCount, hasMore)
    }
}

/// The content of a file.
public struct FileContent: Codable, Hashable, Sendable {
    public enum Encoding: String, Codable, Hashable, Sendable {
        /// Text. ``FileContent/content`` is UTF-8, as all JSON is, whatever ``FileContent/charset`` the file has.
        case utf8
        /// Not text; there is no ``FileContent/content``.
        case binary
    }

    public var path: String
    /// The size of the whole file in bytes.
    public var size: Int64
    public var encoding: Encoding
    /// The registered name of the file's own encoding, such as `EUC-KR`, if that is not plain UTF-8.
    public var charset: String?
    public var content: String?
    /// True if ``content`` is only the beginning of the file.
    public var truncated: Bool

    public init(
        path: String, size: Int64, encoding: Encoding, charset: String? = nil, content: String? = nil, truncated: Bool = false
    ) {
        (self.path, self.size, self.encoding, self.charset) = (path, size, encoding, charset)
        (self.content, self.truncated) = (content, truncated)
    }
}

/// The uncommitted changes of a project as unified diffs.
public struct WorkTreeDiff: Codable, Hashable, Sendable {
    /// True if the project's folder belongs to a git repository. Otherwise both texts are empty.
    public var git: Bool
    public var staged: String
    public var unstaged: String
    /// True if a text was cut at ``Limits/diffSize``.
    public var truncated: Bool
    /// An error message for developers; nil if the repository could be read. With a problem, ``git`` is false.
    public var problem: String?
    /// The repository's other work trees below the project's folder; nil if there are none, and from earlier servers.
    public var workTrees: [WorkTree]?

    /// Another work tree, such as an agent makes for itself.
    public struct WorkTree: Codable, Hashable, Sendable {
        /// The path from the project's folder, with `/` between the names.
        public var path: String
        public var branch: String?
        public var staged: String
        public var unstaged: String
        public var truncated: Bool
        /// An error message for developers; nil if the work tree could be read.
        public var problem: String?

        public init(
            path: String, branch: String?, staged: String = "", unstaged: String = "", truncated: Bool = false,
            problem: String? = nil
        ) {
            (self.path, self.branch, self.staged, self.unstaged) = (path, branch, staged, unstaged)
            (self.truncated, self.problem) = (truncated, problem)
        }
    }

    public init(
        git: Bool, staged: String = "", unstaged: String = "", truncated: Bool = false, problem: String? = nil,
        workTrees: [WorkTree]? = nil
    ) {
        (self.git, self.staged, self.unstaged, self.truncated) = (git, staged, unstaged, truncated)
        (self.problem, self.workTrees) = (problem, workTrees)
    }
}
