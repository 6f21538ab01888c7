import EndlessCodeProjects
import Foundation
import TestKit
import Testing
import WireKit

@Suite struct ProjectFolderTests {
    // MARK: Listing

    @Test func foldersComeFirstThenNamesWithoutRegardToCase() async throws {
        let scratch = try ScratchFolder()
        for path in ["b.txt", "A.txt", "a.txt", "Z/x", "c/x", "Éa", "한글.md"] { try scratch.write(path) }

        let page = try await scratch.project.list()

        #expect(page.entries.map(\.name) == ["c", "Z", "A.txt", "a.txt", "b.txt", "Éa", "한글.md"])
        #expect(page.entries.map(\.kind) == [.directory, .directory, .file, .file, .file, .file, .file])
        #expect((page.totalCount, page.hasMore) == (7, false))
    }

    @Test func entriesHaveSizeTimeAndPath() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("src/deep/main.swift", "12345")
        let before = Timestamp.now - .seconds(60)

        let entry = try #require(try await scratch.project.list("src//deep/").entries.first)

        #expect((entry.name, entry.path, entry.kind, entry.size, entry.git) == ("main.swift", "src/deep/main.swift", .file, 5, nil))
        #expect(try #require(entry.modified) > before)
        let folder = try #require(try await scratch.project.list("src").entries.first)
        #expect((folder.path, folder.kind, folder.size) == ("src/deep", .directory, 0))
    }

    @Test func pagesCoverALargeFolderOnce() async throws {
        let scratch = try ScratchFolder()
        let count = Effort.count(1_150, soak: 100_000)
        for number in 0..<count { try scratch.write("f\(number)", Data()) }
        let project = try scratch.project

        var names: [String] = []
        var page = try await project.list()
        #expect((page.entries.count, page.totalCount, page.hasMore) == (100, count, true))
        names += page.entries.map(\.name)
        while page.hasMore {
            page = try await project.list(offset: names.count, limit: 1_000)
            names += page.entries.map(\.name)
        }
        #expect(names.count == count && Set(names).count == count)
        page = try await project.list(offset: .max)
        #expect((page.entries.isEmpty, page.totalCount, page.hasMore) == (true, count, false))
        #expect(await failure { () async throws(ProjectError) in try await project.list(offset: -1) }?.code == .invalidArgument)
        #expect(await failure { () async throws(ProjectError) in try await project.list(limit: 0) }?.code == .invalidArgument)
    }

    @Test func linksInsideAreFollowedAndOthersAreNotListed() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("sub/file.txt", "text")
        try scratch.link("to-file", to: "sub/file.txt")
        try scratch.link("to-folder", to: "./sub/../sub/.")
        try scratch.link("absolute", to: scratch.inside.path + "/sub")
        try scratch.link("sub/up", to: "../to-file")
        try scratch.link("outside", to: "../outside")
        try scratch.link("root", to: "/")
        try scratch.link("broken", to: "nothing")
        try scratch.link("circle", to: "circle")
        try #require(mkfifo(scratch.inside.appending(path: "pipe").path, 0o600) == 0)
        let project = try scratch.project

        #expect(try await project.list().entries.map(\.name) == ["absolute", "sub", "to-folder", "to-file"])
        #expect(try await project.list("to-folder").entries.map(\.path) == ["to-folder/file.txt", "to-folder/up"])
        #expect(try await project.content(of: "absolute/up").content == "text")
        #expect(try await project.list().entries.last?.size == 4)
    }

    @Test func pipesAndSocketsAreNotOpened() async throws {
        let scratch = try ScratchFolder()
        try #require(mkfifo(scratch.inside.appending(path: "pipe").path, 0o600) == 0)
        try scratch.link("link", to: "pipe")
        let project = try scratch.project

        // A pipe without a writer would block for ever.
        for path in ["pipe", "link"] {
            let error = try await within { await failure { () async throws(ProjectError) in try await project.content(of: path) } }
            #expect(error?.code == .notAFile)
        }
        #expect(await failure { () async throws(ProjectError) in try await project.list("pipe/x") }?.code == .notAFolder)
    }

    @Test func namesThatAreNotUTF8CanBeOpened() async throws {
        let scratch = try ScratchFolder()
        let names: [[UInt8]] = [
            [0xff, 0x61], [0xe9, 0x2e, 0x63], [0xef, 0x9e, 0x80], [0xe2, 0x82], [0x61, 0xcc, 0x81], [0xc3, 0xa1],
        ]
        for (number, name) in names.enumerated() {
            let path = Array(scratch.inside.path.utf8CString.dropLast()) + [0x2f] + name.map(CChar.init(bitPattern:)) + [0]
            let file = open(path, O_WRONLY | O_CREAT, 0o600)
            try #require(file >= 0)
            #expect(write(file, "\(number)", 1) == 1)
            close(file)
        }
        let project = try scratch.project

        let entries = try await project.list().entries
        #expect(entries.count == names.count)
        var contents: Set<String> = []
        for entry in entries { contents.insert(try await project.content(of: entry.path).content ?? "") }
        #expect(contents == Set(names.indices.map(String.init)))
    }

    @Test func unreadableFoldersAreAnError() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("closed/file")
        try scratch.write("secret")
        chmod(scratch.inside.appending(path: "closed").path, 0)
        chmod(scratch.inside.appending(path: "secret").path, 0)
        defer { chmod(scratch.inside.appending(path: "closed").path, 0o700) }
        let project = try scratch.project

        // The superuser may read everything.
        if geteuid() != 0 {
            #expect(await failure { () async throws(ProjectError) in try await project.list("closed") }?.code == .accessDenied)
            #expect(
                await failure { () async throws(ProjectError) in try await project.content(of: "secret") }?.code == .accessDenied)
        }
        #expect(try await project.list().totalCount == 2)
    }

    @Test func missingPathsAreNotFound() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("file")
        let project = try scratch.project

        for path in ["x", "x/y", String(repeating: "x", count: 300), String(repeating: "x/", count: 5_000)] {
            #expect(await failure { () async throws(ProjectError) in try await project.content(of: path) }?.code == .notFound)
            #expect(await failure { () async throws(ProjectError) in try await project.list(path) }?.code == .notFound)
        }
        #expect(await failure { () async throws(ProjectError) in try await project.content(of: "") }?.code == .notAFile)
        #expect(await failure { () async throws(ProjectError) in try await project.list("file") }?.code == .notAFolder)
        #expect(throws: ProjectError.self) { try ProjectFolder(scratch.inside.appending(path: "file").path) }
        #expect(throws: ProjectError.self) { try ProjectFolder("inside") }
        try FileManager.default.removeItem(at: scratch.inside)
        #expect(await failure { () async throws(ProjectError) in try await project.list() }?.code == .notFound)
    }

    @Test func deepTreesNeedFewDescriptors() async throws {
        let scratch = try ScratchFolder()
        let path = Array(repeating: "d", count: 300).joined(separator: "/")
        var folder = open(scratch.inside.path, O_RDONLY | O_DIRECTORY)
        for _ in 0..<300 {
            try #require(mkdirat(folder, "d", 0o700) == 0)
            let next = openat(folder, "d", O_RDONLY | O_DIRECTORY)
            close(folder)
            folder = next
        }
        close(folder)

        #expect(try await scratch.project.list(path).totalCount == 0)
    }

    // MARK: Content

    @Test func smallFilesAreWhole() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("a/b.txt", "안녕 👋\r\n")
        try scratch.write("empty", Data())
        let project = try scratch.project

        #expect(
            try await project.content(of: "a/b.txt")
                == FileContent(path: "a/b.txt", size: 13, encoding: .utf8, content: "안녕 👋\r\n", truncated: false))
        #expect(try await project.content(of: "empty").content == "")
    }

    /// Texts in other encodings than UTF-8, made with iconv.
    static let encodings: [(bytes: [UInt8], text: String, charset: String)] = [
        ([0xc7, 0xd1, 0xb1, 0xdb, 0x20, 0xc6, 0xc4, 0xc0, 0xcf, 0x0a], "한글 파일\n", "EUC-KR"),
        // A syllable that only Windows-949 has, among others.
        (
            [
                0xb0, 0xa2, 0xc7, 0xcf, 0x20, 0x8c, 0x63, 0xb9, 0xe6, 0xb0, 0xa2, 0xc7, 0xcf, 0xc0, 0xc7, 0x20, 0xbc, 0x84, 0xbd,
                0xc3, 0xc4, 0xdd, 0xb6, 0xf3,
            ], "각하 똠방각하의 펲시콜라", "EUC-KR"
        ),
        (
            [0x63, 0x61, 0x66, 0xe9, 0x20, 0xfc, 0x62, 0x65, 0x72, 0x20, 0xc4, 0x72, 0x67, 0x65, 0x72], "café über Ärger",
            "windows-1252"
        ),
        ([0x93, 0x61, 0x94, 0x20, 0x80, 0x35], "“a” €5", "windows-1252"),
        ([0xff, 0xfe, 0x61, 0x00, 0x5c, 0xd5, 0x3d, 0xd8, 0x00, 0xde, 0x0a, 0x00], "a한😀\n", "UTF-16LE"),
        ([0xfe, 0xff, 0x00, 0x61, 0xd5, 0x5c], "a한", "UTF-16BE"),
        (Array("name=".utf8.flatMap { [$0, 0] }), "name=", "UTF-16LE"),
        (Array("name=".utf8.flatMap { [0, $0] }), "name=", "UTF-16BE"),
        ([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], "a", "UTF-32LE"), ([0xef, 0xbb, 0xbf, 0x61, 0xc3, 0xa9], "aé", "UTF-8"),
        // A stray byte in UTF-8.
        (Array("안녕하세요 ".utf8) + [0xff, 0x0a], "안녕하세요 \u{fffd}\n", "UTF-8"),
        (
            [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x82, 0xcc, 0x83, 0x65, 0x83, 0x4c, 0x83, 0x58, 0x83, 0x67], "日本語のテキスト",
            "Shift_JIS"
        ),
        ([0xd6, 0xd0, 0xce, 0xc4, 0xce, 0xc4, 0xbc, 0xfe], "中文文件", "GB18030"),
        ([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0], "Привет, мир", "windows-1251"),
        ([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4, 0x20, 0xcd, 0xc9, 0xd2, 0xd9], "Привет миры", "KOI8-R"),
    ]

    @Test(arguments: encodings) func otherEncodingsAreText(bytes: [UInt8], text: String, charset: String) async throws {
        let scratch = try ScratchFolder()
        try scratch.write("file", Data(bytes))

        let content = try await scratch.project.content(of: "file")
        #expect(content.content == text && content.encoding == .utf8 && content.charset == charset)
        #expect(content.size == Int64(bytes.count))
    }

    @Test(arguments: [0, 1]) func otherEncodingsAreCutBetweenCharacters(_ shift: Int) async throws {
        let scratch = try ScratchFolder()
        let count = FileContent.previewSize / 2 + 10
        let ascii = [UInt8](repeating: 0x61, count: shift)
        func repeated(_ character: [UInt8]) -> ArraySlice<UInt8> {
            var bytes = character
            while bytes.count < count * character.count { bytes += bytes }
            return bytes.prefix(count * character.count)
        }
        try scratch.write("korean", Data(ascii + repeated([0xc7, 0xd1])))
        try scratch.write("unicode", Data([0xff, 0xfe] + repeated([0x3d, 0xd8, 0x00, 0xde])))
        let project = try scratch.project

        let korean = try await project.content(of: "korean")
        #expect(korean.truncated && korean.charset == "EUC-KR" && korean.content?.hasSuffix("한") == true)
        #expect(try await project.content(of: "unicode").content?.hasPrefix("😀😀") == true)
        #expect(try await project.content(of: "korean", full: true).content?.unicodeScalars.count == shift + count)
    }

    @Test(
        arguments: [
            [0x00, 0x61], [0xff, 0xfe, 0x61], [0x01, 0xc3, 0x28], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d],
            [0x1f, 0x8b, 0x08, 0x00], [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0],
        ] as [[UInt8]])
    func otherFilesAreBinary(_ bytes: [UInt8]) async throws {
        let scratch = try ScratchFolder()
        try scratch.write("file", Data(bytes))

        let content = try await scratch.project.content(of: "file")
        #expect((content.encoding, content.content, content.size) == (.binary, nil, Int64(bytes.count)))
    }

    @Test(arguments: 0..<5)
    func largeFilesAreCutBetweenScalars(_ shift: Int) async throws {
        let scratch = try ScratchFolder()
        // The limit falls into each place of a scalar of four bytes.
        let text = String(repeating: "x", count: shift) + String(repeating: "👋", count: FileContent.previewSize / 4 + 10)
        try scratch.write("file", text)
        let project = try scratch.project

        let start = try await project.content(of: "file")
        let content = try #require(start.content)
        #expect(start.truncated && start.size == Int64(text.utf8.count))
        #expect(text.utf8.starts(with: content.utf8))
        #expect((FileContent.previewSize - 3...FileContent.previewSize).contains(content.utf8.count))
        let whole = try await project.content(of: "file", full: true)
        #expect(whole.content == text && !whole.truncated)
    }

    @Test func filesOverTheMaximumAreRefusedAsAWhole() async throws {
        let scratch = try ScratchFolder()
        let file = scratch.inside.appending(path: "file")
        try scratch.write("file", Data())
        try #require(truncate(file.path, off_t(FileContent.maximumSize) + 1) == 0)
        let project = try scratch.project

        #expect(
            await failure { () async throws(ProjectError) in try await project.content(of: "file", full: true) }?.code
                == .fileTooLarge)
        let start = try await project.content(of: "file")
        #expect((start.truncated, start.encoding, start.size) == (true, .binary, Int64(FileContent.maximumSize) + 1))
        try #require(truncate(file.path, off_t(FileContent.maximumSize)) == 0)
        #expect(try await project.content(of: "file", full: true).size == Int64(FileContent.maximumSize))
    }
}
