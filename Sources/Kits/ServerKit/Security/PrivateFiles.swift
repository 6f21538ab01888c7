package import Foundation
import WireKit

/// Files and folders that only their owner can read.
package enum PrivateFiles {
    /// Creates `folder` (mode 0700) with its missing parents and checks that it is writable.
    ///
    /// An existing folder of this user gets mode 0700 when it is empty or contains a secret or a database. A folder with other
    /// contents only loses the write permission of others; a sticky one such as `/tmp` keeps its mode. Our files in it are private.
    ///
    /// - Throws: ``StartupError``, also if another user owns the folder or a link to it, or everyone can write to it.
    package static func ensureFolder(_ folder: URL) throws(StartupError) {
        let files = FileManager.default
        do {
            try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let path = try OwnFile.target(of: folder.path)
            let contents = try files.contentsOfDirectory(atPath: path)
            let found = try files.attributesOfItem(atPath: path)
            let (owner, mode) = (found.fileOwner, found.fileMode)
            guard owner == geteuid() || owner == 0 else { throw OwnFile.Failure.otherUsersFile }
            if mode & 0o1000 == 0 {
                let isOurs = contents.isEmpty || contents.contains { $0.hasSuffix(".secret") || $0.hasSuffix(".db") }
                let allowed = isOurs ? 0o700 : mode & ~0o002
                if owner == geteuid() {
                    if mode & 0o777 != allowed { try files.setAttributes([.posixPermissions: allowed], ofItemAtPath: path) }
                } else if mode & 0o002 != 0 {
                    throw StartupError("Cannot use the data folder \(folder.path): every user can write to it")
                }
            }
            // access(2) always succeeds for root, so write a file. Its name is unique: an earlier process may have had the same process id,
            // as in a container, and left its file behind.
            let probe = folder.appending(path: ".writable-\(UUID())")
            try OwnFile.create(probe.path, containing: Data())
            try files.removeItem(at: probe)
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError("Cannot write to the data folder \(folder.path): \(reason(error))")
        }
    }

    /// Maximum size of a file, in bytes.
    private static let maximumSize = 1_048_576

    /// Reads a text file that the operator names and others may read, such as a certificate.
    ///
    /// - Parameter isSecret: True if the file holds a key: users outside its group lose access to a file of this user.
    /// - Throws: ``StartupError`` with the file and the reason; also for another user's file, and for anything but a regular one.
    package static func text(of path: String, isSecret: Bool = false) throws(StartupError) -> String {
        try text(of: path, isSecret ? .group : .unchanged)
    }

    /// Reads a file with a secret, or with settings, and removes the access of others to it.
    ///
    /// - Throws: ``StartupError``, also when the file or a link to it belongs to another user, who may then know the secret, or choose it.
    package static func secret(in file: URL) throws(StartupError) -> String { try text(of: file.path, .owner) }

    private static func text(of path: String, _ access: OwnFile.Access) throws(StartupError) -> String {
        let bytes: Data
        do {
            bytes = try OwnFile.contents(of: path, limit: maximumSize, access: access)
        } catch {
            throw StartupError("Cannot read \((try? OwnFile.target(of: path)) ?? path): \(error)")
        }
        guard let text = String(data: bytes, encoding: .utf8) else { throw StartupError("\(path) is not UTF-8 text") }
        return text
    }

    /// Reads the secret stored in `file`, or draws one and stores it there, readable by its owner only.
    ///
    /// - Returns: The text without the white space around it.
    package static func secret(in file: URL, orDrawn draw: () -> String) throws(StartupError) -> String {
        if !FileManager.default.fileExists(atPath: file.path) { try create(file, text: draw() + "\n") }
        return try secret(in: file).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Creates a text file with mode 0600.
    ///
    /// - Throws: ``StartupError`` with the file and the system's reason, also when the file exists.
    package static func create(_ file: URL, text: String) throws(StartupError) {
        do {
            try OwnFile.create(file.path, containing: Data(text.utf8))
        } catch {
            throw StartupError("Cannot write \(file.path): \(error)")
        }
    }

    /// Returns the system's description of an error if there is one, otherwise Swift's.
    private static func reason(_ error: any Error) -> String {
        if let failure = error as? OwnFile.Failure { return failure.description }
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

extension [FileAttributeKey: Any] {
    fileprivate var fileOwner: uid_t? { (self[.ownerAccountID] as? NSNumber)?.uint32Value }
    fileprivate var fileMode: Int { (self[.posixPermissions] as? NSNumber)?.intValue ?? 0 }
}
