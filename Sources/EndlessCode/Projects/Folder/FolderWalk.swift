import Foundation

/// The resolution of a path inside one folder.
///
/// Each name is looked up relative to its parent's descriptor, without following links; targets of links are resolved here by name.
/// So a link may change at any time, and a path cannot leave the folder. One descriptor is open at a time: `..` restarts at the
/// root.
struct FolderWalk {
    /// The file or folder that a path names.
    struct Place {
        var parent: Descriptor
        /// The name in `parent`, which was not a link; `.` for the root itself.
        var name: [UInt8]
        var status: stat
        /// The names from the root, without links.
        var names: [[UInt8]]
    }

    /// Maximum length of a path in bytes, as on Linux.
    static let maximumLength = 4096
    private static let maximumLinks = 40
    /// Maximum names on the way, for links whose targets have many `..`.
    private static let maximumSteps = 4096
    private static let maximumRaces = 16

    let root: String
    /// The path as the caller gave it, for errors.
    private let subject: String
    /// The names of the path.
    let names: [[UInt8]]

    /// - Throws: `pathForbidden` for a path that leaves the root; `notFound` for a path that is too long.
    init(_ path: String, below root: String) throws(ProjectError) {
        let bytes = FileName.bytes(path)
        let names = bytes.split(separator: UInt8(ascii: "/")).map(Array.init)
        subject = String(path.prefix(200))
        guard bytes.first != UInt8(ascii: "/"), !bytes.contains(0), !names.contains([0x2e, 0x2e]) else {
            throw ProjectError(.pathForbidden, "\(subject.debugDescription) leaves the project")
        }
        guard bytes.count <= Self.maximumLength else { throw ProjectError(.notFound, "the path is too long") }
        self.root = root
        self.names = names.filter { $0 != [0x2e] }
    }

    /// Creates a walk along names that are known to be valid.
    init(_ names: [[UInt8]], below root: String) {
        (self.root, self.names, subject) = (root, names, names.map(FileName.text).joined(separator: "/"))
    }

    /// Returns the walk to an entry of this folder.
    func child(_ name: [UInt8]) -> FolderWalk { FolderWalk(names + [name], below: root) }

    func place() throws(ProjectError) -> Place {
        var pending = Array(names.reversed())
        var parent = try RealPath.open(root)
        var position: [[UInt8]] = []
        var (links, steps, races) = (0, 0, 0)
        while let name = pending.popLast() {
            steps += 1
            guard steps <= Self.maximumSteps else { throw ProjectError(.notFound, "\(subject) contains too many links") }
            if name == [0x2e] { continue }
            if name == [0x2e, 0x2e] {
                guard position.popLast() != nil else { throw outside }
                pending += position.reversed()
                (position, parent) = ([], try RealPath.open(root))
                continue
            }
            let status = try self.status(of: name, in: parent)
            if status.isLink {
                links += 1
                guard links <= Self.maximumLinks else { throw ProjectError(.notFound, "\(subject) contains too many links") }
                guard let target = try self.target(of: name, in: parent) else {
                    // The name is no longer a link.
                    races += 1
                    guard races <= Self.maximumRaces else { throw .system(EBUSY, subject) }
                    pending.append(name)
                    continue
                }
                if target.first == UInt8(ascii: "/") {
                    guard let below = below(target) else { throw outside }
                    pending += below.reversed()
                    (position, parent) = ([], try RealPath.open(root))
                } else {
                    pending += target.split(separator: UInt8(ascii: "/")).map(Array.init).reversed()
                }
                continue
            }
            // Only a folder may have a name after it, even `.` or `..`.
            if pending.isEmpty { return Place(parent: parent, name: name, status: status, names: position + [name]) }
            guard status.isFolder else { throw ProjectError(.notAFolder, "\(subject) leads through a file") }
            let next = openat(parent.number, Self.cString(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            if next >= 0 {
                parent = Descriptor(next)
                position.append(name)
                continue
            }
            let code = errno
            races += 1
            // The name is no longer a folder, and probably a link.
            guard code == ENOTDIR || code == ELOOP, races <= Self.maximumRaces else { throw .system(code, subject) }
            pending.append(name)
        }
        // The root, or a link whose target ends in `.` or `..`.
        return Place(parent: parent, name: [0x2e], status: try parent.status(), names: position)
    }

    /// Opens a folder.
    ///
    /// - Throws: `notAFolder` and others.
    func folder() throws(ProjectError) -> (Descriptor, Place) {
        try opened { place throws(ProjectError) in
            guard place.status.isFolder else { throw ProjectError(.notAFolder, "\(subject) is not a folder") }
            return O_DIRECTORY
        }
    }

    /// Opens a regular file. Nothing else is ever opened, so no pipe can block.
    ///
    /// - Throws: `notAFile` and others.
    func file() throws(ProjectError) -> (Descriptor, Place) {
        try opened { place throws(ProjectError) in
            guard place.status.isRegular else { throw ProjectError(.notAFile, "\(subject) is not a file") }
            // The name may now be a pipe. With O_NONBLOCK, opening a pipe does not wait, and `opened` refuses it.
            return O_NONBLOCK | O_NOCTTY
        }
    }

    private func opened(_ flags: (Place) throws(ProjectError) -> CInt) throws(ProjectError) -> (Descriptor, Place) {
        for _ in 0..<Self.maximumRaces {
            let place = try place()
            let flags = try flags(place)
            let number = openat(place.parent.number, Self.cString(place.name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
            guard number >= 0 else {
                let code = errno
                if code == ELOOP || code == ENOTDIR { continue }
                throw .system(code, subject)
            }
            let descriptor = Descriptor(number)
            let status = try descriptor.status()
            if status.kind == place.status.kind {
                return (descriptor, Place(parent: place.parent, name: place.name, status: status, names: place.names))
            }
        }
        throw .system(EBUSY, subject)
    }

    // MARK: Links

    private var outside: ProjectError { ProjectError(.pathForbidden, "\(subject.debugDescription) leads out of the project") }

    private func status(of name: [UInt8], in parent: Descriptor) throws(ProjectError) -> stat {
        var status = stat()
        guard fstatat(parent.number, Self.cString(name), &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .system(errno, subject) }
        return status
    }

    /// - Returns: nil if the name is not a link.
    private func target(of name: [UInt8], in parent: Descriptor) throws(ProjectError) -> [UInt8]? {
        var target = [CChar](repeating: 0, count: Self.maximumLength + 1)
        let count = readlinkat(parent.number, Self.cString(name), &target, target.count)
        guard count >= 0 else {
            if errno == EINVAL { return nil }
            throw .system(errno, subject)
        }
        guard count <= Self.maximumLength else { throw .system(ENAMETOOLONG, subject) }
        return target.prefix(count).map(UInt8.init(bitPattern:))
    }

    /// Returns the names of an absolute path below the root; nil if the path leads elsewhere.
    private func below(_ target: [UInt8]) -> [[UInt8]]? {
        let all = target.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [0x2e] }
        let root = self.root.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
        guard all.starts(with: root) else { return nil }
        return Array(all.dropFirst(root.count))
    }

    private static func cString(_ name: [UInt8]) -> [CChar] { name.map(CChar.init(bitPattern:)) + [0] }
}
