import Foundation

/// The folders of a repository: its work tree, which may reach beyond the project, and its git folders.
///
/// A folder is used only if it lies in the project, or in a folder that the owner of this machine has shown: another project, or a
/// folder named for this purpose. Otherwise `.git`, which anyone who works in the project can write, could name any repository.
///
///     /shop/.git                     a repository: both git folders
///     /shop-fix/.git   a file ─▶ /shop/.git/worktrees/fix   a work tree; its `commondir` ─▶ /shop/.git
///     /shop/lib/.git   a file ─▶ /shop/.git/modules/lib     a submodule: both git folders
struct GitLocation: Hashable, Sendable {
    /// Maximum folders with objects of a repository.
    private static let maximumObjectFolders = 16
    private static let maximumPointerSize = 4096

    /// The absolute path of the work tree's root, without links.
    let workTree: String
    /// The path from the work tree to the project, with a slash at its end; empty for the work tree itself.
    let prefix: String
    /// The absolute path of the folder of `HEAD` and the index.
    let gitFolder: String
    /// The absolute path of the folder of references, configuration and objects.
    let commonFolder: String

    var objects: String { commonFolder + "/objects" }

    /// Finds the repository of a folder: its own, otherwise that of the nearest folder around it.
    ///
    /// - Parameter roots: Absolute paths of folders that the owner has shown, without links.
    /// - Returns: nil if there is no repository.
    /// - Throws: ``GitScratch/Refusal``.
    init?(of folder: ProjectFolder, roots: [String]) throws {
        let roots = roots + [folder.path]
        guard let (workTree, entry) = Self.entry(around: folder.path) else { return nil }
        self.workTree = workTree
        prefix = workTree == folder.path ? "" : String(folder.path.dropFirst(workTree == "/" ? 1 : workTree.utf8.count + 1)) + "/"
        let named = entry.isRegular ? try Self.pointer(workTree + "/.git", after: "gitdir:") : workTree + "/.git"
        gitFolder = try Self.folder(named, from: workTree, roots, "the repository of this folder")
        if let common = try? Self.pointer(gitFolder + "/commondir", after: "") {
            commonFolder = try Self.folder(common, from: gitFolder, roots, "the repository of this work tree")
        } else {
            commonFolder = gitFolder
        }
        try Self.checkObjects(objects, roots)
    }

    /// Returns the real paths of the repository's further work trees.
    func workTrees() -> [String] {
        guard let (descriptor, _) = try? FolderWalk("worktrees", below: commonFolder).folder() else { return [] }
        var names: [String] = []
        try? descriptor.forEachEntry { name, _ throws(ProjectError) in if names.count < 100 { names.append(FileName.text(name)) } }
        return names.sorted().compactMap { name in
            let entry = commonFolder + "/worktrees/" + name
            guard let file = try? Self.pointer(entry + "/gitdir", after: ""), let slash = file.lastIndex(of: "/") else {
                return nil
            }
            let path = String(file[..<slash])
            return try? RealPath.folder(path.hasPrefix("/") ? path : entry + "/" + path)
        }
    }

    /// Returns the nearest `.git`, of the folder itself or of a folder around it; nil if there is none.
    private static func entry(around path: String) -> (workTree: String, status: stat)? {
        var path = path
        while true {
            var status = stat()
            if lstat((path == "/" ? "" : path) + "/.git", &status) == 0, status.isFolder || status.isRegular || status.isLink {
                return (path, status)
            }
            guard path != "/" else { return nil }
            path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            if path.isEmpty { path = "/" }
        }
    }

