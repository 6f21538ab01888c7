import EndlessCodeProjects
import EndlessCodeWire
import Foundation
import HTTPTypes
import TestKit
import Testing
import WireKit

@testable import EndlessCodeService

/// Files of a real folder, through the real calls.
@Suite struct FileTests {
    let test: TestServer
    let folder: TemporaryFolder
    let project: String

    init() async throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url.appending(path: "Sources"), withIntermediateDirectories: false)
        try Data("let a = 1\n".utf8).write(to: folder.url.appending(path: "Sources/a b.swift"))
        try Data([0xff, 0, 1]).write(to: folder.url.appending(path: "b.bin"))
        try Data(repeating: 0x78, count: 1_048_577).write(to: folder.url.appending(path: "long.txt"))
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "out"), withDestinationURL: URL(filePath: "/etc"))
        let catalog = ProjectCatalog(history: folder.file("none"), salt: Data(repeating: 1, count: 32))
        project = try await catalog.add(folder.path).rawValue
        test = try await TestServer(projects: CatalogProjects(catalog))
    }

    private func get<Reply>(_ endpoint: Endpoint<NoBody, Reply>, _ query: String = "") async throws -> ServiceReply {
        try await test.call(endpoint, ["id": project], query: query)
    }

    @Test func aProjectIsListed() async throws {
        let projects = try await test.call(EndlessCodeEndpoints.projects).value([EndlessCodeWire.Project].self)
        #expect(projects.map(\.id.rawValue) == [project] && projects.first?.name == folder.url.lastPathComponent)
        #expect(try await get(EndlessCodeEndpoints.project).value(EndlessCodeWire.Project.self).id.rawValue == project)
        #expect(try await get(EndlessCodeEndpoints.projectSessions).value([Session].self) == [])
    }

    @Test func foldersAndFilesAreRead() async throws {
        let page = try await get(EndlessCodeEndpoints.files).value(EndlessCodeWire.FolderPage.self)
        #expect(page.entries.map(\.name) == ["Sources", "b.bin", "long.txt"] && page.totalCount == 3 && !page.hasMore)
        #expect(page.entries.first?.kind == .directory)
        let below = try await get(EndlessCodeEndpoints.files, "?path=Sources").value(EndlessCodeWire.FolderPage.self)
        #expect(below.entries.map(\.path) == ["Sources/a b.swift"])
        let file = try await get(EndlessCodeEndpoints.file, "?path=Sources/a%20b.swift").value(EndlessCodeWire.FileContent.self)
        #expect(file.content == "let a = 1\n" && file.encoding == .utf8 && !file.truncated)
        let binary = try await get(EndlessCodeEndpoints.file, "?path=b.bin").value(EndlessCodeWire.FileContent.self)
        #expect(binary.encoding == .binary && binary.content == nil && binary.size == 3)
        let cut = try await get(EndlessCodeEndpoints.file, "?path=long.txt").value(EndlessCodeWire.FileContent.self)
        #expect(cut.truncated && cut.content?.utf8.count == Limits.fileSize && cut.size == 1_048_577)
        let full = try await get(EndlessCodeEndpoints.file, "?path=long.txt&full=1").value(EndlessCodeWire.FileContent.self)
        #expect(!full.truncated && full.content?.utf8.count == 1_048_577)
        #expect(try await get(EndlessCodeEndpoints.diff).value(WorkTreeDiff.self) == WorkTreeDiff(git: false))
    }

    /// Failures of git and of the repository are words in a reply, not a failure of the server.
    @Test(arguments: ["empty", "objects", "head", "fifo"]) func brokenRepositoryIsAProblem(_ kind: String) async throws {
        let git = folder.url.appending(path: ".git")
        try FileManager.default.createDirectory(at: git, withIntermediateDirectories: false)
        switch kind {
        case "objects": try Data().write(to: git.appending(path: "objects"))
        case "head":
            try FileManager.default.createDirectory(at: git.appending(path: "objects"), withIntermediateDirectories: false)
            try Data(repeating: 0xff, count: 99).write(to: git.appending(path: "HEAD"))
        case "fifo":
            try FileManager.default.createDirectory(at: git.appending(path: "objects/ab"), withIntermediateDirectories: true)
            try #require(mkfifo(git.appending(path: "objects/ab/cd").path, 0o600) == 0)
        default: break
        }
        let reply = try await within { try await get(EndlessCodeEndpoints.diff) }
        let diff = try reply.value(WorkTreeDiff.self)
        #expect(reply.status == 200 && !diff.git && diff.problem?.isEmpty == false, "\(reply.text)")
    }

    @Test(arguments: [
        ("..", 403), ("../x", 403), ("/etc/passwd", 403), ("out/passwd", 403), ("Sources/../../x", 403), ("%00", 403), ("x", 404),
        ("Sources", 404), ("", 400),
    ])
    func pathsThatLeaveTheProjectAreForbidden(_ path: String, _ status: Int) async throws {
        let reply = try await get(EndlessCodeEndpoints.file, "?path=\(path)")
        #expect(reply.status == status, "\(reply.text)")
        #expect(!reply.text.contains("root:"))
    }

    @Test func filesOfUnknownProjectsAreNotFound() async throws {
        for endpoint in [EndlessCodeEndpoints.file.path, EndlessCodeEndpoints.files.path, EndlessCodeEndpoints.diff.path] {
            let path = endpoint.replacingOccurrences(of: ":id", with: "q") + "?path=a"
            let reply = try await test.server.parts.call(.get, path, token: test.token)
            #expect(reply.status == 404 && reply.text.contains("PROJECT_NOT_FOUND"))
        }
    }
}
