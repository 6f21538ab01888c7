/// The git state of a project: of its own repository or of one around it, with the submodules inside the project.
///
/// The installed `git` runs without the configurations of the repository and of the user: it starts no program that they name, and
/// reads only the folders of ``GitLocation``. See ``GitScratch``.
package actor ProjectGit {
    /// Maximum size of git's status output in bytes. Marks beyond it are missing.
    private static let maximumStatusSize = 8 << 20
    private static let maximumSubmodules = 30
    private static let maximumSubmoduleDepth = 3
    private static let maximumWorkTrees = 10

    private let folder: ProjectFolder
    private let roots: @Sendable () async -> [String]
    private let git: GitProgram
    private let cacheDuration: Duration
    private var cached: (marks: GitMarks, age: @Sendable () -> Duration, validity: Duration)?
    private var running: Task<GitMarks, Never>?

    /// - Parameters:
    ///   - roots: Absolute paths, without links, of further folders in which repositories are read; see ``GitLocation``.
    ///   - program: The path of `git`; nil for `git` from `PATH`.
    ///   - timeLimit: Maximum time of each run of the program. Afterwards its process group is killed.
    ///   - cacheDuration: The time for which ``marks()`` repeats its last result; at least five times the duration of the run.
    package init(
        _ folder: ProjectFolder, roots: @escaping @Sendable () async -> [String] = { [] }, program: String? = nil,
        timeLimit: Duration = .seconds(10), cacheDuration: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.folder, self.roots) = (folder, roots)
        self.cacheDuration = cacheDuration
        git = GitProgram(path: program, timeLimit: timeLimit, clock: clock)
    }

    /// Returns the marks of all changed files; `.none` without a repository, and if git fails. Concurrent calls share one run.
    package func marks() async -> GitMarks {
        if let cached, cached.age() < cached.validity { return cached.marks }
        if let running { return await running.value }
        let duration = Self.stopwatch(git.clock)
        // Several callers share this task, so cancelling one of them does not end it. Git's time limit ends it.
        let task = Task { [folder, roots, git] in (try? await Self.status(of: folder, roots: roots(), git)) ?? .none }
        running = task
        let marks = await task.value
        running = nil
        cached = (marks, Self.stopwatch(git.clock), max(cacheDuration, duration() * 5))
        return marks
    }

    /// Returns the diffs of the work tree. An unreadable repository, a missing git or an exceeded time limit is a
    /// ``GitDiff/problem``.
    package func diff() async -> GitDiff {
        let roots = await roots()
        do {
            guard let scratch = try await GitScratch(for: folder, roots: roots, with: git) else {
                return GitDiff(isRepository: false, staged: "", unstaged: "", truncated: false)
            }
            var diff = GitDiff(isRepository: true, staged: "", unstaged: "", truncated: false)
            try await Self.add(to: &diff, scratch, git)
            for (path, submodule) in await Self.submodules(of: folder, scratch, roots: roots, git) {
                // The project's own changes are shown even if a submodule cannot be read.
                try? await Self.add(to: &diff, submodule, git, below: path)
            }
            diff.workTrees = await Self.workTrees(of: folder, scratch.location, roots: roots, git)
            return diff
        } catch {
            return GitDiff(isRepository: false, staged: "", unstaged: "", truncated: false, problem: Self.reason(of: error))
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case let refusal as GitScratch.Refusal: refusal.reason
        case let error as ProjectError: error.detail
        default: "the repository cannot be read: \(error)"
        }
    }

    /// Adds the diffs of a repository.
    ///
    /// - Parameter path: The path of a submodule from the project, with a slash at its end.
    private static func add(to diff: inout GitDiff, _ scratch: GitScratch, _ git: GitProgram, below path: String = "") async throws
    {
        let (staged, isStagedCut) = try await text(
            ["--cached"], scratch, git, path, limit: GitDiff.maximumSize - diff.staged.utf8.count)
        let (unstaged, isUnstagedCut) = try await text(
            [], scratch, git, path, limit: GitDiff.maximumSize - diff.unstaged.utf8.count)
        diff.staged += staged
        diff.unstaged += unstaged
        diff.truncated = diff.truncated || isStagedCut || isUnstagedCut
    }

    private static func text(
        _ options: [String], _ scratch: GitScratch, _ git: GitProgram, _ path: String, limit: Int
    ) async throws -> (String, Bool) {
        var arguments =
            ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all", "--submodule=short"] + options
        if !path.isEmpty { arguments += ["--src-prefix=a/\(path)", "--dst-prefix=b/\(path)"] }
        let prefix = scratch.location.prefix
        if !prefix.isEmpty { arguments += ["--relative=\(prefix)", "--", prefix] }
        let ending = try await scratch.run(git, arguments, outputLimit: max(limit, 0))
        guard ending.truncated else { return (DiffText.string(ending.output), false) }
        let end = ending.output.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (DiffText.string(Array(ending.output[..<end])), true)
    }

    @concurrent
    private static func status(of folder: ProjectFolder, roots: [String], _ git: GitProgram) async throws -> GitMarks {
        guard let scratch = try await GitScratch(for: folder, roots: roots, with: git) else { return .none }
        var marks = GitMarks()
        try await add(to: &marks, scratch, git)
        for (path, submodule) in await submodules(of: folder, scratch, roots: roots, git) {
            try? await add(to: &marks, submodule, git, below: path)
        }
        return marks
    }

    private static func add(to marks: inout GitMarks, _ scratch: GitScratch, _ git: GitProgram, below path: String = "")
        async throws
    {
        let prefix = scratch.location.prefix
        let ending = try await scratch.run(
            git,
            ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=all", "--no-renames"]
                + (prefix.isEmpty ? [] : ["--", prefix]),
            outputLimit: maximumStatusSize)
        marks.add(status: ending.output, removing: Array(prefix.utf8), adding: FileName.bytes(path))
    }

    // MARK: Submodules and work trees

    /// Returns the submodules inside a project that have content and can be read, with their paths from the project.
    private static func submodules(
        of folder: ProjectFolder, _ scratch: GitScratch, roots: [String], _ git: GitProgram, depth: Int = 1
    ) async -> [(path: String, scratch: GitScratch)] {
        var found: [(String, GitScratch)] = []
        for name in (try? await scratch.submodules(git)) ?? [] where found.count < maximumSubmodules {
            let prefix = scratch.location.prefix
            guard name.hasPrefix(prefix) else { continue }
            let path = String(name.dropFirst(prefix.count))
            // A submodule must lie in the project without links, and have a repository of its own.
            guard let walk = try? FolderWalk(path, below: folder.path), let place = try? walk.place(), place.names == walk.names,
                let submodule = try? ProjectFolder(folder.path + "/" + path),
                let inner = try? await GitScratch(for: submodule, roots: roots + [folder.path], with: git),
                inner.location.workTree == submodule.path
            else { continue }
            found.append((path + "/", inner))
            guard depth < maximumSubmoduleDepth else { continue }
            let nested = await submodules(of: submodule, inner, roots: roots + [folder.path], git, depth: depth + 1)
            found += nested.map { (path + "/" + $0.path, $0.scratch) }
        }
        return Array(found.prefix(maximumSubmodules))
    }

    private static func workTrees(
        of folder: ProjectFolder, _ location: GitLocation, roots: [String], _ git: GitProgram
    ) async -> [GitWorkTree] {
        var found: [GitWorkTree] = []
        for path in location.workTrees() where path.hasPrefix(folder.path + "/") && path != location.workTree {
            guard found.count < maximumWorkTrees, let other = try? ProjectFolder(path), other.path == path else { continue }
            var tree = GitWorkTree(path: String(path.dropFirst(folder.path.count + 1)), branch: nil)
            do {
                guard let scratch = try await GitScratch(for: other, roots: roots + [folder.path], with: git),
                    scratch.location.workTree == path
                else { continue }
                tree.branch = scratch.branch
                var diff = GitDiff(isRepository: true, staged: "", unstaged: "", truncated: false)
                try await add(to: &diff, scratch, git)
                (tree.staged, tree.unstaged, tree.truncated) = (diff.staged, diff.unstaged, diff.truncated)
            } catch {
                tree.problem = reason(of: error)
            }
            found.append(tree)
        }
        return found
    }

    private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
