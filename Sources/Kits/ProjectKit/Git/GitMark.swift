/// The difference between a file in the work tree and the last commit.
public enum GitMark: String, Hashable, Sendable {
    case modified = "M"
    case added = "A"
    case deleted = "D"
    case untracked = "U"
}

/// The unified diffs of a work tree, as `git` writes them.
public struct GitDiff: Hashable, Sendable {
    /// The maximum size of each diff in bytes: 2 MiB.
    public static let maximumSize = 2 << 20

    /// False if the project's folder itself has no repository that can be read; then both diffs are empty.
    public var isRepository: Bool
    /// The index compared with the last commit.
    public var staged: String
    /// The work tree compared with the index. Untracked files are not part of it.
    public var unstaged: String
    /// True if one of the diffs was cut after its last complete line within ``maximumSize``.
    public var truncated: Bool
    /// A sentence for developers about a `.git` that is there and cannot be read, or a git that does not run.
    public var problem: String?

    public init(isRepository: Bool, staged: String, unstaged: String, truncated: Bool, problem: String? = nil) {
        (self.isRepository, self.staged, self.unstaged, self.truncated) = (isRepository, staged, unstaged, truncated)
        self.problem = problem
    }
}
