import EndlessCodeProjects
import Foundation
import TestKit
import Testing
import WireKit

@Suite struct ProjectCatalogTests {
    private static let other = EarlierSession.ID("0af281ec-c390-4e48-854a-e4cab759fc2b")

    @Test func workTreesOfSessionsAreFound() async throws {
        let history = try HistoryScratch()
        let lines = try HistoryScratch.recording("two-turns")
        func state(_ path: String?) -> String {
            let tree = path.map { #"{"originalCwd":"/home/dev/project","worktreePath":"\#($0)","worktreeName":"fix"}"# } ?? "null"
            return #"{"type":"worktree-state","worktreeSession":\#(tree),"sessionId":"\#(HistoryScratch.session)"}"#
        }
        func found(_ states: [String]) async throws -> [EarlierSession.ID: String] {
            try history.write(lines + states + lines)
            let catalog = history.catalog()
            return await catalog.workTrees(of: try #require(await catalog.projects().first).id)
        }
        let inside = "/home/dev/project/.claude/worktrees/fix"
        #expect(try await found([state(inside)]) == [HistoryScratch.session: ".claude/worktrees/fix"])
        let others = [
            [], [state(inside), state(nil)], [state("/etc")], [state("/home/dev/project/../x")], [#"{"type":"worktree-state""#],
        ]
        for states in others { #expect(try await found(states) == [:]) }
    }

    @Test func projectsComeFromTheHistory() async throws {
        let history = try HistoryScratch()
        try history.write(try HistoryScratch.recording("two-turns"))
        try history.write(try HistoryScratch.recording("bash-and-edit"), to: Self.other)

        let projects = await history.catalog().projects()

        let project = try #require(projects.first)
        #expect((projects.count, project.name, project.path, project.sessionCount) == (1, "inside", history.scratch.inside.path, 2))
        #expect(try #require(project.lastUsed) > .now - .seconds(600))
        #expect(await history.catalog().projects(excluding: [Self.other]).first?.sessionCount == 1)
    }

    @Test func identifiersAreStableAndShowNoPath() async throws {
        let history = try HistoryScratch()
        try history.write(try HistoryScratch.recording("two-turns"))

        let id = try #require(await history.catalog().projects().first?.id)
        #expect(id.isWellFormed)
        #expect(await history.catalog().projects().first?.id == id)
        #expect(
            await ProjectCatalog(history: "/nonexistent", added: [history.scratch.inside.path], salt: Data("salt".utf8))
                .projects().first?.id == id)
        let elsewhere = ProjectCatalog(
            history: history.history.path, added: [history.scratch.inside.path], salt: Data("pepper".utf8))
        #expect(await elsewhere.projects().first?.id != id)
    }

    @Test func addedFoldersAreProjectsOnce() async throws {
        let history = try HistoryScratch()
        try history.write(try HistoryScratch.recording("two-turns"))
        try FileManager.default.createDirectory(
            at: history.scratch.inside.appending(path: "new"), withIntermediateDirectories: true)
        try history.scratch.link("alias", to: "new")
        let inside = history.scratch.inside.path
        let catalog = history.catalog(added: ["/nonexistent", inside])

        let id = try await catalog.add(inside + "/alias/../new/")
        #expect(try await catalog.add(inside + "/alias") == id)
        #expect(await catalog.projects().map(\.path) == [inside, inside + "/new"])
        let project = try await catalog.project(id)
        #expect((project.name, project.sessionCount, project.lastUsed) == ("new", 0, nil))
        #expect(try await catalog.sessions(of: id).isEmpty)
        await catalog.remove(id)
        #expect(await failure { () async throws(ProjectError) in try await catalog.project(id) }?.code == .notFound)
        #expect(await failure { () async throws(ProjectError) in try await catalog.add("/nonexistent") }?.code == .notFound)
        #expect(await failure { () async throws(ProjectError) in try await catalog.add("relative") }?.code == .notFound)
    }

    @Test func foldersThatAreGoneAreLeftOut() async throws {
        let history = try HistoryScratch()
        try history.write(try HistoryScratch.recording("two-turns"))
        let catalog = history.catalog()
        let id = try #require(await catalog.projects().first?.id)

        try FileManager.default.removeItem(at: history.scratch.inside)

        #expect(await catalog.projects() == [])
        #expect(await failure { () async throws(ProjectError) in try await catalog.sessions(of: id) }?.code == .notFound)
    }

    /// Agents write the history, and can name any folder in it.
    @Test func foldersOfTheHistoryAreProjectsOnlyOnceConfirmed() async throws {
        let history = try HistoryScratch()
        try history.write(try HistoryScratch.recording("two-turns"))
        let inside = history.scratch.inside.path
        let catalog = history.catalog(confirmed: [])
        #expect(await catalog.projects() == [])
        #expect(try await catalog.unconfirmed().map(\.path) == [inside])
        #expect(await catalog.session(HistoryScratch.session) == nil)
        for roots in [[inside], [history.scratch.inside.deletingLastPathComponent().path], ["/"]] {
            let confirmed = history.catalog(confirmed: roots)
            #expect(await confirmed.projects().map(\.path) == [inside])
            #expect(try await confirmed.unconfirmed().isEmpty)
        }
        // A folder whose name only begins alike.
        #expect(await history.catalog(confirmed: [String(inside.dropLast())]).projects() == [])
        // A folder that the user has added shows its own sessions.
        #expect(await history.catalog(added: [inside], confirmed: []).projects().map(\.sessionCount) == [1])
    }

    @Test func confirmationsCountAtOnce() async throws {
        let history = try HistoryScratch()
        try history.write(try HistoryScratch.recording("two-turns"))
        let confirmed = Locked<[String]>([])
        let catalog = ProjectCatalog(
            history: history.history.path, confirmed: { confirmed.withLock { $0 } }, salt: Data("salt".utf8))
        #expect(await catalog.projects() == [])
        confirmed.withLock { $0 = [history.scratch.inside.path] }
        #expect(await catalog.projects().count == 1)
    }

    @Test func linkInThePlaceOfAnAddedFolderIsNoProject() async throws {
        let history = try HistoryScratch()
        let folder = history.scratch.inside.appending(path: "shop")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let catalog = history.catalog(added: [folder.path])
        #expect(await catalog.projects().map(\.path) == [folder.path])
        try FileManager.default.removeItem(at: folder)
        try #require(symlink(history.scratch.outside.path, folder.path) == 0)
        #expect(await catalog.projects() == [])
    }

    @Test(arguments: ["file", "fifo", "loop", "unreadable"]) func brokenHistoryHidesNoAddedFolder(_ kind: String) async throws {
        let history = try HistoryScratch()
        let projects = history.history.appending(path: "projects")
        try FileManager.default.removeItem(at: projects)
        switch kind {
        case "file": try Data("x".utf8).write(to: projects)
        case "fifo": try #require(mkfifo(projects.path, 0o600) == 0)
        case "loop": try #require(symlink("projects", projects.path) == 0)
        default:
            try FileManager.default.createDirectory(at: projects, withIntermediateDirectories: true)
            chmod(projects.path, 0)
        }
        defer { chmod(projects.path, 0o700) }
        let catalog = history.catalog(added: [history.scratch.inside.path])
        #expect(try await within { await catalog.projects() }.count == 1)
    }

    @Test func aHistoryThatIsMissingHasNoProjects() async throws {
        #expect(await ProjectCatalog(history: "/nonexistent", salt: Data()).projects() == [])
    }

    @Test func subagentsAndForeignFilesAreHidden() async throws {
        let history = try HistoryScratch()
        let lines = try HistoryScratch.recording("two-turns")
        try history.write(lines)
        for name in [
            "agent-1234", "notes", "0AF281EC-C390-4E48-854A-E4CAB759FC2B", "..", "0af281ec-c390-4e48-854a-e4cab759fc2b.jsonl",
        ] {
            try Data(lines.joined(separator: "\n").utf8).write(to: history.sessions.appending(path: "\(name).jsonl"))
        }
        let subagents = history.sessions.appending(path: "\(HistoryScratch.session)/subagents")
        try FileManager.default.createDirectory(at: subagents, withIntermediateDirectories: true)
        try Data(lines.joined(separator: "\n").utf8).write(to: subagents.appending(path: "agent-1.jsonl"))
        // A session in which nothing was said, and one of a subagent only.
        try Data(lines[0].utf8).write(to: history.sessions.appending(path: "\(Self.other).jsonl"))
        let side = HistoryScratch.text("a", after: nil, further: #""isSidechain":true,"#)
        try history.write([side], to: EarlierSession.ID("11111111-1111-4111-8111-111111111111"))
        let catalog = history.catalog()
        let project = try #require(await catalog.projects().first)

        #expect(try await catalog.sessions(of: project.id).map(\.id) == [HistoryScratch.session])
        for id in [
            "agent-1234", "../x", "", "\(HistoryScratch.session)/subagents/agent-1", HistoryScratch.session.rawValue.uppercased(),
        ] {
            let error = await failure { () async throws(ProjectError) in
                try await catalog.messages(of: EarlierSession.ID(id), in: project.id)
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test func linksAndPipesInTheHistoryAreNotRead() async throws {
        let history = try HistoryScratch()
        try history.write(try HistoryScratch.recording("two-turns"))
        let outside = history.scratch.outside.appending(path: "other.jsonl")
        try FileManager.default.copyItem(at: history.sessions.appending(path: "\(HistoryScratch.session).jsonl"), to: outside)
        try #require(symlink(outside.path, history.sessions.appending(path: "\(Self.other).jsonl").path) == 0)
        try #require(mkfifo(history.sessions.appending(path: "11111111-1111-4111-8111-111111111111.jsonl").path, 0o600) == 0)
        let catalog = history.catalog()
        let project = try #require(try await within { await catalog.projects().first })

        #expect(project.sessionCount == 1)
        #expect(try await catalog.sessions(of: project.id).map(\.id) == [HistoryScratch.session])
    }

    /// The agent changes into another folder in the middle of a session.
    @Test func theWorkingDirectoryIsTheOneOfTheKey() async throws {
        let history = try HistoryScratch()
        try FileManager.default.createDirectory(
            at: history.scratch.inside.appending(path: "sub"), withIntermediateDirectories: true)
        try history.write([
            HistoryScratch.text("a", after: nil).replacing("/home/dev/project", with: "/home/dev/project/sub"),
            HistoryScratch.text("b", after: "a"),
        ])

        #expect(await history.catalog().projects().map(\.path) == [history.scratch.inside.path])
    }

    @Test(arguments: [#""relative""#, #""/nonexistent\u0000/x""#, "7", "null", #""""#, #""/dev/null""#])
    func badWorkingDirectoriesAreLeftOut(_ directory: String) async throws {
        let history = try HistoryScratch()
        try history.write([HistoryScratch.text("a", after: nil).replacing(#""/home/dev/project""#, with: directory)])

        #expect(await history.catalog().projects() == [])
    }

    @Test func theAgentsFolderFollowsTheEnvironment() {
        #expect(ProjectCatalog.standardHistory(environment: ["HOME": "/h"]) == "/h/.claude")
        #expect(ProjectCatalog.standardHistory(environment: ["HOME": "/h", "CLAUDE_CONFIG_DIR": "/c"]) == "/c")
        #expect(ProjectCatalog.standardHistory(environment: ["HOME": "/h", "CLAUDE_CONFIG_DIR": ""]) == "/h/.claude")
    }

    /// Of the newest activity, not of the newest file.
    @Test func sessionsAreSortedByActivity() async throws {
        let history = try HistoryScratch()
        try history.write([HistoryScratch.text("a", after: nil, seconds: 50)])
        try history.write([HistoryScratch.text("a", after: nil, seconds: 10)], to: Self.other)
        let catalog = history.catalog()
        let project = try #require(await catalog.projects().first)

        #expect(try await catalog.sessions(of: project.id).map(\.id) == [HistoryScratch.session, Self.other])
    }
}
