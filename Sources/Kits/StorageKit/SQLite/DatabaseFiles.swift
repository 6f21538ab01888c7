import Foundation
import WireKit

/// A database's file and the files beside it, closed to other users of the machine.
struct DatabaseFiles {
    /// Suffixes of the files that SQLite writes beside a database, and reads at the next opening as parts of it.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// The file itself, not a link to it: SQLite writes its other files beside it.
    let path: String

    /// - Parameter path: A file, which need not exist, or a symbolic link to one.
    /// - Throws: ``StorageError`` when the link belongs to another user, who could point it anywhere.
    init(path: String) throws(StorageError) {
        do {
            self.path = try OwnFile.target(of: path)
        } catch {
            throw Self.unusable(path, "\(error)")
        }
    }

    /// Removes the permissions of other users from the database, SQLite's files beside it, and copies whose names begin with its own, such
    /// as `pager.db.backup`. Creates a missing database as an empty file.
    ///
    /// Opens no existing file: closing it would release the locks that this process's SQLite holds on it.
    ///
    /// - Throws: ``StorageError`` when the database or one of SQLite's files belongs to another user, or is not a regular file.
    func closeToOthers() throws(StorageError) {
        if FileFacts(path) == nil {
            let new = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard new >= 0 || errno == EEXIST else { throw Self.unusable(path, String(cString: strerror(errno))) }
            if new >= 0 { close(new) }
        }
        let own = [path] + Self.companions.map { path + $0 }
        for file in own {
            guard let found = FileFacts(file) else { continue }
            guard found.type == .typeRegular else { throw Self.unusable(file, "it is not a regular file") }
            guard found.owner == geteuid() else {
                throw Self.unusable(file, "it belongs to another user; run switchboard as that user, or change its owner")
            }
        }
        let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
        // Without permission to list the folder, copies are not found and stay as they are.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        let copies = names.filter { $0.hasPrefix(name) }.map { (folder as NSString).appendingPathComponent($0) }
        for file in Set(own + copies) {
            guard let found = FileFacts(file), found.type == .typeRegular, found.owner == geteuid(), found.mode & 0o077 != 0 else {
                continue
            }
            guard chmod(file, mode_t(found.mode & 0o700)) == 0 else { throw Self.unusable(file, String(cString: strerror(errno))) }
        }
    }

    private static func unusable(_ file: String, _ reason: String) -> StorageError {
        StorageError(code: .unusable, description: "Cannot use the database \(file): \(reason)")
    }
}

/// The attributes of a file, or of a link itself.
struct FileFacts {
    var type: FileAttributeType?
    var owner: uid_t?
    var mode: Int

    /// Nil when there is nothing at `path`.
    init?(_ path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        type = attributes[.type] as? FileAttributeType
        owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
        mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }
}
