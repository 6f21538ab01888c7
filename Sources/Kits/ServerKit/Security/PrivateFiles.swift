public import Foundation

/// Files and folders that only their owner may read.
public enum PrivateFiles {
    /// Makes `folder` (mode 0700) with what is missing above it, and checks that it can be written to.
    ///
    /// A folder that exists keeps its mode.
    public static func ensureFolder(_ folder: URL) throws(StartupError) {
        let files = FileManager.default
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // The mode above is subject to the umask; and access(2) says yes to root in any case, so try for real.
            let probe = folder.appending(path: ".writable-\(ProcessInfo.processInfo.processIdentifier)")
            try create(probe, containing: Data())
            try files.removeItem(at: probe)
        } catch {
            throw StartupError("Cannot write to the data folder \(folder.path): \(reason(error))")
        }
    }

    /// Makes a file that did not exist, mode 0600.
    static func create(_ file: URL, containing data: Data) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
    }

    /// The system's own words for an error, where it has any.
    static func reason(_ error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        let code = underlying ?? (error as NSError)
        if code.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(code.code))) }
        return error.localizedDescription
    }
}
