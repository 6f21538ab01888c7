public import Foundation

/// Files and folders that only their owner may read.
public enum PrivateFiles {
    /// Makes `folder` (mode 0700) with what is missing above it, and checks that it can be written to.
    ///
    /// A folder of this user's that exists is closed to others when it is empty, or holds a secret or a database. One that is used for other
    /// things as well keeps its mode, and so does one like `/tmp`: what we put there is private file by file.
    public static func ensureFolder(_ folder: URL) throws(StartupError) {
        let files = FileManager.default
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let contents = try files.contentsOfDirectory(atPath: folder.path)
            let found = try files.attributesOfItem(atPath: folder.resolvingSymlinksInPath().path)
            if owner(found) == geteuid(), mode(found) & 0o1000 == 0,
                contents.isEmpty || contents.contains(where: { $0.hasSuffix(".secret") || $0.hasSuffix(".db") })
            {
                try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
            }
            // access(2) says yes to root in any case, so try for real. The name is new each time: an earlier process may have had the
            // same number, as in a container, and left its file behind.
            let probe = folder.appending(path: ".writable-\(UUID())")
            try create(probe, containing: Data())
            try files.removeItem(at: probe)
        } catch {
            throw StartupError("Cannot write to the data folder \(folder.path): \(reason(error))")
        }
    }

    /// The largest file that is read. Bytes.
    private static let maximumSize = 1_048_576

    /// Reads a text file that the operator has named.
    ///
    /// - Throws: ``StartupError`` that names the file and the system's reason; also for anything but a regular file, since a FIFO may
    ///   never be written to and a device may never end.
    public static func text(of path: String) throws(StartupError) -> String {
        do {
            let found = try FileManager.default.attributesOfItem(atPath: URL(filePath: path).resolvingSymlinksInPath().path)
            switch found[.type] as? FileAttributeType {
            case .typeRegular: break
            case .typeDirectory: throw POSIXError(.EISDIR)
            default: throw StartupError("Cannot read \(path): it is no regular file")
            }
            // Should it be another one by now: a FIFO is not waited for, and a device ends with the size.
            let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw lastError }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            let bytes = try handle.read(upToCount: maximumSize + 1) ?? Data()
            guard bytes.count <= maximumSize else { throw StartupError("\(path) has more than \(maximumSize) bytes") }
            guard let text = String(data: bytes, encoding: .utf8) else { throw StartupError("\(path) is not UTF-8 text") }
            return text
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError("Cannot read \(path): \(reason(error))")
        }
    }

    /// Reads a secret of this program's own, and closes it to others if it was open to them.
    ///
    /// - Throws: ``StartupError``, also when the file, or a link to it, belongs to another user, who then knows the content.
    public static func secret(in file: URL) throws(StartupError) -> String {
        // It may be a link to where secrets are kept.
        let path = file.resolvingSymlinksInPath().path
        do {
            let files = FileManager.default
            let found = try files.attributesOfItem(atPath: path)
            for owner in [owner(found), owner(try files.attributesOfItem(atPath: file.path))] where owner != geteuid() && owner != 0
            {
                throw StartupError("\(path) belongs to somebody else, who knows what is in it; remove it to get a new one")
            }
            if owner(found) == geteuid(), found[.type] as? FileAttributeType == .typeRegular, mode(found) & 0o077 != 0 {
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            }
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError("Cannot read \(path): \(reason(error))")
        }
        return try text(of: path)
    }

    private static func owner(_ attributes: [FileAttributeKey: Any]) -> uid_t? {
        (attributes[.ownerAccountID] as? NSNumber)?.uint32Value
    }

    private static func mode(_ attributes: [FileAttributeKey: Any]) -> Int {
        (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    /// Makes a text file that did not exist, mode 0600.
    ///
    /// - Throws: ``StartupError`` that names the file and the system's reason.
    public static func create(_ file: URL, text: String) throws(StartupError) {
        do {
            try create(file, containing: Data(text.utf8))
        } catch {
            throw StartupError("Cannot write \(file.path): \(reason(error))")
        }
    }

    /// Makes a file that did not exist, mode 0600.
    static func create(_ file: URL, containing data: Data) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw lastError }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
    }

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// The system's own words for an error, where it has any.
    static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let code = underlying ?? (error as NSError)
        if code.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(code.code))) }
        switch (error as? CocoaError)?.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: return String(cString: strerror(ENOENT))
        case .fileWriteNoPermission, .fileReadNoPermission: return String(cString: strerror(EACCES))
        case .fileWriteFileExists: return String(cString: strerror(EEXIST))
        case .fileWriteVolumeReadOnly: return String(cString: strerror(EROFS))
        default: return "\(error)"
        }
    }
}
