package import EndlessCodeWire
package import ProjectKit
import WireKit

/// The projects that ProjectKit finds on this computer.
package actor KitProjects: ProjectSource {
    /// The number of projects whose git state is cached.
    private static let maximumCached = 20

    private let catalog: ProjectCatalog
    private var gits: [ProjectFolder: ProjectGit] = [:]

    package init(_ catalog: ProjectCatalog) { self.catalog = catalog }

    package func projects() async throws -> [EndlessCodeWire.Project] { try await catalog.projects().map(\.wire) }

    package func project(_ id: EndlessCodeWire.Project.ID) async throws -> EndlessCodeWire.Project? {
        do {
            return try await catalog.project(.init(id.rawValue)).wire
        } catch  where error.code == .notFound {
            return nil
        }
    }

    package func earlierSessions(of id: EndlessCodeWire.Project.ID) async throws -> [Session] {
        try await catalog.sessions(of: .init(id.rawValue)).map {
            Session(
                id: Session.ID($0.id.rawValue), projectId: id, state: .terminated, createdAt: $0.createdAt,
                lastActiveAt: $0.lastActiveAt, messageCount: $0.messageCount)
        }
    }

    package func folder(_ path: String, of id: EndlessCodeWire.Project.ID, offset: Int) async throws -> EndlessCodeWire.FolderPage {
        let folder = try await folder(of: id)
        let page = try await folder.list(path, offset: offset, limit: Limits.folderPageSize, marks: git(of: folder).marks())
        return EndlessCodeWire.FolderPage(entries: page.entries.map(\.wire), totalCount: page.totalCount, hasMore: page.hasMore)
    }

    package func file(_ path: String, of id: EndlessCodeWire.Project.ID, full: Bool) async throws -> EndlessCodeWire.FileContent {
        let content = try await folder(of: id).content(of: path, full: full)
        return EndlessCodeWire.FileContent(
            path: content.path, size: content.size, encoding: content.encoding == .utf8 ? .utf8 : .binary, content: content.content,
            truncated: content.truncated)
    }

    package func diff(of id: EndlessCodeWire.Project.ID) async throws -> WorkTreeDiff {
        let diff = try await git(of: folder(of: id)).diff()
        return WorkTreeDiff(git: diff.isRepository, staged: diff.staged, unstaged: diff.unstaged, truncated: diff.truncated)
    }

    private func folder(of id: EndlessCodeWire.Project.ID) async throws -> ProjectFolder {
        do {
            return try await catalog.project(.init(id.rawValue)).folder
        } catch  where error.code == .notFound {
            throw ServiceFailure.noProject
        }
    }

    private func git(of folder: ProjectFolder) -> ProjectGit {
        if let git = gits[folder] { return git }
        if gits.count >= Self.maximumCached { gits.removeAll() }
        let git = ProjectGit(folder)
        gits[folder] = git
        return git
    }
}

extension ProjectKit.Project {
    fileprivate var wire: EndlessCodeWire.Project {
        EndlessCodeWire.Project(id: .init(id.rawValue), name: name, path: path, sessionCount: sessionCount, lastUsed: lastUsed)
    }
}

extension FolderEntry {
    fileprivate var wire: FileEntry {
        FileEntry(
            name: name, path: path, kind: kind == .directory ? .directory : .file, size: size, modified: modified,
            git: git.flatMap { FileEntry.GitMark(rawValue: $0.rawValue) })
    }
}
