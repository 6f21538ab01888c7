import Foundation
import TestKit
import Testing

@testable import StorageKit

/// Databases and other users of the machine.
@Suite struct DatabaseFilesTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("test.db")
    }

    private func open() throws { try Database(path: path, migrations: []).close() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func expectRefusal(_ words: String, at path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
            try Database(path: path ?? self.path, migrations: []).close()
        }
        #expect(error?.code == .unusable && error?.description.contains(words) == true, sourceLocation: sourceLocation)
    }

    /// For example a restored backup, in a folder that other users may enter.
    @Test func filesThatWereOpenToOthersAreClosed() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        // Left behind by a crash: with its log, and locks without an owner.
        let store = try Database(path: folder.file("other.db"), migrations: [])
        let kinds = ["", "-wal", "-shm"]
        for kind in kinds { try FileManager.default.copyItem(atPath: folder.file("other.db" + kind), toPath: path + kind) }
        withExtendedLifetime(store) {}
        let all = kinds + [".lock", ".backup"]
        for kind in all.suffix(2) { try Data().write(to: URL(filePath: path + kind)) }
        for kind in all { try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + kind) }
        let reopened = try Database(path: path, migrations: [])
        for kind in all { #expect(try mode(path + kind) == 0o600, "\(kind)") }
        reopened.close()
    }

    @Test func newFilesAreForTheirOwnerWhateverTheUmask() throws {
        let store = try Database(path: path, migrations: [])
        for kind in ["", "-wal", "-shm", ".lock"] { #expect(try mode(path + kind) == 0o600, "\(kind)") }
        store.close()
        _ = try Database(phonePath: folder.file("phone.db"), migrations: [])
        #expect(try mode(folder.file("phone.db")) == 0o600)
    }

    @Test(.enabled(if: geteuid() == 0), arguments: ["", "-wal", "-shm", "-journal", ".lock"])
    func anotherUsersIsRefused(_ kind: String) throws {
        try open()
        if !FileManager.default.fileExists(atPath: path + kind) { try Data().write(to: URL(filePath: path + kind)) }
        #expect(chown(path + kind, 65_534, 65_534) == 0)
        expectRefusal(path + kind)
        let link = folder.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "test.db")
        expectRefusal(path + kind, at: link)
    }

    @Test(.enabled(if: geteuid() == 0)) func aLinkOfAnotherUsersIsNotFollowed() throws {
        try open()
        let (link, own) = (folder.file("link.db"), folder.file("own.db"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: "link.db")
        #expect(lchown(link, 65_534, 65_534) == 0)
        expectRefusal("a link of another user's", at: link)
        expectRefusal("a link of another user's", at: own)
    }

    /// Both names are one database: it has one lock.
    @Test func aLinkLeadsToTheDatabase() throws {
        let link = folder.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "test.db")
        let store = try Database(path: link, migrations: [])
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(throws: StorageError.self) { try open() }
        store.close()
    }

    /// For example `--data .` with a link whose target lies in the same folder.
    @Test func aLinkWithoutAFolderLeadsBesideItself() throws {
        let link = "link-\(UUID().uuidString).db"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.db")
        defer { try? FileManager.default.removeItem(atPath: link) }
        #expect(try DatabaseFiles(path: link).path == "target.db")
    }

    @Test func cyclicLinksAreRefused() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other.db")
        try FileManager.default.createSymbolicLink(atPath: folder.file("other.db"), withDestinationPath: "test.db")
        expectRefusal("leads nowhere")
    }

    /// The log would be replayed into the database, the journal rolled back into it.
    @Test(arguments: ["-wal", "-shm", "-journal"]) func aLinkBesideItIsRefused(_ kind: String) throws {
        try open()
        try? FileManager.default.removeItem(atPath: path + kind)
        try FileManager.default.createSymbolicLink(atPath: path + kind, withDestinationPath: folder.file("elsewhere"))
        expectRefusal(path + kind)
    }

    @Test func aFIFOIsNotWaitedFor() throws {
        #expect(mkfifo(path, 0o600) == 0)
        expectRefusal("it is not a regular file")
    }

    /// Following the link would overwrite its target with the number of this process.
    @Test func lockLinksAreRefusedAndTheirTargetsUntouched() throws {
        let target = folder.file("letter.txt")
        try Data("kept".utf8).write(to: URL(filePath: target))
        try FileManager.default.createSymbolicLink(atPath: path + ".lock", withDestinationPath: target)
        expectRefusal("it is a link; remove it")
        try FileManager.default.removeItem(atPath: path + ".lock")
        try FileManager.default.linkItem(atPath: target, toPath: path + ".lock")
        expectRefusal("remove it")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
    }
}
