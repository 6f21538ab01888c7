/// The state of the git repository whose `.git` folder lies directly in a project's folder.
public actor ProjectGit {
    /// - Parameters:
    ///   - program: The path of `git`; nil: `git` from `PATH`.
    ///   - timeLimit: For each run of the program, which is killed with its process group afterwards.
    ///   - cacheDuration: The time for which ``marks()`` repeats its last result.
    public init(
        _ folder: ProjectFolder, program: String? = nil, timeLimit: Duration = .seconds(10), cacheDuration: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock())

    /// The marks of all changed files. `.none` without a repository and when git fails.
    public func marks() async -> GitMarks

    /// The diffs of the work tree.
    ///
    /// - Throws: ``ProjectError`` with code `failed` if git is not installed, exceeds the time limit or fails.
    public func diff() async throws(ProjectError) -> GitDiff
}
