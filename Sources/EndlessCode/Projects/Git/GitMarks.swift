/// The marks of all changed files of a work tree, as `git status` reports them.
///
/// A folder with changes below it is ``GitMark/modified``; one without any tracked file is ``GitMark/untracked``.
package struct GitMarks: Hashable, Sendable {
    /// The marks without a repository, or without changes.
    package static let none = GitMarks()

    private var files: [[UInt8]: GitMark] = [:]
    private var folders: [[UInt8]: GitMark] = [:]
    /// The names of deleted files by the path of their folder.
    private var deletions: [[UInt8]: [[UInt8]]] = [:]

    package init() {}

    /// True if nothing is marked.
    package var isEmpty: Bool { files.isEmpty && folders.isEmpty }

    /// The mark of a file or folder; nil if unchanged.
    ///
    /// - Parameter path: The path from the project's folder, without links.
    package subscript(path: String) -> GitMark? {
        mark(FileName.bytes(path).split(separator: UInt8(ascii: "/")).map(Array.init))
    }

    /// Adds the output of `git status --porcelain=v1 -z`. An incomplete last entry is ignored.
    ///
    /// - Parameters:
    ///   - removed: The prefix to remove from the paths. Paths without this prefix are ignored.
    ///   - added: The prefix to add instead.
    mutating func add(status output: [UInt8], removing removed: [UInt8], adding added: [UInt8]) {
        var entries = output.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        while let entry = entries.popFirst() {
            guard entry.count > 3, entry[entry.startIndex + 2] == UInt8(ascii: " ") else { continue }
            let codes = entry.prefix(2)
            // The old name of a renamed file is an entry of its own. Renames are turned off; a later git may ignore that.
            if codes.contains(UInt8(ascii: "R")) || codes.contains(UInt8(ascii: "C")) { _ = entries.popFirst() }
            // A folder around the project is untracked as a whole.
            if codes.elementsEqual("??".utf8), !removed.isEmpty, removed.starts(with: entry.dropFirst(3)) {
                add(.untracked, folder: Array(added.dropLast()))
                continue
            }
            guard entry.dropFirst(3).starts(with: removed), entry.count > 3 + removed.count else { continue }
            let path = (added + entry.dropFirst(3 + removed.count))[...]
            if path.isEmpty || path.last == UInt8(ascii: "/") {
                if codes.elementsEqual("??".utf8) { add(.untracked, folder: Array(path.dropLast())) }
            } else if let mark = Self.mark(codes) {
                add(mark, file: Array(path))
            }
        }
    }

    private static func mark(_ codes: ArraySlice<UInt8>) -> GitMark? {
        if codes.elementsEqual("??".utf8) { return .untracked }
        if codes.elementsEqual("!!".utf8) { return nil }
        // The file has an unresolved merge conflict.
        if codes.contains(UInt8(ascii: "U")) || codes.elementsEqual("AA".utf8) { return .modified }
        if codes.contains(UInt8(ascii: "D")) { return .deleted }
        return codes.first == UInt8(ascii: "A") ? .added : .modified
    }

    private mutating func add(_ mark: GitMark, file path: [UInt8]) {
        // A file that was removed from the index only is reported twice, as deleted and as untracked.
        if mark == .untracked || files[path] == nil { files[path] = mark }
        let (folder, name) = Self.split(path)
        if mark == .deleted { deletions[folder, default: []].append(name) }
        if mark != .untracked { markFolders(above: path) }
    }

    private mutating func add(_ mark: GitMark, folder path: [UInt8]) {
        folders[path] = mark
        // An untracked folder changes the folder above it, unless that is untracked as well.
        markFolders(above: path)
    }

    private mutating func markFolders(above path: [UInt8]) {
        var (folder, _) = Self.split(path)
        while !folder.isEmpty, folders[folder] == nil {
            folders[folder] = .modified
            (folder, _) = Self.split(folder)
        }
    }

    private static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return ([], path) }
        return (Array(path[..<slash]), Array(path[(slash + 1)...]))
    }

    func mark(_ names: [[UInt8]]) -> GitMark? {
        guard !isEmpty, !names.isEmpty else { return nil }
        let path = Array(names.joined(separator: [UInt8(ascii: "/")]))
        if let mark = files[path] ?? folders[path] { return mark }
        var (folder, _) = Self.split(path)
        while !folder.isEmpty {
            if folders[folder] == .untracked { return .untracked }
            (folder, _) = Self.split(folder)
        }
        // The whole project may be untracked in the repository around it.
        return folders[[]] == .untracked ? .untracked : nil
    }

    /// Returns the names of a folder's files that are deleted in the work tree.
    func deleted(in names: [[UInt8]]) -> [[UInt8]] {
        deletions.isEmpty ? [] : deletions[Array(names.joined(separator: [UInt8(ascii: "/")]))] ?? []
    }
}
