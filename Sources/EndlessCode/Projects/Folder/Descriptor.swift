import Foundation

/// An open file or folder, closed when the instance is released.
final class Descriptor: Sendable {
    let number: CInt

    /// Takes ownership of `number`.
    init(_ number: CInt) { self.number = number }

    deinit { close(number) }

    func status() throws(ProjectError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .system(errno, "the file") }
        return status
    }

    /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
    func read(_ count: Int, at offset: Int64 = 0) throws(ProjectError) -> [UInt8] {
        // Memory is reserved for bytes that were read, not for the size that a file reports.
        var piece = [UInt8](repeating: 0, count: min(count, 1 << 18))
        var bytes: [UInt8] = []
        while bytes.count < count {
            let (wanted, position) = (min(count - bytes.count, piece.count), off_t(offset) + off_t(bytes.count))
            let received = piece.withUnsafeMutableBytes { pread(number, $0.baseAddress, wanted, position) }
            if received == 0 { break }
            if received > 0 {
                piece.withUnsafeBytes { bytes += UnsafeRawBufferPointer(rebasing: $0[..<received]) }
            } else if errno != EINTR {
                throw .system(errno, "the file")
            }
        }
        return bytes
    }

    /// Calls `body` with the name of each entry of this folder except `.` and `..`, and with its `d_type`.
    func forEachEntry(_ body: ([UInt8], Int) throws(ProjectError) -> Void) throws(ProjectError) {
        // Opens the folder again, because duplicated descriptors share one position in the list of entries.
        let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let code = errno
            if copy >= 0 { close(copy) }
            throw .system(code, "the folder")
        }
        defer { closedir(stream) }
        let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name)!
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .system(errno, "the folder") }
                return
            }
            // An entry is shorter in memory than `dirent`, so the name is not copied as a tuple.
            let start = (UnsafeRawPointer(entry) + nameOffset).assumingMemoryBound(to: UInt8.self)
            let name = Array(UnsafeBufferPointer(start: start, count: strlen(UnsafePointer<CChar>(OpaquePointer(start)))))
            if name == [0x2e] || name == [0x2e, 0x2e] { continue }
            try body(name, Int(entry.pointee.d_type))
        }
    }
}

extension ProjectError {
    /// Returns the error for an `errno`.
    static func system(_ code: CInt, _ subject: String) -> ProjectError {
        switch code {
        case ENOENT, ENAMETOOLONG, ELOOP, EILSEQ: ProjectError(.notFound, "\(subject) does not exist")
        case ENOTDIR: ProjectError(.notAFolder, "\(subject) is not a folder")
        case EACCES, EPERM: ProjectError(.accessDenied, "\(subject) cannot be opened: permission denied")
        default: ProjectError(.failed, "\(subject) cannot be read: \(String(cString: strerror(code)))")
        }
    }
}

extension stat {
    var kind: mode_t { st_mode & S_IFMT }
    var isFolder: Bool { kind == S_IFDIR }
    var isRegular: Bool { kind == S_IFREG }
    var isLink: Bool { kind == S_IFLNK }

    var modificationTime: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }

    /// The modification time in milliseconds since 1970.
    var modifiedMilliseconds: Int64 {
        let (seconds, overflow) = Int64(modificationTime.tv_sec).multipliedReportingOverflow(by: 1000)
        guard !overflow else { return modificationTime.tv_sec < 0 ? .min : .max }
        return seconds.addingReportingOverflow(Int64(modificationTime.tv_nsec) / 1_000_000).partialValue
    }
}

/// Paths of folders without links.
enum RealPath {
    /// Returns the path of a folder without links.
    static func folder(_ path: String) throws(ProjectError) -> String {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
            throw ProjectError(.notFound, "\(path.prefix(200)) is not an absolute path")
        }
        guard let resolved = realpath(path, nil) else { throw .system(errno, String(path.prefix(200))) }
        defer { free(resolved) }
        let bytes = UnsafeBufferPointer(
            start: UnsafeRawPointer(resolved).assumingMemoryBound(to: UInt8.self), count: strlen(resolved))
        let real = String(decoding: bytes, as: UTF8.self)
        guard real.utf8.elementsEqual(bytes) else { throw ProjectError(.notFound, "the path of the folder is not UTF-8") }
        _ = try open(real)
        return real
    }

    /// Opens a folder by its path without links. A link that has replaced the folder is refused.
    static func open(_ path: String) throws(ProjectError) -> Descriptor {
        let number = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { throw .system(errno, String(path.prefix(200))) }
        return Descriptor(number)
    }
}
