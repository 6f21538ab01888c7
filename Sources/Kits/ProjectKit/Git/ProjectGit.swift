/// The state of the git repository whose `.git` folder lies directly in a project's folder.
///
/// Repositories above the project, and those that `.git` names elsewhere (work trees of another repository, submodules), are not read. Neither are submodules
/// inside. The installed `git` runs without the project's configuration and without the user's: no program that they name is started, no other folder is
/// read. See ``GitScratch``.
public actor ProjectGit {
    /// The maximum size of a status. Marks beyond it are missing.
    private static let maximumStatusSize = 8 << 20

    private let folder: ProjectFolder
    private let git: GitProgram
    private let cacheDuration: Duration
    private var cached: (marks: GitMarks, age: @Sendable () -> Duration, validity: Duration)?
    private var running: Task<GitMarks, Never>?

    /// - Parameters:
    ///   - program: The path of `git`; nil: `git` from `PATH`.
    ///   - timeLimit: For each run of the program, which is killed with its process group afterwards.
    ///   - cacheDuration: The time for which ``marks()`` repeats its last result; five times its own duration where that is longer.
    public init(
        _ folder: ProjectFolder, program: String? = nil, timeLimit: Duration = .seconds(10), cacheDuration: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.folder = folder
        self.cacheDuration = cacheDuration
        git = GitProgram(path: program, timeLimit: timeLimit, clock: clock)
    }

    /// The marks of all changed files. `.none` without a repository and when git fails. Calls at the same time share one run.
    public func marks() async -> GitMarks {
        if let cached, cached.age() < cached.validity { return cached.marks }
        if let running { return await running.value }
        let duration = Self.stopwatch(git.clock)
        // Shared by several callers, so it outlives the cancellation of one. It ends with git's time limit.
        let task = Task { [folder, git] in (try? await Self.status(of: folder, git)) ?? .none }
        running = task
        let marks = await task.value
        running = nil
        cached = (marks, Self.stopwatch(git.clock), max(cacheDuration, duration() * 5))
        return marks
    }

    /// The diffs of the work tree. A repository that cannot be read, a git that is missing and one that exceeds the time limit are a
    /// ``GitDiff/problem``.
    public func diff() async -> GitDiff {
        do {
            guard let scratch = try await GitScratch(for: folder, with: git) else {
                return GitDiff(isRepository: false, staged: "", unstaged: "", truncated: false)
            }
            let (staged, first) = try await Self.diff(["--cached"], scratch, git)
            let (unstaged, second) = try await Self.diff([], scratch, git)
            return GitDiff(isRepository: true, staged: staged, unstaged: unstaged, truncated: first || second)
        } catch let refusal as GitScratch.Refusal {
            return Self.problem(refusal.reason)
        } catch let error as ProjectError {
            return Self.problem(error.detail)
        } catch {
            return Self.problem("the repository cannot be read: \(error)")
        }
    }

    private static func problem(_ reason: String) -> GitDiff {
        GitDiff(isRepository: false, staged: "", unstaged: "", truncated: false, problem: reason)
    }

    private static func diff(_ options: [String], _ scratch: GitScratch, _ git: GitProgram) async throws -> (String, Bool) {
        let arguments =
            ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all", "--submodule=short"] + options
        let ending = try await scratch.run(git, arguments, outputLimit: GitDiff.maximumSize)
        guard ending.truncated else { return (String(decoding: ending.output, as: UTF8.self), false) }
        let end = ending.output.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (String(decoding: ending.output[..<end], as: UTF8.self), true)
    }

    @concurrent
    private static func status(of folder: ProjectFolder, _ git: GitProgram) async throws -> GitMarks {
        guard let scratch = try await GitScratch(for: folder, with: git) else { return .none }
        let ending = try await scratch.run(
            git, ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=all", "--no-renames"],
            outputLimit: maximumStatusSize)
        return GitMarks(status: ending.output)
    }

    private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
