import Foundation
import TestKit
import Testing

@testable import WireKit

/// Files of this user, and what is not one.
@Suite struct OwnFileTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("file")
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func append(_ text: String) throws {
        let descriptor = try OwnFile.openForAppending(path)
        defer { close(descriptor) }
        try OwnFile.write(Data(text.utf8), to: descriptor)
    }

    private func expect(_ failure: OwnFile.Failure, _ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation) {
        #expect(throws: failure, sourceLocation: location) { try body() }
    }

    @Test func appendedFileIsForItsOwnerOnly() throws {
        try append("one")
        #expect(chmod(path, 0o644) == 0)
        try append(" two")
        #expect(try OwnFile.contents(of: path, limit: 7) == Data("one two".utf8))
        #expect(try mode(path) == 0o600)
    }

    /// A FIFO without a reader or writer would block for ever, and a device never end.
    @Test func irregularFilesAreRefusedWithoutWaiting() throws {
        #expect(mkfifo(path, 0o600) == 0)
        for path in [path, "/dev/zero", "/dev/null"] {
            expect(.notRegular) { _ = try OwnFile.openForAppending(path) }
            expect(.notRegular) { _ = try OwnFile.contents(of: path, limit: 10) }
        }
        expect(.system(EISDIR)) { _ = try OwnFile.openForAppending(folder.path) }
        expect(.system(EISDIR)) { _ = try OwnFile.contents(of: folder.path, limit: 10) }
    }

    @Test(.enabled(if: geteuid() == 0)) func anotherUsersFilesAndLinksAreRefused() throws {
        try append("theirs")
        let link = folder.file("link")
        #expect(symlink("file", link) == 0 && lchown(link, 65_534, 65_534) == 0)
        expect(.otherUsersLink) { _ = try OwnFile.contents(of: link, limit: 10) }
        #expect(chown(path, 65_534, 65_534) == 0)
        expect(.otherUsersFile) { _ = try OwnFile.contents(of: path, limit: 10) }
        expect(.otherUsersFile) { try append("ours") }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "theirs")
    }

    @Test func appendingFollowsNoLinkAndSharesNoFile() throws {
        let other = folder.file("other")
        try Data("precious".utf8).write(to: URL(filePath: other))
        #expect(symlink(other, path) == 0)
        expect(.link) { try append("x") }
        #expect(unlink(path) == 0 && link(other, path) == 0)
        expect(.manyNames) { try append("x") }
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
    }

    @Test func linksAreFollowedForReading() throws {
        try append("text")
        let (first, second) = (folder.file("first"), folder.file("second"))
        #expect(symlink("file", first) == 0 && symlink(first, second) == 0)
        #expect(try OwnFile.contents(of: second, limit: 4) == Data("text".utf8))
        let loop = folder.file("loop")
        #expect(symlink("loop", loop) == 0)
        expect(.brokenLink) { _ = try OwnFile.contents(of: loop, limit: 4) }
    }

    @Test func readingIsBoundedAndClosesTheFile() throws {
        try Data("12345".utf8).write(to: URL(filePath: path))
        for (access, mode) in [(OwnFile.Access.unchanged, 0o664), (.group, 0o660), (.owner, 0o600)] {
            #expect(chmod(path, 0o664) == 0)
            #expect(try OwnFile.contents(of: path, limit: 5, access: access).count == 5)
            #expect(try self.mode(path) == mode)
        }
        expect(.tooLarge(limit: 4)) { _ = try OwnFile.contents(of: path, limit: 4) }
        expect(.system(ENOENT)) { _ = try OwnFile.contents(of: folder.file("none"), limit: 4) }
        // Without a size before it is read.
        expect(.tooLarge(limit: 3)) { _ = try OwnFile.contents(of: "/proc/self/status", limit: 3, access: .unchanged) }
    }

    @Test func replacedFileIsPrivateAndWhole() throws {
        let other = folder.file("other")
        try Data("precious".utf8).write(to: URL(filePath: other))
        #expect(symlink(other, path) == 0)
        // Left behind by a crash.
        try Data("half".utf8).write(to: URL(filePath: path + ".new"))
        try OwnFile.replace(path, with: Data("new".utf8))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new" && mode(path) == 0o600)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["file", "other"])
    }
}
