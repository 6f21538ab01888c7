public import Foundation

/// Files and folders that only their owner may read.
public enum PrivateFiles {
    /// Makes `folder` (mode 0700) with what is missing above it, and checks that it can be written to.
    ///
    /// A folder that exists is closed to others when it is empty or has our secrets in it. One that is used for other things
    /// as well keeps its mode: what we put there is private file by file.
    public static func ensureFolder(_ folder: URL) throws(StartupError) {
        let files = FileManager.default
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let contents = try files.contentsOfDirectory(atPath: folder.path)
            if contents.isEmpty || contents.contains(where: { $0.hasSuffix(".secret") }) {
                try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
            }
            // access(2) says yes to root in any case, so try for real.
            let probe = folder.appending(path: ".writable-\(ProcessInfo.processInfo.processIdentifier)")
            try create(probe, containing: Data())
            try files.removeItem(at: probe)
        } catch {
            throw StartupError("Cannot write to the data folder \(folder.path): \(reason(error))")
        }
    }

    /// Reads a text file that a person has named.
    ///
    /// - Throws: ``StartupError`` that names the file and the system's reason.
    public static func text(of path: String) throws(StartupError) -> String {
        do {
            // Opening a folder for writing fails with the right word, where reading it would open.
            let descriptor = open(path, (isFolder(path) ? O_RDWR : O_RDONLY) | O_CLOEXEC)
            guard descriptor >= 0 else { throw lastError }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            guard let text = String(data: try handle.readToEnd() ?? Data(), encoding: .utf8) else {
                throw StartupError("\(path) is not UTF-8 text")
            }
            return text
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError("Cannot read \(path): \(reason(error))")
        }
    }

    /// Reads a secret of this program's own, and closes it to others if it was open to them.
    ///
    /// - Throws: ``StartupError``, also when the file is somebody else's: they would know what is in it.
    public static func secret(in file: URL) throws(StartupError) -> String {
        // It may be a link to where secrets are kept.
        let path = file.resolvingSymlinksInPath().path
        do {
            let files = FileManager.default
            let found = try files.attributesOfItem(atPath: path)
            let owner = (found[.ownerAccountID] as? NSNumber)?.uint32Value
            guard owner == geteuid() || owner == 0 else {
                throw StartupError("\(path) belongs to somebody else, who knows what is in it; remove it to get a new one")
            }
            let mode = (found[.posixPermissions] as? NSNumber)?.intValue ?? 0
            if owner == geteuid(), mode & 0o077 != 0 { try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path) }
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError("Cannot read \(path): \(reason(error))")
        }
        return try text(of: path)
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

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
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
