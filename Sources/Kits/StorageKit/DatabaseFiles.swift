import Foundation

/// A database's file and those that lie beside it, kept from other users of the machine.
struct DatabaseFiles {
    /// What SQLite writes beside a database, and reads at the next opening as a part of it.
    private static let companions = ["-wal", "-shm", "-journal"]
    private static let maximumLinks = 16

    /// Not a link: SQLite writes its other files beside the file itself.
    let path: String

    /// - Parameter path: A file, one to be made, or a symbolic link to either.
    /// - Throws: ``StorageError`` when the link belongs to another user, who could lead to anything with it.
    init(path: String) throws(StorageError) {
        var (end, links) = (path, 0)
        while let link = FileFacts(end), link.type == .typeSymbolicLink {
            links += 1
            guard link.owner == geteuid() || link.owner == 0 else { throw Self.unusable(end, "it is a link of another user's") }
            guard links <= Self.maximumLinks, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: end) else {
                throw Self.unusable(path, "its link leads nowhere")
            }
            // A link without a folder lies in the current one: its target is not in the root.
            let folder = (end as NSString).deletingLastPathComponent
            end = target.hasPrefix("/") || folder.isEmpty ? target : folder + "/" + target
        }
        self.path = end
    }

    /// Closes to other users the database, SQLite's files beside it, and copies whose names begin with its own, such as
    /// `pager.db.backup`. Makes a database that is missing, empty.
    ///
    /// Opens none of those that exist: closing one would end the locks that this process's SQLite holds on it.
    ///
    /// - Throws: ``StorageError`` when the database or one of SQLite's files belongs to another user, or is no regular file.
    func closeToOthers() throws(StorageError) {
        if FileFacts(path) == nil {
            let new = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard new >= 0 || errno == EEXIST else { throw Self.unusable(path, String(cString: strerror(errno))) }
            if new >= 0 { close(new) }
        }
        let own = [path] + Self.companions.map { path + $0 }
        for file in own {
            guard let found = FileFacts(file) else { continue }
            guard found.type == .typeRegular else { throw Self.unusable(file, "it is no regular file") }
            guard found.owner == geteuid() else {
                throw Self.unusable(file, "it belongs to another user; run switchboard as that user, or change its owner")
            }
        }
        let (folder, name) = ((path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent)
        // Without the right to list the folder, copies are not found, and stay as they are.
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

/// What the system says of a file; of a link, not of what it leads to.
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
