import Foundation
import WireKit

/// The folder `projects` of the agent's own files: a folder for each working directory, a file for each session.
///
/// Source: Claude Code 2.1. A folder's name does not tell its working directory, which is therefore read from the records.
struct HistoryFolder: Sendable {
    /// A session's file.
    struct File: Sendable {
        var key: String
        var session: EarlierSession.ID
        var version: Version
    }

    /// The version of a file, by its metadata. Different contents almost certainly have different versions.
    struct Version: Hashable, Sendable {
        var device: UInt64
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int

        init(_ status: stat) {
            (device, inode, size) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
            (seconds, nanoseconds) = (Int(status.modificationTime.tv_sec), Int(status.modificationTime.tv_nsec))
        }

        var modified: Timestamp {
            let (milliseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
            return Timestamp(milliseconds: overflow ? 0 : milliseconds + Int64(nanoseconds / 1_000_000))
        }
    }

    /// Maximum working directories, and maximum sessions in each.
    private static let maximumCount = 10_000
    /// Maximum bytes of a file, and maximum files of a key, that are searched for the working directory.
    private static let searchedSize: Int64 = 1 << 20
    private static let searchedFiles = 5

    let path: String

    /// - Parameter history: The agent's folder.
    init(_ history: String) { path = history + "/projects" }

    /// Returns the names of the working directories' folders.
    func keys() throws(ProjectError) -> [String] {
        guard let root = try root() else { return [] }
        var keys: [String] = []
        try FolderWalk([], below: root).folder().0.forEachEntry { name, _ throws(ProjectError) in
            // Keys are ASCII.
            guard keys.count < Self.maximumCount, name.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return }
            keys.append(String(decoding: name, as: UTF8.self))
        }
        return keys
    }

    /// Returns the sessions of a working directory, in no order.
    func files(of key: String) throws(ProjectError) -> [File] {
        guard let root = try root(), let (folder, _) = try? FolderWalk(key, below: root).folder() else { return [] }
        var files: [File] = []
        try folder.forEachEntry { name, _ throws(ProjectError) in
            guard files.count < Self.maximumCount, let id = Self.session(of: name),
                let status = try? FolderWalk([Array(key.utf8), name], below: root).place().status, status.isRegular,
                status.st_size > 0
            else { return }
            files.append(File(key: key, session: id, version: Version(status)))
        }
        return files
    }

    /// Returns the session of a file `<UUID>.jsonl`; nil for other names, which transcripts of subagents have.
    private static func session(of name: [UInt8]) -> EarlierSession.ID? {
        let text = String(decoding: name, as: UTF8.self)
        guard text.hasSuffix(".jsonl"), let id = UUID(uuidString: String(text.dropLast(6))), text.utf8.count == 42 else {
            return nil
        }
        // Only a name in lower case is accepted, as the agent writes it.
        return id.uuidString.lowercased() == text.dropLast(6) ? EarlierSession.ID(String(text.dropLast(6))) : nil
    }

    /// - Throws: `notFound` and others.
    func open(_ session: EarlierSession.ID, of key: String) throws(ProjectError) -> (Descriptor, Version) {
        let name = Array("\(session.rawValue).jsonl".utf8)
        guard Self.session(of: name) != nil, let root = try root() else {
            throw ProjectError(.notFound, "no session has this identifier")
        }
        let (descriptor, place) = try FolderWalk([Array(key.utf8), name], below: root).file()
        return (descriptor, Version(place.status))
    }

    /// Returns the working directory of a key: the newest recorded one with this key, otherwise any recorded one, or nil.
    ///
    /// - Parameter files: The files of ``searched(_:)``.
    func workingDirectory(of key: String, _ files: [File]) -> String? {
        var other: String?
        for file in files {
            guard let (descriptor, version) = try? open(file.session, of: key) else { continue }
            var reader = LineReader(descriptor, limit: min(version.size, Self.searchedSize))
            while let lines = try? reader.next() {
                for line in lines {
                    let found = line.bytes.withUnsafeBufferPointer { HistoryRecord.workingDirectory(JSONBytes(bytes: $0)) }
                    guard let found, found.hasPrefix("/"), found.utf8.count <= FolderWalk.maximumLength else { continue }
                    if Self.key(of: found) == key { return found }
                    // The session has changed its directory.
                    other = other ?? found
                }
            }
        }
        return other
    }

    /// Returns the files that are searched for the working directory: the newest.
    static func searched(_ files: [File]) -> [File] {
        Array(files.sorted { $0.version.modified > $1.version.modified }.prefix(searchedFiles))
    }

    /// Returns the folder's path without links; nil if there is no history.
    private func root() throws(ProjectError) -> String? {
        do { return try RealPath.folder(path) } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }

    /// Returns the name of a working directory's folder: `-` replaces all UTF-16 code units except ASCII letters and digits. Of a
    /// long name, the first 200 and a hash are used.
    static func key(of directory: String) -> String {
        let units = Array(directory.precomposedStringWithCanonicalMapping.utf16)
        let letters = units.map { unit -> Character in
            guard let scalar = Unicode.Scalar(unit), scalar.isASCII, Character(scalar).isLetter || Character(scalar).isNumber else {
                return "-"
            }
            return Character(scalar)
        }
        guard letters.count > 200 else { return String(letters) }
        let hash = units.reduce(Int32(0)) { $0 &* 31 &+ Int32($1) }
        return String(letters.prefix(200)) + "-" + String(hash.magnitude, radix: 36)
    }
}
