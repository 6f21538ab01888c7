import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import PlatformKit
import TestKit
import Testing

/// Files and changes of a project through the real service.
@MainActor
@Suite struct FileTests {
    private func write(_ files: [String: Data], in box: AgentBox) throws {
        for (path, data) in files {
            let url = box.project.url.appending(path: path)
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: url)
        }
    }

    private func paths(_ tree: FileTree) -> [String] {
        tree.rows.map { row in
            switch row.content {
            case .entry(let entry): String(repeating: "  ", count: row.depth) + entry.name
            case .more(_, let count): "more \(count)"
            case .loading: "loading"
            case .failed: "failed"
            case .empty: "empty"
            }
        }
    }

    @Test func treeOpensFolderByFolderAndPageByPage() async throws {
        let box = try await AgentBox()
        var files: [String: Data] = ["Sources/App/main.swift": Data("print(1)\n".utf8), "Sources/Notes.md": Data()]
        for index in 0..<130 { files["many/file-\(String(format: "%03d", index)).txt"] = Data() }
        try write(files, in: box)
        let phone = try await box.connected()
        let tree = phone.client.files(of: box.projectID)
        #expect(tree === phone.client.files(of: box.projectID))
        await tree.load()
        #expect(paths(tree) == ["many", "Sources", "README.md"])
        await tree.toggle("Sources")
        await tree.toggle("Sources/App")
        #expect(paths(tree) == ["many", "Sources", "  App", "    main.swift", "  Notes.md", "README.md"])
        await tree.toggle("Sources")
        await tree.toggle("many")
        #expect(tree.rows.count == 104 && paths(tree).contains("more 30"))
        await tree.loadMore(of: "many")
        #expect(tree.rows.count == 133 && !paths(tree).contains { $0.hasPrefix("more") })
        #expect(Set(tree.rows.map(\.id)).count == tree.rows.count)
        #expect(tree.search("file-12").map(\.name) == (120..<130).map { "file-\($0).txt" })
        #expect(tree.search("app swift").map(\.path) == ["Sources/App/main.swift"] && tree.search(" ").isEmpty)
        try FileManager.default.removeItem(at: box.project.url.appending(path: "README.md"))
        await tree.refresh()
        #expect(tree.rows.count == 132)
        box.network.cut()
        try await phone.until { $0.status != .connected }
        await tree.refresh()
        #expect(tree.folders[""]?.entries.count == 2 && paths(tree).last == "failed")
    }

    @Test func filesOfEveryKindAreRead() async throws {
        let box = try await AgentBox()
        let large = String(repeating: "0123456789abcde\n", count: 131_072)
        try write(
            [
                "text.swift": Data("let a = \"é\"\n".utf8), "image.png": Data([0x89, 0x50, 0, 0xff]), "large.txt": Data(large.utf8),
                "sub/a file #1 & é?.txt": Data("odd".utf8),
            ], in: box)
        let phone = try await box.connected()
        let text = phone.client.file("text.swift", of: box.projectID)
        await text.load()
        #expect(text.content?.content == "let a = \"é\"\n" && text.phase == .loaded && text.name == "text.swift")
        let image = phone.client.file("image.png", of: box.projectID)
        await image.load()
        #expect(image.content?.encoding == .binary && image.content?.content == nil && image.content?.size == 4)
        let whole = phone.client.file("large.txt", of: box.projectID)
        await whole.load()
        #expect(whole.content?.truncated == true && whole.canLoadWhole && whole.content?.content?.utf8.count == Limits.fileSize)
        await whole.load(whole: true)
        #expect(whole.content?.content == large && !whole.canLoadWhole)
        let odd = phone.client.file("sub/a file #1 & é?.txt", of: box.projectID)
        await odd.load()
        #expect(odd.content?.content == "odd")
        let outside = phone.client.file("../secret", of: box.projectID)
        await outside.load()
        guard case .failed(.server(.pathForbidden, _)) = outside.phase else { throw NotThere() }
        let missing = phone.client.file("missing", of: box.projectID)
        await missing.load()
        guard case .failed(.server(.fileNotFound, _)) = missing.phase else { throw NotThere() }
    }

    @Test func changesOfAProjectWithoutGitAreNone() async throws {
        let box = try await AgentBox()
        let phone = try await box.connected()
        let changes = phone.client.changes(of: box.projectID)
        await changes.load()
        #expect(changes.phase == .loaded && changes.diff == WorkTreeDiff(git: false))
    }

    @Test func changesAndMarksOfAGitProjectAreShown() async throws {
        let box = try await AgentBox()
        for arguments in [["init", "-q"], ["add", "-A"]] {
            #expect(try await Program.tool("/usr/bin/git", ["-C", box.project.path] + arguments).status == 0)
        }
        try write(["README.md": Data("changed\n".utf8), "new.txt": Data()], in: box)
        let phone = try await box.connected()
        let changes = phone.client.changes(of: box.projectID)
        await changes.load()
        #expect(changes.diff?.git == true && changes.diff?.unstaged.contains("+changed") == true)
        #expect(changes.diff?.staged.contains("+# Scratch") == true)
        let tree = phone.client.files(of: box.projectID)
        await tree.load()
        let marks = tree.folders[""]?.entries.reduce(into: [:]) { $0[$1.name] = $1.git }
        #expect(marks?["new.txt"] == .untracked && marks?["README.md"] != nil)
    }
}
