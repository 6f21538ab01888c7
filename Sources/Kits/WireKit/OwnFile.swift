package import Foundation

/// Files that this user, or root, has put in their place: opened without waiting, and never another user's.
///
/// A path is followed through links of this user and of root. The file at its end must be a regular one: a FIFO may never get a writer, and
/// a device may never end. The facts are those of the opened file, since another one may have its name by then.
package enum OwnFile {
    /// The reason why a file is not used.
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

        /// True if there is no file.
        package var isAbsence: Bool { self == .system(ENOENT) }
    }

    /// The permissions that remain of a file of this user's when it is read.
    package enum Access {
        /// The permissions as they are: the file is public, such as a certificate.
        case unchanged
        /// Those of the owner and the group.
        case group
        /// Those of the owner.
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

    /// The contents of a file of this user or root.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes.
    ///   - access: Removes the other permissions of a file of this user's, except on a read-only disk.
    package static func contents(of path: String, limit: Int, access: Access = .owner) throws(Failure) -> Data {
        let (descriptor, facts) = try open(try target(of: path), O_RDONLY, trustsRoot: true)
        defer { close(descriptor) }
        let excess = facts.st_uid == geteuid() ? facts.st_mode & 0o777 & ~access.mask : 0
        if excess != 0, fchmod(descriptor, facts.st_mode & 0o7777 & ~excess) != 0, errno != EROFS { throw .system(errno) }
        guard facts.st_size <= limit else { throw .tooLarge(limit: limit) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // A file of a virtual disk has no size before it is read, and one of a disk may grow.
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

    /// Creates a file with mode 0600, on disk when this returns. Fails when there is one.
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

    /// Replaces a file as a whole, with mode 0600: after a crash there is the old one or the new one. A link is replaced, not followed.
    /// One task at a time may replace a file.
    package static func replace(_ path: String, with data: Data) throws(Failure) {
        let new = path + ".new"
        // Left behind by a crash.
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

    /// The file at the end of the links at `path`; `path` itself where there is no link, or nothing.
    package static func target(of path: String) throws(Failure) -> String {
        var (end, links) = (path, 0)
        while let link = facts(end), link.st_mode & S_IFMT == S_IFLNK {
            links += 1
            guard link.st_uid == geteuid() || link.st_uid == 0 else { throw .otherUsersLink }
            guard links <= maximumLinks, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: end) else {
                throw .brokenLink
            }
            // A link without a folder lies in the current one: its target is not in the root.
            let folder = (end as NSString).deletingLastPathComponent
            end = target.hasPrefix("/") || folder.isEmpty ? target : folder + "/" + target
        }
        return end
    }

    /// The facts of a file, or of a link itself; nil when there is nothing.
    private static func facts(_ path: String) -> stat? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts : nil
    }

    private static func open(_ path: String, _ flags: Int32, trustsRoot: Bool) throws(Failure) -> (Int32, stat) {
        // Before it is opened: some devices act when they are.
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
