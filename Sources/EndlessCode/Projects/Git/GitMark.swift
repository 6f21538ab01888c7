/// The difference between a file in the work tree and the last commit.
package enum GitMark: String, Hashable, Sendable {
    case modified = "M"
    case added = "A"
    case deleted = "D"
    case untracked = "U"
}

/// The unified diffs of a work tree, as `git` writes them.
package struct GitDiff: Hashable, Sendable {
    /// Maximum size of each diff in bytes: 2 MiB.
    package static let maximumSize = 2 << 20

    /// True if the project's folder belongs to a repository that can be read; otherwise both diffs are empty.
    package var isRepository: Bool
    /// The index compared with the last commit.
    package var staged: String
    /// The work tree compared with the index. Untracked files are not part of it.
    package var unstaged: String
    /// True if one of the diffs was cut after its last complete line within ``maximumSize``.
    package var truncated: Bool
    /// An error message for developers if `.git` exists and cannot be read, or if git does not run; nil otherwise.
    package var problem: String?
    /// The other work trees of the repository that lie below the project, such as those that agents make for themselves.
    package var workTrees: [GitWorkTree]

    package init(
        isRepository: Bool, staged: String, unstaged: String, truncated: Bool, problem: String? = nil, workTrees: [GitWorkTree] = []
    ) {
        (self.isRepository, self.staged, self.unstaged, self.truncated) = (isRepository, staged, unstaged, truncated)
        (self.problem, self.workTrees) = (problem, workTrees)
    }
}

/// Another work tree of a project's repository, with its diffs as in ``GitDiff``.
package struct GitWorkTree: Hashable, Sendable {
    /// The path from the project's folder.
    package var path: String
    /// The branch of the work tree; nil for a detached `HEAD`.
    package var branch: String?
    package var staged: String
    package var unstaged: String
    package var truncated: Bool
    package var problem: String?

    package init(
        path: String, branch: String?, staged: String = "", unstaged: String = "", truncated: Bool = false, problem: String? = nil
    ) {
        (self.path, self.branch, self.staged, self.unstaged) = (path, branch, staged, unstaged)
        (self.truncated, self.problem) = (truncated, problem)
    }
}
