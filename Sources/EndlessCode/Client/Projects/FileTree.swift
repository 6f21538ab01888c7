package import EndlessCodeWire
import Foundation
import Observation
import WireKit

/// The folders of a project, as far as they were opened.
@MainActor
@Observable
package final class FileTree {
    /// One row of the tree: an entry, or the state of a folder below its entries.
    package struct Row: Hashable, Sendable, Identifiable {
        package enum Content: Hashable, Sendable {
            case entry(FileEntry)
            /// The further pages of a folder, with `count` entries: ``FileTree/loadMore(of:)``.
            case more(folder: String, count: Int)
            case loading(folder: String)
            case failed(folder: String, CodeProblem)
            case empty(folder: String)
        }

        package var content: Content
        /// The depth in the tree; 0 in the project's own folder.
        package var depth: Int
        package var isExpanded: Bool
        package var id: String
    }

    /// The fetched part of a folder.
    package struct Folder: Hashable, Sendable {
        package internal(set) var entries: [FileEntry] = []
        /// Count of entries in the whole folder.
        package internal(set) var totalCount = 0
        package internal(set) var hasMore = false
        package internal(set) var phase = LoadPhase.idle
    }

    /// Maximum entries of one folder, and maximum depth of folders, that a tree shows.
    private static let entryLimit = 20_000
    private static let depthLimit = 100

    package nonisolated let project: Project.ID
    /// The folders by path; the project's own is at the empty path.
    package internal(set) var folders: [String: Folder] = [:]
    package internal(set) var expanded: Set<String> = []
    private weak var client: AgentClient?

    init(_ project: Project.ID, _ client: AgentClient) { (self.project, self.client) = (project, client) }

    // MARK: Rows

    /// The rows from the top, with those of expanded folders below them.
    package var rows: [Row] {
        var rows: [Row] = []
        addRows(of: "", depth: 0, to: &rows)
        return rows
    }

    private func addRows(of path: String, depth: Int, to rows: inout [Row]) {
        guard depth < Self.depthLimit else { return }
        func add(_ content: Row.Content, _ suffix: String) {
            rows.append(Row(content: content, depth: depth, isExpanded: false, id: "\(suffix) \(path)"))
        }
        let folder = folders[path] ?? Folder()
        for entry in folder.entries {
            let isExpanded = entry.kind == .directory && expanded.contains(entry.path)
            rows.append(Row(content: .entry(entry), depth: depth, isExpanded: isExpanded, id: "/\(entry.path)"))
            if isExpanded { addRows(of: entry.path, depth: depth + 1, to: &rows) }
        }
        switch folder.phase {
        case .idle, .loading: if folder.entries.isEmpty || folder.phase == .loading { add(.loading(folder: path), "loading") }
        case .failed(let problem): add(.failed(folder: path, problem), "failed")
        case .loaded where folder.hasMore:
            add(.more(folder: path, count: max(0, folder.totalCount - folder.entries.count)), "more")
        case .loaded where folder.entries.isEmpty: add(.empty(folder: path), "empty")
        case .loaded: break
        }
    }

    /// Returns the fetched files and folders whose path contains all words of `text`, the shortest paths first.
    package func search(_ text: String) -> [FileEntry] {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !words.isEmpty else { return [] }
        return folders.values.flatMap(\.entries)
            .filter { entry in words.allSatisfy { entry.path.localizedStandardContains($0) } }
            .sorted { ($0.path.count, $0.path) < ($1.path.count, $1.path) }
    }

    // MARK: Fetching

    /// Fetches the project's own folder, unless it was fetched before. Call it when the tree appears.
    package func load() async { if folders[""]?.phase != .loaded { await fetch("", from: 0) } }

    /// Fetches the expanded folders again, with as many pages as before.
    package func refresh() async {
        let paths = [""] + expanded.sorted()
        for path in paths where path.isEmpty || folders[path] != nil {
            let count = folders[path]?.entries.count ?? 0
            await fetch(path, from: 0)
            while let folder = folders[path], folder.phase == .loaded, folder.hasMore, folder.entries.count < count {
                await fetch(path, from: folder.entries.count)
            }
        }
        // Collapsed folders are fetched again when they are expanded.
        for path in folders.keys where !path.isEmpty && !expanded.contains(path) { folders[path] = nil }
    }

    /// Expands or collapses a folder. The first time, fetches the folder.
    package func toggle(_ path: String) async {
        guard expanded.remove(path) == nil else { return }
        expanded.insert(path)
        if folders[path]?.phase != .loaded { await fetch(path, from: 0) }
    }

    /// Fetches the next page of a folder; after a failure, the page that failed.
    package func loadMore(of path: String) async { await fetch(path, from: folders[path]?.entries.count ?? 0) }

    /// - Parameter offset: 0 replaces what was fetched.
    private func fetch(_ path: String, from offset: Int) async {
        guard folders[path]?.phase != .loading, offset < Self.entryLimit, let client else { return }
        folders[path, default: Folder()].phase = .loading
        let project = project
        do throws(CodeProblem) {
            let page = try await client.call { try await $0.folder(path, of: project, offset: offset) }
            var folder = folders[path] ?? Folder()
            // A folder that changed between two pages may list an entry twice.
            let kept = offset == 0 ? [] : folder.entries
            var known = Set(kept.map(\.path))
            folder.entries = kept + page.entries.filter { isInside($0, path) && known.insert($0.path).inserted }
            folder.totalCount = max(page.totalCount, folder.entries.count)
            folder.hasMore = page.hasMore && !page.entries.isEmpty && folder.entries.count < Self.entryLimit
            folder.phase = .loaded
            folders[path] = folder
        } catch {
            folders[path]?.phase = .failed(error)
        }
    }

    /// Returns true if the entry's path is below the folder's. Other paths could make an endless tree.
    private func isInside(_ entry: FileEntry, _ folder: String) -> Bool {
        entry.path == (folder.isEmpty ? entry.name : "\(folder)/\(entry.name)") && !entry.name.isEmpty
    }
}

extension AgentClient {
    /// Returns the files of a project; the same tree each time.
    package func files(of project: Project.ID) -> FileTree {
        if let known = trees[project] { return known }
        let tree = FileTree(project, self)
        trees[project] = tree
        return tree
    }
}
