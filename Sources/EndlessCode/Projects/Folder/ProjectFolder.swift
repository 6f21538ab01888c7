/// A folder on this machine whose content is shown to others. Nothing outside the folder can be read through this type.
///
/// A path is a list of names separated by `/`; the empty path is the folder itself. An absolute path, `..`, NUL, and a link that
/// leads outside are refused before anything is read. Links that stay inside are followed. Every name is opened relative to its
/// parent's descriptor without following links, so a name that a link replaces between check and use cannot lead outside.
///
/// Names are bytes, and mostly UTF-8. In other names, each byte that is not part of UTF-8 is shown as a character of U+F780…U+F7FF,
/// so that such a file can be opened by the path in a listing. See ``FileName``.
package struct ProjectFolder: Hashable, Sendable {
    /// The absolute path without links.
    package let path: String

    /// The last component of the path.
    package var name: String { path == "/" ? "/" : String(path.split(separator: "/").last ?? "/") }

    /// - Parameter path: An absolute path. Links in it are followed once, now.
    /// - Throws: ``ProjectError``: `notFound`, `notAFolder`, `accessDenied`.
    package init(_ path: String) throws(ProjectError) {
        self.path = try RealPath.folder(path)
    }

    /// Returns one page of a folder's content: folders first, then by name without regard to case, then by bytes.
    ///
    /// Lists regular files, folders, and links to either inside the project; no pipes, sockets, devices, broken or outside links.
    ///
    /// - Parameters:
    ///   - path: The path of the folder; empty for the project's own folder.
    ///   - offset: Count of entries to skip.
    ///   - limit: Maximum entries, 1…1,000.
    ///   - marks: Git's marks; see ``ProjectGit/marks()``. Files that are deleted in the work tree become entries too.
    /// - Throws: ``ProjectError``.
    @concurrent
    package func list(
        _ path: String = "", offset: Int = 0, limit: Int = FolderPage.standardLimit, marks: GitMarks = .none
    ) async throws(ProjectError) -> FolderPage {
        guard offset >= 0, limit >= 1 else { throw ProjectError(.invalidArgument, "offset and limit must not be negative") }
        return try FolderListing(of: self, at: path, marks: marks).page(offset: offset, limit: min(limit, FolderPage.maximumLimit))
    }

    /// Returns the content of a regular file.
    ///
    /// - Parameter full: Reads up to ``FileContent/maximumSize`` instead of ``FileContent/previewSize`` bytes.
    /// - Throws: ``ProjectError``; `fileTooLarge` only if `full`.
    @concurrent
    package func content(of path: String, full: Bool = false) async throws(ProjectError) -> FileContent {
        try FileContent(of: path, in: self, full: full)
    }
}
