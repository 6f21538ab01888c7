import Foundation
import TestKit
import Testing

@testable import EndlessCodeProjects

/// Repositories whose git folder is not the project's own: work trees, submodules, folders of a repository, shared clones.
@Suite struct GitPlacesTests {
    /// A repository with a change, below a folder with everything else.
    private static func repository(_ files: [String: String] = ["a.txt": "one\n"]) async throws -> GitRepository {
        try await GitRepository(files)
    }

    private func reader(_ folder: URL, roots: [URL] = []) throws -> ProjectGit {
        let paths = roots.map(\.path)
        return ProjectGit(try ProjectFolder(folder.path), roots: { paths }, timeLimit: ampleTime, cacheDuration: .zero)
    }

    private func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    // MARK: Work trees

    @Test func workTreeOfAnotherProjectIsRead() async throws {
        let repository = try await Self.repository()
        let tree = repository.scratch.outside.appending(path: "fix")
        try await repository.git("worktree", "add", "--quiet", "-b", "fix", tree.path)
        try write("two\n", to: tree.appending(path: "a.txt"))
        try write("new\n", to: tree.appending(path: "b.txt"))
        try await repository.git("add", "b.txt", in: tree)

        let git = try reader(tree, roots: [repository.scratch.inside])
        let diff = await git.diff()
        #expect(diff.isRepository && diff.problem == nil)
        #expect(diff.unstaged.contains("-one\n+two") && diff.staged.contains("+new"))
        let marks = await git.marks()
        #expect(marks["a.txt"] == .modified && marks["b.txt"] == .added)
        // The branch of the main work tree is another one.
        #expect(try await reader(repository.scratch.inside).diff().unstaged == "")
    }

    @Test func workTreeOfAnUnknownRepositorySaysWhere() async throws {
        let repository = try await Self.repository()
        let tree = repository.scratch.outside.appending(path: "fix")
        try await repository.git("worktree", "add", "--quiet", tree.path)
        try write("two\n", to: tree.appending(path: "a.txt"))

        let diff = try await reader(tree).diff()
        #expect(!diff.isRepository && diff.unstaged == "")
        #expect(diff.problem?.contains("--git \(repository.scratch.inside.path)/.git/worktrees/fix") == true)
        // Once the owner has named the git folder, it is read.
        #expect(try await reader(tree, roots: [repository.scratch.inside.appending(path: ".git")]).diff().unstaged.contains("+two"))
        // The git folder alone is not enough: what work trees share lies elsewhere.
        let own = repository.scratch.inside.appending(path: ".git/worktrees/fix")
        #expect(try await reader(tree, roots: [own]).diff().problem?.contains("\(repository.scratch.inside.path)/.git") == true)
    }

    @Test func workTreesOfAgentsAreShownWithTheProject() async throws {
        let repository = try await Self.repository(["a.txt": "one\n", ".gitignore": ".claude/\n"])
        let tree = repository.scratch.inside.appending(path: ".claude/worktrees/fix")
        try await repository.git("worktree", "add", "--quiet", "-b", "worktree-fix", tree.path)
        let far = repository.scratch.outside.appending(path: "far")
        try await repository.git("worktree", "add", "--quiet", "-b", "far", far.path)
        try write("two\n", to: tree.appending(path: "a.txt"))
        try write("three\n", to: far.appending(path: "a.txt"))

        let diff = try await repository.reader().diff()
        #expect(diff.unstaged == "" && diff.workTrees.map(\.path) == [".claude/worktrees/fix"])
        #expect(diff.workTrees.first?.branch == "worktree-fix" && diff.workTrees.first?.unstaged.contains("+two") == true)
        // Opened as a project of its own, below the one that the owner has shown.
        let own = try await reader(tree, roots: [repository.scratch.inside]).diff()
        #expect(own.unstaged.contains("+two") && own.workTrees.isEmpty)
        // A work tree that was deleted by hand is none.
        try FileManager.default.removeItem(at: tree)
        #expect(try await repository.reader().diff().workTrees.isEmpty)
    }

    @Test func ownConfigurationOfAWorkTreeCounts() async throws {
        let repository = try await Self.repository()
        let tree = repository.scratch.inside.appending(path: "fix")
        try await repository.git("worktree", "add", "--quiet", tree.path)
        try await repository.git("config", "extensions.worktreeConfig", "true")
        try await repository.git("config", "--worktree", "core.fileMode", "false", in: tree)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tree.appending(path: "a.txt").path)

