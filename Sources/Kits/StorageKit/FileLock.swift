import Foundation

/// Keeps a second process from using the same database. Ends with the process, however that ends.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// - Parameter path: The lock file; made when it is missing. It holds the process's number, for the error of the next.
    init(path: String) throws(StorageError) {
        // Not through a link, and not in a file that another user has put there: what it leads to would be written over.
        let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let reason = errno == ELOOP ? "it is a link; remove it" : String(cString: strerror(errno))
            throw StorageError(code: .unusable, description: "Cannot write \(path): \(reason)")
        }
        // Of the file that was opened: another one may have the name by now.
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(), facts.st_nlink == 1 else {
            close(file)
            throw StorageError(code: .unusable, description: "Cannot use \(path): it is no lock file of this user's; remove it")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let owner = (try? String(contentsOfFile: path, encoding: .utf8)).map { " (process \($0))" } ?? ""
            close(file)
            throw StorageError(
                code: .inUse, description: "\(path.dropLast(".lock".count)) is in use by another switchboard\(owner)")
        }
        // For people only; the lock itself is what counts.
        ftruncate(file, 0)
        let owner = "\(ProcessInfo.processInfo.processIdentifier)"
        _ = owner.withCString { write(file, $0, strlen($0)) }
        // Last: once it is set, an error would run `deinit` and close the descriptor a second time.
        descriptor = file
    }

    deinit {
        // Said aloud: a child process that is just being started may hold a copy of the descriptor for a moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
