import EndlessCodeProjects
import Foundation
import TestKit
import Testing

/// A project's git settings neither run a program nor lead outside. Each attack is tried on plain git as well, which falls for it.
@Suite struct GitAttackTests {
    /// A setting that makes plain git run a program.
    struct Attack: Sendable, CustomTestStringConvertible {
        var name: String
        /// Lines of the configuration. `TRAP` is a command that creates the trap.
        var configuration: String
        var attributes = ""
        /// The command with which plain git falls for it.
        var command = ["diff"]
        /// Changes the repository further.
        var prepare: @Sendable (GitRepository) async throws -> Void = { _ in }

        var testDescription: String { name }
    }

    /// Removes the content of the committed file, so that git would fetch it.
    private static let losesAnObject: @Sendable (GitRepository) async throws -> Void = { repository in
        let hash = try await repository.git("rev-parse", "HEAD:a.txt").trimmingCharacters(in: .whitespacesAndNewlines)
        let path = ".git/objects/\(hash.prefix(2))/\(hash.dropFirst(2))"
        try FileManager.default.removeItem(at: repository.scratch.inside.appending(path: path))
    }

    static let attacks: [Attack] = [
        Attack(name: "core.fsmonitor", configuration: "[core]\nfsmonitor = \"TRAP; false\"", command: ["status"]),
        Attack(name: "diff.external", configuration: "[diff]\nexternal = \"TRAP; true\""),
        Attack(name: "diff driver", configuration: "[diff \"evil\"]\ncommand = \"TRAP; true\"", attributes: "* diff=evil"),
        Attack(name: "textconv", configuration: "[diff \"evil\"]\ntextconv = \"TRAP; cat\"", attributes: "* diff=evil"),
        Attack(name: "clean filter", configuration: "[filter \"evil\"]\nclean = \"TRAP; cat\"", attributes: "* filter=evil"),
        Attack(name: "process filter", configuration: "[filter \"evil\"]\nprocess = \"TRAP; false\"", attributes: "* filter=evil"),
        Attack(
            name: "smudge filter", configuration: "[filter \"evil\"]\nsmudge = \"TRAP; cat\"", attributes: "* filter=evil",
            command: ["checkout", "--", "a.txt"]),
        Attack(
            name: "hook", configuration: "", command: ["status"],
            prepare: { repository in
                try repository.scratch.write(".git/hooks/post-index-change", "#!/bin/sh\ntouch '\(repository.trap.path)'\n")
                chmod(repository.scratch.inside.appending(path: ".git/hooks/post-index-change").path, 0o700)
                // With another time the entry of the index has to be refreshed, and so the index is written.
                try repository.scratch.write("b.txt", "b")
                try await repository.git("add", "b.txt")
                try #require(
                    utimensat(AT_FDCWD, repository.scratch.inside.appending(path: "b.txt").path, [timespec(), timespec()], 0) == 0)
            }),
        Attack(
            name: "core.hooksPath", configuration: "[core]\nhooksPath = .hooks", command: ["status"],
            prepare: { repository in
                try repository.scratch.write(".hooks/post-index-change", "#!/bin/sh\ntouch '\(repository.trap.path)'\n")
                chmod(repository.scratch.inside.appending(path: ".hooks/post-index-change").path, 0o700)
                try repository.scratch.write("b.txt", "b")
                try await repository.git("add", "b.txt")
                try #require(
                    utimensat(AT_FDCWD, repository.scratch.inside.appending(path: "b.txt").path, [timespec(), timespec()], 0) == 0)
            }),
        Attack(
            name: "include", configuration: "[include]\npath = ../../outside/config", command: ["status"],
            prepare: { repository in
                let text = "[core]\nfsmonitor = \"touch '\(repository.trap.path)'; false\"\n"
                try Data(text.utf8).write(to: repository.scratch.outside.appending(path: "config"))
            }),
        Attack(name: "alias", configuration: "[alias]\nst = \"!TRAP\"", command: ["st"]),
        Attack(
            name: "core.sshCommand",
            configuration:
                "[core]\nrepositoryFormatVersion = 1\nsshCommand = \"TRAP; false\"\n[extensions]\npartialClone = origin\n"
                + "[remote \"origin\"]\nurl = ssh://host.invalid/x\npromisor = true",
            prepare: losesAnObject),
        Attack(
            name: "uploadpack",
            configuration: "[core]\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = origin\n"
                + "[remote \"origin\"]\nurl = .\npromisor = true\nuploadpack = \"TRAP; false\"",
            prepare: losesAnObject),
        Attack(
            name: "submodule", configuration: "", command: ["status"],
            prepare: { repository in
                let sub = repository.scratch.inside.appending(path: "sub")
                try repository.scratch.write("sub/x", "1")
                try await repository.git("init", "--quiet", in: sub)
                try await repository.git("add", "x", in: sub)
                try await repository.git("commit", "--quiet", "--message=sub", in: sub)
                try await repository.git("add", "sub")
                try await repository.git("config", "core.fsmonitor", "touch '\(repository.trap.path)'; false", in: sub)
            }),
    ]

    @Test(arguments: attacks)
    func noProgramOfTheProjectRuns(_ attack: Attack) async throws {
        let repository = try await GitRepository()
        if !attack.attributes.isEmpty { try repository.scratch.write(".gitattributes", attack.attributes + "\n") }
        try await attack.prepare(repository)
        try? FileManager.default.removeItem(at: repository.trap)
        let configuration = repository.scratch.inside.appending(path: ".git/config")
        let text = try String(contentsOf: configuration, encoding: .utf8)
        let lines = attack.configuration.replacing("TRAP", with: "touch '\(repository.trap.path)'")
        try Data("\(text)\n\(lines)\n".utf8).write(to: configuration)
        try repository.scratch.write("a.txt", "one\nchanged\n")

        let marks = try await repository.reader().marks()
        let diff = try await repository.reader().diff()

        #expect(!repository.trapped, "a program ran")
        if !["core.sshCommand", "uploadpack"].contains(attack.name) {
            #expect(marks["a.txt"] == .modified)
            #expect(diff.unstaged.contains("+changed"), "\(diff.problem ?? "")")
        } else {
            // The content is nowhere, and nothing is asked for it.
            #expect(diff.problem != nil)
        }
        _ = try await repository.git(attack.command, mayFail: true)
        #expect(repository.trapped, "plain git does not run it, so this test shows nothing")
    }

    // MARK: What leads outside

    /// A repository outside of the project, with a secret in it.
    private func outsider(of repository: GitRepository) async throws {
        let outside = repository.scratch.outside
        try await repository.git("init", "--quiet", in: outside)
        try await repository.git("add", "secret.txt", in: outside)
        try await repository.git("commit", "--quiet", "--message=secret", in: outside)
        try Data("another secret".utf8).write(to: outside.appending(path: "secret.txt"))
    }

    private func expectNoSecret(_ repository: GitRepository, isRefused: Bool) async throws {
        let diff = try await repository.reader().diff()
        #expect(!(diff.staged + diff.unstaged).contains("secret"))
        #expect(diff.isRepository == !isRefused && (diff.problem != nil) == isRefused)
        #expect(try await repository.reader().marks()["secret.txt"] != .modified)
    }

    @Test func aWorkTreeOutsideIsIgnored() async throws {
        let repository = try await GitRepository(["secret.txt": "nothing"])
        try await repository.git("config", "core.worktree", repository.scratch.outside.path)

        let diff = try await repository.reader().diff()
        #expect(diff.isRepository && diff.unstaged == "")
        #expect(try await repository.git("diff").contains("the secret"))
    }

    @Test func aGitFileThatNamesAnotherRepositoryIsRefused() async throws {
        let repository = try await GitRepository([:])
        try await outsider(of: repository)
        let folder = repository.scratch.inside.appending(path: ".git")
        try FileManager.default.removeItem(at: folder)
        try Data("gitdir: ../outside/.git\n".utf8).write(to: folder)

        try await expectNoSecret(repository, isRefused: true)
        #expect(try await repository.git("diff").contains("the secret"))
    }

    @Test func aGitLinkToAnotherRepositoryIsRefused() async throws {
        let repository = try await GitRepository([:])
        try await outsider(of: repository)
        try FileManager.default.removeItem(at: repository.scratch.inside.appending(path: ".git"))
        try repository.scratch.link(".git", to: "../outside/.git")

        try await expectNoSecret(repository, isRefused: true)
        #expect(try await repository.git("diff").contains("the secret"))
    }

    /// A repository whose `HEAD` names a commit that only the repository outside has.
    private func borrower() async throws -> GitRepository {
        let repository = try await GitRepository([:])
        try await outsider(of: repository)
        let commit = try await repository.git("rev-parse", "HEAD", in: repository.scratch.outside)
        try repository.scratch.write(".git/HEAD", commit)
        return repository
    }

    @Test func alternatesAreRefused() async throws {
        let repository = try await borrower()
        try repository.scratch.write(".git/objects/info/alternates", "../../../outside/.git/objects\n")

        try await expectNoSecret(repository, isRefused: true)
        #expect(try await repository.git("diff", "--cached").contains("the secret"))
    }

    @Test(arguments: ["objects", "objects/pack", "loose"])
    func linkedObjectsAreRefused(_ kind: String) async throws {
        let repository = try await borrower()
        let (inside, outside) = (
            repository.scratch.inside.appending(path: ".git"), repository.scratch.outside.appending(path: ".git")
        )
        if kind == "objects/pack" { try await repository.git("gc", "--quiet", in: repository.scratch.outside) }
        let names =
            kind == "loose"
            ? try FileManager.default.contentsOfDirectory(atPath: outside.path + "/objects").filter { $0.count == 2 } : [""]
        for name in names {
            let path = kind == "loose" ? "objects/\(name)" : kind
            try? FileManager.default.removeItem(at: inside.appending(path: path))
            try repository.scratch.link(".git/" + path, to: outside.appending(path: path).path)
        }

        try await expectNoSecret(repository, isRefused: true)
        #expect(try await repository.git("diff", "--cached").contains("the secret"))
    }

    @Test func linksToTheOutsideInTheWorkTreeStayLinks() async throws {
        let repository = try await GitRepository(["secret": "one\n", "folder/secret.txt": "one\n"])
        for path in ["secret", "folder"] { try FileManager.default.removeItem(at: repository.scratch.inside.appending(path: path)) }
        try repository.scratch.link("secret", to: "../outside/secret.txt")
        try repository.scratch.link("folder", to: "../outside")

        let diff = try await repository.reader().diff()
        #expect(!diff.unstaged.contains("the secret") && diff.unstaged.contains("+../outside/secret.txt"))
    }

    @Test(arguments: ["HEAD", "index", "config", "refs/heads/main", "info/exclude", "packed-refs"])
    func linksOfTheRepositoryToTheOutsideAreRefused(_ path: String) async throws {
        let repository = try await GitRepository()
        try Data("ref: refs/heads/main\n".utf8).write(to: repository.scratch.outside.appending(path: "target"))
        if path == "packed-refs" {
            try FileManager.default.removeItem(at: repository.scratch.inside.appending(path: ".git/refs/heads/main"))
        }
        try? FileManager.default.removeItem(at: repository.scratch.inside.appending(path: ".git/" + path))
        try repository.scratch.link(".git/" + path, to: repository.scratch.outside.appending(path: "target").path)

        try await expectNoSecret(repository, isRefused: true)
    }

    @Test(arguments: ["HEAD", "index", "config", "refs/heads/main", "objects"])
    func pipesInTheRepositoryDoNotBlock(_ path: String) async throws {
        let repository = try await GitRepository()
        let file = repository.scratch.inside.appending(path: ".git/" + path)
        try FileManager.default.removeItem(at: file)
        try #require(mkfifo(file.path, 0o600) == 0)

        _ = try await within { try await ProjectGit(repository.scratch.project).diff() }
    }

    /// Objects, and files of the work tree that git itself reads.
    @Test(arguments: ["object", "pack", ".gitattributes", "sub/.gitattributes", ".gitignore", "a"], ["fifo", "socket", "folder"])
    func whatGitWouldWaitForIsAProblem(_ place: String, _ kind: String) async throws {
        let repository = try await GitRepository()
        try repository.scratch.write("a", "one\n")
        try repository.scratch.write("sub/b", "one\n")
        try await repository.commit()
        try repository.scratch.write("a", "two\n")
        let blob = try await repository.git("rev-parse", "HEAD:a").trimmingCharacters(in: .whitespacesAndNewlines)
        let path =
            switch place {
            case "object": ".git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))"
            case "pack": ".git/objects/pack/pack-1234.pack"
            default: place
            }
        let file = repository.scratch.inside.appending(path: path)
        try? FileManager.default.removeItem(at: file)
        switch kind {
        case "fifo": try #require(mkfifo(file.path, 0o600) == 0)
        case "socket": try #require(mknod(file.path, S_IFSOCK | 0o600, 0) == 0)
        default: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        }
        // Git itself waits for a pipe in the place of its own files in the work tree, until its time is over.
        let git = ProjectGit(try repository.scratch.project, timeLimit: .seconds(2), cacheDuration: .zero)
        let diff = try await within { await git.diff() }
        #expect(diff.isRepository || diff.problem != nil)
        _ = try await within { await git.marks() }
    }

    @Test(arguments: ["truncated", "empty", "garbage", "missing"], ["HEAD", "HEAD^{tree}", "HEAD:a"])
    func damagedObjectsAreAProblemOrLeftOut(_ damage: String, _ object: String) async throws {
        let repository = try await GitRepository()
        try repository.scratch.write("a", "one\n")
        try await repository.commit()
        try repository.scratch.write("a", "two\n")
        let name = try await repository.git("rev-parse", object).trimmingCharacters(in: .whitespacesAndNewlines)
        let file = repository.scratch.inside.appending(path: ".git/objects/\(name.prefix(2))/\(name.dropFirst(2))")
        let bytes = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        switch damage {
        case "truncated": try bytes.prefix(8).write(to: file)
        case "empty": try Data().write(to: file)
        case "garbage": try Data(bytes.reversed()).write(to: file)
        default: break
        }
        let diff = try await repository.reader().diff()
        #expect(diff.isRepository || diff.problem != nil)
    }

    @Test func damagedRepositoriesAreAProblem() async throws {
        for (path, text) in [
            ("HEAD", "ref: refs/../../outside/secret.txt"), ("HEAD", ""), ("HEAD", String(repeating: "x", count: 10_000)),
            ("index", "broken"),
            ("config", "[core\n"), ("config", "[extensions]\nrefStorage = reftable\n"),
        ] {
            let repository = try await GitRepository()
            try repository.scratch.write(".git/" + path, text)
            let diff = try await repository.reader().diff()
            #expect(!diff.isRepository && diff.problem != nil, "\(path) \(text.prefix(20))")
        }
    }
}