        #expect(try await reader(tree, roots: [repository.scratch.inside]).diff().unstaged == "")
        try await repository.git("config", "--worktree", "core.fileMode", "true", in: tree)
        #expect(try await reader(tree, roots: [repository.scratch.inside]).diff().unstaged.contains("new mode 100755"))
    }

    // MARK: Submodules

    private func withSubmodule() async throws -> GitRepository {
        let repository = try await Self.repository()
        let library = repository.scratch.outside.appending(path: "library")
        try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
        try write("one\n", to: library.appending(path: "c.txt"))
        try await repository.git("init", "--quiet", in: library)
        try await repository.git("add", "--all", in: library)
        try await repository.git("commit", "--quiet", "--message=first", in: library)
        try await repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.path, "lib/c")
        try await repository.commit()
        return repository
    }

    @Test func submoduleAsAProjectIsRead() async throws {
        let repository = try await withSubmodule()
        let submodule = repository.scratch.inside.appending(path: "lib/c")
        try write("two\n", to: submodule.appending(path: "c.txt"))

        #expect(try await reader(submodule, roots: [repository.scratch.inside]).diff().unstaged.contains("+two"))
        #expect(try await reader(submodule).diff().problem?.contains("/.git/modules/lib/c") == true)
    }

    @Test func submodulesOfAProjectAreReadWithIt() async throws {
        let repository = try await withSubmodule()
        try repository.scratch.write("lib/c/c.txt", "two\n")
        try repository.scratch.write("lib/c/new/d.txt", "two\n")
        try repository.scratch.write("a.txt", "two\n")

        let git = try repository.reader()
        let diff = await git.diff()
        #expect(
            diff.unstaged.contains("--- a/a.txt\n+++ b/a.txt") && diff.unstaged.contains("--- a/lib/c/c.txt\n+++ b/lib/c/c.txt"))
        let marks = await git.marks()
        #expect(marks["lib/c/c.txt"] == .modified && marks["lib/c/new/d.txt"] == .untracked && marks["lib"] == .modified)
        // A path that leads elsewhere is no submodule of the project.
        for path in ["../outside/library", "/etc", "lib/../../outside/library"] {
            try repository.scratch.write(".gitmodules", "[submodule \"x\"]\npath = \(path)\n")
            #expect(await !git.diff().unstaged.contains("c.txt"))
        }
        try repository.scratch.write(".gitmodules", "[submodule")
        #expect(await git.diff().isRepository)
    }

    // MARK: Folders of a repository

    @Test func folderOfAShownRepositoryIsReadAlone() async throws {
        let repository = try await Self.repository([
            "packages/a/f.txt": "one\n", "packages/ab/g.txt": "one\n", "private.txt": "one\n", "packages/a/deep/h.txt": "one\n",
        ])
        for path in ["packages/a/f.txt", "packages/ab/g.txt", "private.txt"] { try repository.scratch.write(path, "two\n") }
        try repository.scratch.write("packages/a/new/n.txt", "new\n")
        try FileManager.default.removeItem(at: repository.scratch.inside.appending(path: "packages/a/deep/h.txt"))
        let folder = repository.scratch.inside.appending(path: "packages/a")

        for root in [repository.scratch.inside, repository.scratch.inside.appending(path: ".git")] {
            let git = try reader(folder, roots: [root])
            let diff = await git.diff()
            #expect(
                diff.isRepository && diff.unstaged.contains("--- a/f.txt\n+++ b/f.txt") && diff.unstaged.contains("a/deep/h.txt"))
            #expect(!diff.unstaged.contains("g.txt") && !diff.unstaged.contains("private"))
            let marks = await git.marks()
            #expect(marks["f.txt"] == .modified && marks["deep/h.txt"] == .deleted && marks["new/n.txt"] == .untracked)
            #expect(marks["packages/ab/g.txt"] == nil)
        }
    }

    @Test func untrackedFolderOfARepositoryIsUntracked() async throws {
        let repository = try await Self.repository()
        try repository.scratch.write("new/a/n.txt", "new\n")
        let git = try reader(repository.scratch.inside.appending(path: "new/a"), roots: [repository.scratch.inside])
        #expect(await git.marks()["n.txt"] == .untracked)
        #expect(await git.diff().isRepository)
    }

    // MARK: Shared objects

    @Test func sharedCloneOfAProjectIsRead() async throws {
        let repository = try await Self.repository()
        let clone = repository.scratch.outside.appending(path: "clone")
        try await repository.git("clone", "--quiet", "--shared", repository.scratch.inside.path, clone.path)
        // A clone of the clone uses the objects of both.
        let second = repository.scratch.outside.appending(path: "second")
        try await repository.git("clone", "--quiet", "--shared", clone.path, second.path)
        for folder in [clone, second] { try write("two\n", to: folder.appending(path: "a.txt")) }

        #expect(try await reader(clone, roots: [repository.scratch.inside]).diff().unstaged.contains("-one\n+two"))
        #expect(try await reader(second, roots: [repository.scratch.inside, clone]).diff().unstaged.contains("-one\n+two"))
        for (folder, roots) in [(clone, []), (second, [clone])] {
            let diff = try await reader(folder, roots: roots).diff()
            #expect(!diff.isRepository && diff.problem?.contains("\(repository.scratch.inside.path)/.git/objects") == true)
        }
    }

    @Test func gitFolderInAnotherPlaceIsRead() async throws {
        let repository = try await Self.repository()
        let store = repository.scratch.outside.appending(path: "store.git")
        try await repository.git("init", "--quiet", "--separate-git-dir", store.path)
        try repository.scratch.write("a.txt", "two\n")
        #expect(try await reader(repository.scratch.inside).diff().problem?.contains("--git \(store.path)") == true)
        #expect(try await reader(repository.scratch.inside, roots: [store]).diff().unstaged.contains("+two"))
        // As a link instead of a file.
        try FileManager.default.removeItem(at: repository.scratch.inside.appending(path: ".git"))
        try repository.scratch.link(".git", to: store.path)
        #expect(try await reader(repository.scratch.inside, roots: [store]).diff().unstaged.contains("+two"))
    }

    // MARK: Encodings

    @Test func diffsHaveTheEncodingOfTheirFile() async throws {
        let repository = try await Self.repository(["a.txt": "one\n"])
        try repository.scratch.write("k.txt", Data([0xb0, 0xa1, 0x0a]))
        try await repository.commit()
        try repository.scratch.write("k.txt", Data([0xc7, 0xd1, 0xb1, 0xdb, 0x0a]))
        try repository.scratch.write("a.txt", "안녕 é\n")

        let diff = try await repository.reader().diff()
        #expect(diff.unstaged.contains("-가\n+한글\n") && diff.unstaged.contains("+안녕 é\n"))
    }
}
