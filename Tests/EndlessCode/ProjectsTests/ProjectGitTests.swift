import EndlessCodeProjects
import Foundation
import TestKit
import Testing
import WireKit

/// A clock that a test sets. Nothing wakes by it.
private final class StandingClock: Clock {
    let offset = Locked(Duration.zero)
    private let start = TestClock().now

    var now: TestClock.Instant { start.advanced(by: offset.withLock { $0 }) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: ampleTime)
    }
}

@Suite struct ProjectGitTests {
    @Test func marksShowWhatChanged() async throws {
        let repository = try await GitRepository([
            "same": "1", "changed": "1", "gone": "1", "staged-gone": "1", "src/deep/changed": "1", "src/same": "1",
            "quiet/same": "1", "old/gone": "1",
            ".gitignore": "ignored\n",
        ])
        let scratch = repository.scratch
        for path in ["changed", "src/deep/changed", "added", "new/a", "new/b/c", "ignored", "한글 \"이름\"\n"] {
            try scratch.write(path, "22")
        }
        try FileManager.default.removeItem(at: scratch.inside.appending(path: "gone"))
        try await repository.git("add", "added")
        try await repository.git("rm", "--quiet", "staged-gone", "old/gone")

        let marks = try await repository.reader().marks()
        let page = try await scratch.project.list(marks: marks)

        let shown = Dictionary(uniqueKeysWithValues: page.entries.map { ($0.name, $0.git) })
        #expect(
            shown == [
                "new": .untracked, "quiet": nil, "src": .modified, ".gitignore": nil, "added": .added,
                "changed": .modified, "gone": .deleted,
                "ignored": nil, "same": nil, "staged-gone": .deleted, "한글 \"이름\"\n": .untracked,
            ])
        let gone = try #require(page.entries.first { $0.name == "gone" })
        #expect((gone.kind, gone.size, gone.modified) == (.file, 0, nil))
        #expect(marks["src/deep/changed"] == .modified && marks["src/deep"] == .modified && marks["src/same"] == nil)
        #expect(marks["new/b/c"] == .untracked && marks["new/b"] == .untracked)
        #expect(try await scratch.project.list("src/deep", marks: marks).entries.map(\.git) == [.modified])
    }

    @Test func diffsAreThoseOfGit() async throws {
        let repository = try await GitRepository(["a.txt": "one\ntwo\n", "한글.txt": "하나\n", "b.bin": "\u{0}1"])
        try repository.scratch.write("a.txt", "one\nstaged\n")
        try await repository.git("add", "a.txt")
        try repository.scratch.write("a.txt", "one\nunstaged\n")
        try repository.scratch.write("한글.txt", "둘\n")
        try repository.scratch.write("b.bin", "\u{0}2")

        let diff = try await repository.reader().diff()

        #expect(diff.isRepository && !diff.truncated && diff.problem == nil)
        #expect(diff.staged == (try await repository.git("diff", "--cached")))
        #expect(diff.unstaged == (try await repository.git("-c", "core.quotePath=false", "diff")))
        #expect(
            diff.unstaged.contains("b/한글.txt\n") && diff.unstaged.contains("+unstaged") && diff.unstaged.contains("Binary files"))
        #expect(diff.staged.contains("+staged"))
    }

    @Test func emptyRepositoriesHaveStagedFiles() async throws {
        let repository = try await GitRepository([:])
        #expect(try await repository.reader().diff().isRepository)
        try repository.scratch.write("new", "line\n")
        try await repository.git("add", "new")

        #expect(try await repository.reader().diff().staged.contains("+line"))
        #expect(try await repository.reader().marks()["new"] == .added)
    }

    @Test func packedReferencesAndDetachedHeadsAreRead() async throws {
        let repository = try await GitRepository()
        try await repository.git("gc", "--quiet")
        try await repository.git("pack-refs", "--all")
        try repository.scratch.write("a.txt", "changed\n")
        try await repository.git("add", "a.txt")

        #expect(try await repository.reader().diff().staged.contains("+changed"))
        try await repository.git("checkout", "--quiet", "--detach")
        #expect(try await repository.reader().diff().staged.contains("+changed"))
    }

    @Test func otherFormatsAreRead() async throws {
        let repository = try await GitRepository()
        try FileManager.default.removeItem(at: repository.scratch.inside.appending(path: ".git"))
        try await repository.git("init", "--quiet", "--object-format=sha256")
        try await repository.commit()
        try await repository.git("update-index", "--split-index")
        try await repository.git("config", "core.autocrlf", "true")
        try repository.scratch.write("a.txt", "one\r\nother\r\n")

        let diff = try await repository.reader().diff()
        #expect(diff.problem == nil)
        #expect(diff.unstaged.contains("-two\n+other\n") && !diff.unstaged.contains("-one"))
    }

    /// A change within the same second that keeps the size is found by git's rule about the time of the index.
    @Test func aChangeInTheMomentOfTheCommitIsSeen() async throws {
        let repository = try await GitRepository(["a.txt": "one\n"])
        let file = repository.scratch.inside.appending(path: "a.txt")
        let index = repository.scratch.inside.appending(path: ".git/index")
        let moment = Date(timeIntervalSince1970: 1_700_000_000)
        func date(_ url: URL) throws { try FileManager.default.setAttributes([.modificationDate: moment], ofItemAtPath: url.path) }
        try date(file)
        try await repository.git("update-index", "--refresh")
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data("two\n".utf8))
        try handle.close()
        for url in [file, index] { try date(url) }

        #expect(try await repository.reader().diff().unstaged.contains("+two"))
    }

    @Test func foldersWithoutARepositoryHaveNoDiff() async throws {
        let scratch = try ScratchFolder()
        let git = ProjectGit(try scratch.project)

        #expect(await git.diff() == GitDiff(isRepository: false, staged: "", unstaged: "", truncated: false))
        #expect(await git.marks() == .none)
    }

    /// The project is what the user chose; a repository around it may contain anything.
    @Test func aRepositoryAroundTheProjectIsNotRead() async throws {
        let repository = try await GitRepository(["sub/a.txt": "one\n", "private": "p"])
        try repository.scratch.write("sub/a.txt", "two\n")
        let git = ProjectGit(try ProjectFolder(repository.scratch.inside.appending(path: "sub").path))

        let diff = await git.diff()
        #expect(!diff.isRepository && diff.problem?.contains("--git \(repository.scratch.inside.path)/.git") == true)
        #expect(await git.marks() == .none)
    }

    @Test func largeDiffsAreCutAfterALine() async throws {
        let repository = try await GitRepository(["a.txt": "one\n"])
        try repository.scratch.write("a.txt", String(repeating: "a line of text that is long enough\n", count: 200_000))

        let diff = try await repository.reader().diff()

        #expect(diff.truncated && diff.staged == "")
        #expect((GitDiff.maximumSize - 100...GitDiff.maximumSize).contains(diff.unstaged.utf8.count))
        #expect(diff.unstaged.hasSuffix("\n+a line of text that is long enough\n"))
    }

    @Test func marksAreCachedForAWhile() async throws {
        let repository = try await GitRepository()
        let clock = StandingClock()
        let git = ProjectGit(try repository.scratch.project, cacheDuration: .seconds(2), clock: clock)
        #expect(await git.marks().isEmpty)
        try repository.scratch.write("a.txt", "changed\n")

        #expect(await git.marks().isEmpty)
        clock.offset.withLock { $0 = .seconds(3) }
        #expect(await git.marks()["a.txt"] == .modified)
    }

    @Test func nothingIsWrittenToTheRepository() async throws {
        let repository = try await GitRepository()
        try repository.scratch.write("a.txt", "changed\n")
        let before = try content(of: repository)

        _ = try await repository.reader().diff()
        _ = try await repository.reader().marks()

        #expect(try content(of: repository) == before)
    }

    private func content(of repository: GitRepository) throws -> [String: Date] {
        let folder = repository.scratch.inside
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: paths.map { path in
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)
                return (path, try #require(attributes[.modificationDate] as? Date))
            })
    }

    // MARK: The program

    /// A program in place of git.
    private func program(_ script: String, in scratch: ScratchFolder) throws -> String {
        let file = scratch.outside.appending(path: "git.sh")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
        chmod(file.path, 0o700)
        return file.path
    }

    @Test func aMissingProgramIsAProblem() async throws {
        let repository = try await GitRepository()
        let git = ProjectGit(try repository.scratch.project, program: "/nonexistent/git")

        #expect(await git.diff().problem?.contains("git is not installed") == true)
        #expect(await git.marks() == .none)
    }

    @Test func aProgramThatHangsIsKilledWithItsGroup() async throws {
        let repository = try await GitRepository()
        let pids = repository.scratch.outside.appending(path: "pids")
        let script = "sleep 1000 & echo $! $$ > \(pids.path).new; mv \(pids.path).new \(pids.path); wait"
        let git = ProjectGit(
            try repository.scratch.project, program: try program(script, in: repository.scratch), timeLimit: .seconds(1))

        let diff = try await within { await git.diff() }

        #expect(diff.problem?.contains("did not end") == true)
        let identifiers = try String(contentsOf: pids, encoding: .utf8).split { $0.isWhitespace }.compactMap { Int32($0) }
        try #require(identifiers.count == 2)
        try await eventually { identifiers.allSatisfy { kill($0, 0) == -1 || Self.isZombie($0) } }
    }

    private static func isZombie(_ process: Int32) -> Bool {
        (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8))?.contains(") Z ") ?? true
    }

    @Test func theEnvironmentIsOnlyOurs() async throws {
        let repository = try await GitRepository()
        let variables = repository.scratch.outside.appending(path: "variables")
        let git = ProjectGit(
            try repository.scratch.project, program: try program("env > \(variables.path); exit 1", in: repository.scratch))

        let diff = await git.diff()

        #expect(!diff.isRepository && diff.problem != nil)
        let names = try String(contentsOf: variables, encoding: .utf8).split(separator: "\n").compactMap {
            $0.split(separator: "=").first
        }
        let allowed: Set<Substring> = ["PATH", "HOME", "XDG_CONFIG_HOME", "LC_ALL", "PWD", "_", "SHLVL", "OLDPWD"]
        #expect(names.filter { !allowed.contains($0) && !$0.hasPrefix("GIT_") } == [])
        #expect(!names.contains("GIT_DIR") && names.contains("GIT_CONFIG_GLOBAL"))
    }

    @Test func noScratchFolderIsLeft() async throws {
        let repository = try await GitRepository()
        let marker = repository.scratch.outside.appending(path: "folder")
        let git = ProjectGit(
            try repository.scratch.project, program: try program("pwd > \(marker.path); exec git \"$@\"", in: repository.scratch))

        #expect(await git.diff().isRepository)
        let folder = try String(contentsOf: marker, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(folder.contains("switchboard-git-") && !FileManager.default.fileExists(atPath: folder))
    }
}
