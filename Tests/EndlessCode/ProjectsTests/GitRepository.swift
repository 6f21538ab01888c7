import EndlessCodeProjects
import Foundation
import TestKit

/// A repository in a project's folder, made with plain git.
final class GitRepository: Sendable {
    let scratch: ScratchFolder
    /// A file that attacks create.
    let trap: URL

    /// - Parameter files: Committed.
    init(_ files: [String: String] = ["a.txt": "one\ntwo\n"]) async throws {
        scratch = try ScratchFolder()
        trap = scratch.outside.appending(path: "trap")
        for (path, text) in files { try scratch.write(path, text) }
        // One process of this large program instead of three.
        let commit = files.isEmpty ? "" : " && git add --all && git commit --quiet --message=first"
        try await run("/bin/sh", ["-c", "cd '\(scratch.inside.path)' && git init --quiet --initial-branch=main" + commit])
    }

    func commit() async throws {
        try await git("add", "--all")
        try await git("commit", "--quiet", "--message=first")
    }

    /// Runs plain git in a folder.
    @discardableResult
    func git(_ arguments: String..., in folder: URL? = nil) async throws -> String { try await git(arguments, in: folder) }

    @discardableResult
    func git(_ arguments: [String], in folder: URL? = nil, mayFail: Bool = false) async throws -> String {
        try await run("/usr/bin/git", ["-C", (folder ?? scratch.inside).path] + arguments, mayFail: mayFail)
    }

    @discardableResult
    private func run(_ executable: String, _ arguments: [String], mayFail: Bool = false) async throws -> String {
        let environment = [
            "HOME": scratch.outside.path, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c",
            "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.c",
        ]
        let ending = try await Program(executable: executable, arguments, environment: environment).end()
        guard ending.status == 0 || mayFail else { throw ProjectError(.failed, "\(arguments): \(ending.errors)") }
        return ending.output
    }

    func reader() throws -> ProjectGit { ProjectGit(try scratch.project, timeLimit: ampleTime, cacheDuration: .zero) }

    var trapped: Bool { FileManager.default.fileExists(atPath: trap.path) }
}
