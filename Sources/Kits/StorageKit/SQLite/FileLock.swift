import Foundation

/// Keeps a second process from using the same database. Released when the process ends, in whatever way.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// - Parameter path: The lock file, created when missing. It holds the process id, for the error of a second process.
    init(path: String) throws(StorageError) {
        // Neither through a link nor in a file of another user: its target would be overwritten.
        let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let reason = errno == ELOOP ? "it is a link; remove it" : String(cString: strerror(errno))
            throw StorageError(code: .unusable, description: "Cannot write \(path): \(reason)")
        }
        // The facts of the opened file: another file may have the name by now.
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(), facts.st_nlink == 1 else {
            close(file)
            throw StorageError(code: .unusable, description: "Cannot use \(path): it is no lock file of this user's; remove it")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let owner = Self.owner(in: file).map { " (process \($0))" } ?? ""
            close(file)
            throw StorageError(
                code: .inUse, description: "\(path.dropLast(".lock".count)) is in use by another switchboard\(owner)")
        }
        // For people only; the lock itself counts.
        ftruncate(file, 0)
        let owner = "\(ProcessInfo.processInfo.processIdentifier)"
        _ = owner.withCString { write(file, $0, strlen($0)) }
        // Last: after it is set, an error would run `deinit` and close the descriptor a second time.
        descriptor = file
    }

    /// The process id that the lock's owner has written.
    private static func owner(in file: Int32) -> Int32? {
        var text = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &text, text.count, 0)
        return Int32(String(decoding: text.prefix(max(0, count)), as: UTF8.self))
    }

    deinit {
        // Explicitly: a child process that is being started may hold a copy of the descriptor for a moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
