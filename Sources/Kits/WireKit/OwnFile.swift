package import Foundation

/// Access to files of this user or root. Another user's file is refused, and opening a file never blocks.
///
/// A path is followed through links of this user and of root. The file at its end must be a regular one: a FIFO may never get a
/// writer, and a device may never end. The attributes are those of the opened file, since its name may lead to another by then.
package enum OwnFile {
    /// The reason for refusing a file.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case otherUsersFile, otherUsersLink, brokenLink, link, notRegular, manyNames
        case tooLarge(limit: Int)
        case system(Int32)

        package var description: String {
            switch self {
            case .otherUsersFile: "it belongs to another user; run switchboard as that user, or change its owner"
            case .otherUsersLink: "it is a link of another user's"
            case .brokenLink: "its link leads nowhere"
            case .link: "it is a link; remove it"
            case .notRegular: "it is not a regular file"
            case .manyNames: "it has further names (hard links), under which others may change it"
            case .tooLarge(let limit): "it has more than \(limit) bytes"
            case .system(let code): String(cString: strerror(code))
            }
        }

        /// True if the file does not exist.
        package var isAbsence: Bool { self == .system(ENOENT) }
    }

    /// The permissions that a file of this user keeps when it is read; the others are removed.
    package enum Access {
        /// All permissions, for a public file such as a certificate.
        case unchanged
        /// The permissions of the owner and the group.
        case group
        /// The permissions of the owner.
        case owner

        fileprivate var mask: mode_t {
            switch self {
            case .unchanged: 0o777
            case .group: 0o770
            case .owner: 0o700
            }
        }
    }

    private static let maximumLinks = 16

    // MARK: Reading

    /// Returns the contents of a file of this user or root.
    ///
    /// - Parameters:
    ///   - limit: Maximum size in bytes.
    ///   - access: The permissions to keep on a file of this user. On a read-only disk all remain.
    package static func contents(of path: String, limit: Int, access: Access = .owner) throws(Failure) -> Data {
        let (descriptor, facts) = try open(try target(of: path), O_RDONLY, trustsRoot: true)
        defer { close(descriptor) }
        let excess = facts.st_uid == geteuid() ? facts.st_mode & 0o777 & ~access.mask : 0
        if excess != 0, fchmod(descriptor, facts.st_mode & 0o7777 & ~excess) != 0, errno != EROFS { throw .system(errno) }
        guard facts.st_size <= limit else { throw .tooLarge(limit: limit) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // The attributes give no final size: a file of a virtual disk has size 0 before it is read, and one on disk may grow.
        while data.count <= limit {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(errno) }
            if count == 0 { return data }
            data += buffer.prefix(count)
        }
        throw .tooLarge(limit: limit)
    }

    // MARK: Writing

    /// Opens a file for appending, and creates a missing one, with mode 0600. A link is refused.
    ///
    /// - Returns: A descriptor, which the caller closes.
    package static func openForAppending(_ path: String) throws(Failure) -> Int32 {
        let (descriptor, facts) = try open(path, O_WRONLY | O_CREAT | O_APPEND, trustsRoot: false)
        do {
            guard facts.st_nlink == 1 else { throw Failure.manyNames }
            if facts.st_mode & 0o777 != 0o600, fchmod(descriptor, 0o600) != 0 { throw Failure.system(errno) }
        } catch {
            close(descriptor)
            throw error as? Failure ?? .system(EIO)
        }
        return descriptor
    }

    /// Creates a file with mode 0600, synchronized to disk on return. Fails if the file exists.
    package static func create(_ path: String, containing data: Data) throws(Failure) {
        let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        do {
            try write(data, to: descriptor)
            guard fsync(descriptor) == 0 else { throw Failure.system(errno) }
        } catch {
            unlink(path)
            throw error as? Failure ?? .system(EIO)
        }
    }

    /// Replaces a file atomically, with mode 0600: after a crash its contents are the old or the new ones. A link is replaced, not
    /// followed. Concurrent replacements of one file are not safe.
    package static func replace(_ path: String, with data: Data) throws(Failure) {
        let new = path + ".new"
        // A crash may have left this file behind.
        unlink(new)
        try create(new, containing: data)
        guard rename(new, path) == 0 else {
            let reason = errno
            unlink(new)
            throw .system(reason)
        }
    }

    /// Writes all of `data`.
    package static func write(_ data: Data, to descriptor: Int32) throws(Failure) {
        var rest = [UInt8](data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw .system(errno) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    // MARK: The file itself

    /// Returns the path at the end of the links at `path`; `path` itself if it is not a link or does not exist.
    package static func target(of path: String) throws(Failure) -> String {
        var (end, links) = (path, 0)
        while let link = facts(end), link.st_mode & S_IFMT == S_IFLNK {
            links += 1
            guard link.st_uid == geteuid() || link.st_uid == 0 else { throw .otherUsersLink }
            guard links <= maximumLinks, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: end) else {
                throw .brokenLink
            }
            // The target of a link without a folder is relative to the current folder, not to the root.
            let folder = (end as NSString).deletingLastPathComponent
            end = target.hasPrefix("/") || folder.isEmpty ? target : folder + "/" + target
        }
        return end
    }

    /// Returns the attributes of a file, or of a link itself; nil if the path does not exist.
    private static func facts(_ path: String) -> stat? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts : nil
    }

    private static func open(_ path: String, _ flags: Int32, trustsRoot: Bool) throws(Failure) -> (Int32, stat) {
        // Checked before opening as well, because opening some devices has an effect.
        if let found = facts(path) { try check(found, trustsRoot) }
        let descriptor = Foundation.open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        var found = stat()
        do {
            guard fstat(descriptor, &found) == 0 else { throw Failure.system(errno) }
            try check(found, trustsRoot)
        } catch {
            close(descriptor)
            throw error as? Failure ?? .system(EIO)
        }
        return (descriptor, found)
    }

    private static func check(_ facts: stat, _ trustsRoot: Bool) throws(Failure) {
        switch facts.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .system(EISDIR)
        case S_IFLNK: throw .link
        default: throw .notRegular
        }
        guard facts.st_uid == geteuid() || (trustsRoot && facts.st_uid == 0) else { throw .otherUsersFile }
    }
}
