public import Foundation

/// Files and folders that only their owner can read.
public enum PrivateFiles {
    /// Creates `folder` (mode 0700) with its missing parents and checks that it is writable.
    ///
    /// An existing folder of this user gets mode 0700 when it is empty or contains a secret or a database. A folder with other contents, or
    /// a sticky one such as `/tmp`, keeps its mode; our files in it are private one by one.
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
            // access(2) always succeeds for root, so write a file. Its name is unique: an earlier process may have had the same process id,
            // as in a container, and left its file behind.
            let probe = folder.appending(path: ".writable-\(UUID())")
            try create(probe, containing: Data())
            try files.removeItem(at: probe)
        } catch {
            throw StartupError("Cannot write to the data folder \(folder.path): \(reason(error))")
        }
    }

    /// The maximum size of a file, in bytes.
    private static let maximumSize = 1_048_576

    /// Reads a text file named by the operator.
    ///
    /// - Throws: ``StartupError`` with the file and the system's reason; also for anything but a regular file, since a FIFO may never get a
    ///   writer and a device may never end.
    public static func text(of path: String) throws(StartupError) -> String {
        do {
            let found = try FileManager.default.attributesOfItem(atPath: URL(filePath: path).resolvingSymlinksInPath().path)
            switch found[.type] as? FileAttributeType {
            case .typeRegular: break
            case .typeDirectory: throw POSIXError(.EISDIR)
            default: throw StartupError("Cannot read \(path): it is not a regular file")
            }
            // The file may have been replaced since: a FIFO does not block the open, and the size limit ends a device.
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

    /// Reads a secret of this program and removes the access of others.
    ///
    /// - Throws: ``StartupError``, also when the file or a link to it belongs to another user, who may then know the secret.
    public static func secret(in file: URL) throws(StartupError) -> String {
        // The file may be a link to a mounted secret.
        let path = file.resolvingSymlinksInPath().path
        do {
            let files = FileManager.default
            let found = try files.attributesOfItem(atPath: path)
            for owner in [owner(found), owner(try files.attributesOfItem(atPath: file.path))] where owner != geteuid() && owner != 0
            {
                throw StartupError("\(path) belongs to another user, who may know the secret; remove it to create a new one")
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

    /// Creates a text file with mode 0600.
    ///
    /// - Throws: ``StartupError`` with the file and the system's reason, also when the file exists.
    public static func create(_ file: URL, text: String) throws(StartupError) {
        do {
            try create(file, containing: Data(text.utf8))
        } catch {
            throw StartupError("Cannot write \(file.path): \(reason(error))")
        }
    }

    /// Creates a file with mode 0600. Fails when it exists.
    static func create(_ file: URL, containing data: Data) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw lastError }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
    }

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// The system's description of an error where there is one.
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