    /// Returns the path in a file of one line, after `key`.
    private static func pointer(_ path: String, after key: String) throws -> String {
        guard let slash = path.lastIndex(of: "/") else { throw GitScratch.Refusal(reason: "\(path) is no path") }
        let bytes: [UInt8]
        do throws(ProjectError) {
            let (descriptor, _) = try FolderWalk(String(path[path.index(after: slash)...]), below: String(path[..<slash])).file()
            bytes = try descriptor.read(maximumPointerSize)
        } catch {
            throw GitScratch.Refusal(reason: error.detail)
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard text.hasPrefix(key), !text.contains("\0"), !text.contains("\n") else {
            throw GitScratch.Refusal(reason: ".git is neither a folder nor names one")
        }
        return text.dropFirst(key.count).trimmingCharacters(in: .whitespaces)
    }

    /// Returns the real path of a folder that lies in one of the roots.
    ///
    /// - Parameter base: The folder that relative paths begin at.
    private static func folder(_ path: String, from base: String, _ roots: [String], _ subject: String) throws -> String {
        let absolute = path.hasPrefix("/") ? path : base + "/" + path
        let real: String
        do {
            real = try RealPath.folder(absolute)
        } catch {
            throw GitScratch.Refusal(reason: "\(subject) does not exist any more: \(error.detail)")
        }
        guard roots.contains(where: { contains($0, real) }) else {
            throw GitScratch.Refusal(
                reason: "\(subject) is \(real), which is in no project. To show its changes, start the host with --git \(real)")
        }
        return real
    }

    private static func contains(_ root: String, _ path: String) -> Bool {
        path == root || path.hasPrefix(root == "/" ? root : root + "/")
    }

    // MARK: Objects

    /// Refuses objects outside the roots, through links or alternates, and pipes and devices, on which git would wait.
    private static func checkObjects(_ path: String, _ roots: [String]) throws {
        var (pending, known): ([String], Set<String>) = ([path], [])
        while let path = pending.popLast() {
            let real = try folder(path, from: "/", roots, "the folder of the repository's objects")
            guard known.insert(real).inserted else { continue }
            guard known.count <= maximumObjectFolders else {
                throw GitScratch.Refusal(reason: "the repository has too many alternates")
            }
            for linked in try links(in: real, depth: 2) { pending.append(linked) }
            pending += try alternates(of: real)
        }
    }

    /// Returns the links among the folders of objects.
    private static func links(in path: String, depth: Int) throws -> [String] {
        do {
            let (descriptor, _) = try FolderWalk([], below: path).folder()
            var (folders, links): ([String], [String]) = ([], [])
            var hasOther = false
            try descriptor.forEachEntry { name, _ throws(ProjectError) in
                var status = stat()
                guard fstatat(descriptor.number, name.map(CChar.init(bitPattern:)) + [0], &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                    return
                }
                if status.isFolder { folders.append(FileName.text(name)) }
                if status.isLink { links.append(FileName.text(name)) }
                if !status.isFolder, !status.isLink, !status.isRegular { hasOther = true }
            }
            guard !hasOther else { throw GitScratch.Refusal(reason: "an object of the repository is no file") }
            // A link to a single file of objects can only serve to read another file.
            for link in links {
                var status = stat()
                guard stat(path + "/" + link, &status) == 0, status.isFolder else {
                    throw GitScratch.Refusal(reason: "an object of the repository is a link")
                }
            }
            let below = depth > 1 ? try folders.flatMap { try self.links(in: path + "/" + $0, depth: depth - 1) } : []
            return links.map { path + "/" + $0 } + below
        } catch let error as ProjectError {
            throw GitScratch.Refusal(reason: error.detail)
        }
    }

    /// Returns the folders in `info/alternates`. A relative path begins at the folder of the objects.
    private static func alternates(of objects: String) throws -> [String] {
        let bytes: [UInt8]
        do throws(ProjectError) {
            let (descriptor, _) = try FolderWalk("info/alternates", below: objects).file()
            bytes = try descriptor.read(1 << 16)
        } catch {
            if error.code == .notFound || error.code == .notAFolder { return [] }
            throw GitScratch.Refusal(reason: error.detail)
        }
        return bytes.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }.map {
            let path = String(decoding: $0, as: UTF8.self)
            return path.hasPrefix("/") ? path : objects + "/" + path
        }
    }
}
