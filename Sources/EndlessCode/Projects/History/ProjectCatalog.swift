import Crypto
package import Foundation
import WireKit

/// The projects of this machine and their earlier sessions: folders that the user has added, and folders in the agent's history
/// that the user has confirmed.
///
/// Agents write the history, and each of them can name any folder in it. So a folder of the history is a project only inside a
/// folder that the user has added or confirmed.
///
/// Nothing is ever written to the history. Results of scans are cached until the file changes. One scan runs at a time, and one
/// session is read at a time; a list waits only for the scan and for new sessions that are small.
package actor ProjectCatalog {
    /// Maximum summaries, and maximum indexes of sessions, in memory.
    private static let maximumSummaries = 20_000
    private static let maximumIndexes = 4
    /// Maximum bytes of new sessions that a list reads before it returns. Further sessions have an outline.
    private static let immediateSize: Int64 = 1 << 20

    private struct Summary {
        var version: HistoryFolder.Version
        /// nil for a session without a message.
        var session: EarlierSession?
    }

    /// The working directory of a key. `path` is nil if the files do not name one.
    private struct Directory {
        var path: String?
        /// The versions of the files that were searched for the directory.
        var versions: [HistoryFolder.Version]
    }

    private typealias Scan = (folders: [(ProjectFolder, [HistoryFolder.File])], directories: [String: Directory])

    /// A project and the files of its sessions in the history.
    private struct Entry {
        var project: Project
        var files: [HistoryFolder.File]
    }

    private let history: HistoryFolder
    private let salt: SymmetricKey
    private let confirmed: @Sendable () -> [String]
    /// Absolute paths without links. A link that takes the place of a folder is not followed.
    private var added: [String]
    private let repositories: [String]
    private var directories: [String: Directory] = [:]
    /// The scan that runs now.
    private var scanning: Task<Result<Scan, ProjectError>, Never>?
    private var summaries: [EarlierSession.ID: Summary] = [:]
    private var outlines: [EarlierSession.ID: Summary] = [:]
    /// Sessions that lists show as outlines, the next to read last.
    private var unread: [HistoryFolder.File] = []
    private var reading: Task<Void, Never>?
    /// The cached indexes, the most recently used last.
    private var indexes: [(session: EarlierSession.ID, version: HistoryFolder.Version, index: SessionIndex)] = []

    /// - Parameters:
    ///   - history: The agent's folder; see ``standardHistory(environment:)``. It need not exist.
    ///   - added: Folders that the user added, as absolute paths.
    ///   - confirmed: Folders, as absolute paths without links, that are projects if they or folders inside of them are in the history.
    ///     Called for each list.
    ///   - repositories: Absolute paths of git folders outside of the projects that the owner shows; see ``GitLocation``.
    ///   - salt: Random bytes that this host keeps over restarts. Without them a project's identifier cannot be derived from its path.
    package init(
        history: String, added: [String] = [], confirmed: @escaping @Sendable () -> [String] = { [] }, repositories: [String] = [],
        salt: Data
    ) {
        self.history = HistoryFolder(history)
        self.added = added.map { (try? ProjectFolder($0).path) ?? $0 }
        self.confirmed = confirmed
        self.repositories = repositories.map { (try? ProjectFolder($0).path) ?? $0 }
        self.salt = SymmetricKey(data: salt)
    }

    deinit {
        scanning?.cancel()
        reading?.cancel()
    }

    /// Returns the agent's folder: `CLAUDE_CONFIG_DIR`, otherwise `.claude` in the user's home folder.
    package static func standardHistory(environment: [String: String]) -> String {
        if let folder = environment["CLAUDE_CONFIG_DIR"], !folder.isEmpty { return folder }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? FileManager.default.homeDirectoryForCurrentUser.path
        return home + "/.claude"
    }

    // MARK: Projects

    /// Adds a folder. Adding it again changes nothing.
    ///
    /// - Throws: ``ProjectError`` if it is not a folder that can be opened.
    @discardableResult
    package func add(_ path: String) throws(ProjectError) -> Project.ID {
        let folder = try ProjectFolder(path)
        if !added.contains(folder.path) { added.append(folder.path) }
        return identifier(of: folder)
    }

    /// Removes an added folder. A folder with earlier sessions remains a project if it is inside another added or confirmed folder.
    package func remove(_ id: Project.ID) {
        added.removeAll { (try? ProjectFolder($0)).map(identifier) == id }
    }

    /// Returns projects whose folders exist, newest use first, then by name. A history that cannot be read adds no projects.
    ///
    /// - Parameter sessions: Identifiers of sessions that are not counted.
    package func projects(excluding sessions: Set<EarlierSession.ID> = []) async -> [Project] {
        await entries(excluding: sessions).map(\.project)
    }

    /// - Throws: `notFound`.
    package func project(_ id: Project.ID) async throws(ProjectError) -> Project {
        try await entry(id).project
    }

    /// The folders in which repositories may be read: those that the owner has added, confirmed, or named for this purpose.
    package var repositoryRoots: [String] { added + confirmed() + repositories }

    /// Returns the identifier of a folder: 128 bits of an HMAC of its path.
    private func identifier(of folder: ProjectFolder) -> Project.ID {
        let code = HMAC<SHA256>.authenticationCode(for: Data(folder.path.utf8), using: salt)
        return Project.ID(code.prefix(16).hexadecimal)
    }

    private func entry(_ id: Project.ID) async throws(ProjectError) -> Entry {
        guard let entry = await entries(excluding: []).first(where: { $0.project.id == id }) else {
            throw ProjectError(.notFound, "no project has this identifier")
        }
        return entry
    }

    private func entries(excluding sessions: Set<EarlierSession.ID>) async -> [Entry] {
        // The folders that the user added are shown even if the history cannot be read.
        let found = (try? await scan()) ?? []
        var files: [ProjectFolder: [HistoryFolder.File]] = [:]
        for path in added {
            if let folder = try? ProjectFolder(path), folder.path == path { files[folder] = files[folder] ?? [] }
        }
        let roots = added + confirmed()
        for (folder, own) in found where folder.isInside(anyOf: roots) { files[folder, default: []] += own }
        let entries = files.map { folder, files in
            let counted = files.filter { !sessions.contains($0.session) }
            return Entry(
                project: Project(
                    id: identifier(of: folder), name: folder.name, folder: folder, sessionCount: counted.count,
                    lastUsed: files.map(\.version.modified).max()),
                files: files)
        }
        return entries.sorted {
            let (first, second) = ($0.project.lastUsed ?? .earliest, $1.project.lastUsed ?? .earliest)
            return first == second ? ($0.project.name, $0.project.path) < ($1.project.name, $1.project.path) : first > second
        }
    }

    /// Returns the history's folders that the user has neither added nor confirmed, which are not projects; newest use first.
    ///
    /// - Throws: ``ProjectError`` if the history exists and cannot be read.
    package func unconfirmed() async throws(ProjectError) -> [ProjectFolder] {
        let roots = added + confirmed()
        var uses: [ProjectFolder: Timestamp] = [:]
        for (folder, files) in try await scan() where !folder.isInside(anyOf: roots) {
            uses[folder] = max(uses[folder] ?? .earliest, files.map(\.version.modified).max() ?? .earliest)
        }
        return uses.sorted { ($0.value, $1.key.path) > ($1.value, $0.key.path) }.map(\.key)
    }

    /// Returns the sessions of each folder of the history. Concurrent calls share one scan.
    private func scan() async throws(ProjectError) -> [(ProjectFolder, [HistoryFolder.File])] {
        if let scanning { return try await scanning.value.get().folders }
        // Several callers share this task, so cancelling one of them does not end it.
        let task = Task { [history, directories] in await Self.scan(history, known: directories) }
        scanning = task
        let result = await task.value
        scanning = nil
        if case .success(let scan) = result { directories = scan.directories }
        return try result.get().folders
    }

    /// Reads the folders of the history, outside of the actor.
    ///
    /// - Parameter known: The working directories of keys, as found earlier.
    /// - Returns: The sessions of each existing folder, and the working directories of all keys.
    @concurrent
    private static func scan(_ history: HistoryFolder, known: [String: Directory]) async -> Result<Scan, ProjectError> {
        do throws(ProjectError) {
            var scan: Scan = ([], [:])
            for key in try history.keys() {
                // One unreadable folder does not hide the others.
                guard let files = try? history.files(of: key), !files.isEmpty else { continue }
                let searched = HistoryFolder.searched(files)
                let versions = searched.map(\.version)
                var directory = known[key] ?? Directory(path: nil, versions: [])
                if directory.path == nil, directory.versions != versions {
                    directory = Directory(path: history.workingDirectory(of: key, searched), versions: versions)
                }
                scan.directories[key] = directory
                if let path = directory.path, let folder = try? ProjectFolder(path) { scan.folders.append((folder, files)) }
            }
            return .success(scan)
        } catch {
            return .failure(error)
        }
    }

    // MARK: Sessions

    /// Returns the earlier sessions of a project, newest activity first. Excludes subagents and sessions without a message.
    ///
    /// Sessions that were not read yet have an outline: ``EarlierSession/isOutline``. They are read afterwards, one after the other.
    ///
    /// - Throws: `notFound`.
    package func sessions(of id: Project.ID) async throws(ProjectError) -> [EarlierSession] {
        var sessions: [EarlierSession] = []
        var budget = Self.immediateSize
        var rest: [HistoryFolder.File] = []
        for file in try await entry(id).files.sorted(by: { $0.version.modified > $1.version.modified }) {
            let isKnown = summaries[file.session]?.version == file.version
            if isKnown || file.version.size <= budget {
                if !isKnown { budget -= file.version.size }
                if let session = await summary(of: file) { sessions.append(session) }
            } else {
                rest.append(file)
            }
        }
        if !rest.isEmpty {
            sessions += await outlines(of: rest)
            read(rest)
        }
        return sessions.sorted { ($0.lastActiveAt, $0.id.rawValue) > ($1.lastActiveAt, $1.id.rawValue) }
    }

    /// Waits until all sessions that lists showed as outlines are read.
    package func settle() async { await reading?.value }

    private func outlines(of files: [HistoryFolder.File]) async -> [EarlierSession] {
        let new = files.filter { outlines[$0.session]?.version != $0.version }
        if !new.isEmpty {
            if outlines.count + new.count > Self.maximumSummaries { outlines.removeAll() }
            for (file, session) in zip(new, await Self.outlines(of: new, in: history)) {
                outlines[file.session] = Summary(version: file.version, session: session)
            }
        }
        return files.compactMap { outlines[$0.session]?.session }
    }

    @concurrent
    private static func outlines(of files: [HistoryFolder.File], in history: HistoryFolder) async -> [EarlierSession?] {
        files.map { file in
            guard let (descriptor, version) = try? history.open(file.session, of: file.key),
                let outline = try? SessionOutline(descriptor, version)
            else { return nil }
            return EarlierSession(
                id: file.session, createdAt: outline.first, lastActiveAt: max(outline.first, outline.last),
                messageCount: outline.recordCount, isOutline: true)
        }
    }

    /// Reads sessions in the background.
    private func read(_ files: [HistoryFolder.File]) {
        // The sessions of the latest list replace those of earlier lists.
        unread = files.reversed()
        guard reading == nil else { return }
        reading = Task(priority: .utility) { [weak self] in
            while let file = await self?.nextUnread() { _ = await self?.summary(of: file) }
        }
    }

    private func nextUnread() -> HistoryFolder.File? {
        if let file = unread.popLast() { return file }
        reading = nil
        return nil
    }

    // MARK: Work trees

    /// Maximum newest sessions that are searched for a work tree, and maximum bytes at the end of each.
    private static let placedSessions = (count: 20, size: Int64(1 << 18))

    /// Returns the work trees below a project that its newest sessions work in, recorded by Claude Code; paths from the project.
    package func workTrees(of id: Project.ID) async -> [EarlierSession.ID: String] {
        guard let entry = try? await entry(id) else { return [:] }
        let newest = entry.files.sorted { $0.version.modified > $1.version.modified }.prefix(Self.placedSessions.count)
        return await Self.workTrees(of: Array(newest), below: entry.project.path, in: history)
    }

    @concurrent
    private static func workTrees(
        of files: [HistoryFolder.File], below folder: String, in history: HistoryFolder
    ) async -> [EarlierSession.ID: String] {
        var trees: [EarlierSession.ID: String] = [:]
        for file in files {
            guard let (descriptor, version) = try? history.open(file.session, of: file.key),
                let bytes = try? descriptor.read(Int(placedSessions.size), at: max(0, version.size - placedSessions.size)),
                let path = workTree(in: bytes), path.hasPrefix(folder + "/"), !path.split(separator: "/").contains("..")
            else { continue }
            trees[file.session] = String(path.dropFirst(folder.utf8.count + 1))
        }
        return trees
    }

    /// Returns the work tree in the last record (null after it was left) of the form
    /// `{"type":"worktree-state","worktreeSession":{"worktreePath":…}}`.
    ///
    /// Source: Claude Code 2.1.332.
    private static func workTree(in bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let line = lines.last(where: { $0.contains("\"worktree-state\"") }),
            case .object(let record)? = try? WireJSON.decode(JSONValue.self, from: Data(line.utf8)),
            record["type"] == .string("worktree-state"), case .object(let state)? = record["worktreeSession"],
            case .string(let path)? = state["worktreePath"]
        else { return nil }
        return path
    }

    /// Returns a session of any project; nil if no project has the session.
    package func session(_ id: EarlierSession.ID) async -> (EarlierSession, Project.ID)? {
        for entry in await entries(excluding: []) {
            if let file = entry.files.first(where: { $0.session == id }), let session = await summary(of: file) {
                return (session, entry.project.id)
            }
        }
        return nil
    }

    /// - Returns: Nil for a session without a message, and for one that was deleted or cannot be read.
    private func summary(of file: HistoryFolder.File) async -> EarlierSession? {
        if let known = summaries[file.session], known.version == file.version { return known.session }
        let session: EarlierSession?
        var version = file.version
        do {
            let index: SessionIndex
            (index, version) = try await Self.index(file.session, of: file.key, in: history)
            session = Self.summary(of: index, file.session)
        } catch {
            if Task.isCancelled { return nil }
            // The file is not read again before it changes.
            session = nil
        }
        if summaries.count >= Self.maximumSummaries { summaries.removeAll() }
        summaries[file.session] = Summary(version: version, session: session)
        outlines[file.session] = nil
        return session
    }

    private static func summary(of index: SessionIndex, _ id: EarlierSession.ID) -> EarlierSession? {
        guard let first = index.items.first, let last = index.items.last else { return nil }
        return EarlierSession(id: id, createdAt: first.time, lastActiveAt: last.time, messageCount: index.messageCount)
    }

    /// Returns messages of an earlier session, from the parent chain that ends with the newest leaf.
    ///
    /// - Parameters:
    ///   - limit: 1…1,000.
    ///   - before: The number of the message before which the page ends; nil for the newest messages.
    ///   - offset: Count of newest messages to leave out.
    /// - Throws: `notFound`; `invalidArgument`.
    package func messages(
        of session: EarlierSession.ID, in id: Project.ID, limit: Int = HistoryPage.maximumLimit, before: Int? = nil, offset: Int = 0
    ) async throws(ProjectError) -> HistoryPage {
        guard (1...HistoryPage.maximumLimit).contains(limit), offset >= 0, before ?? 1 >= 1 else {
            throw ProjectError(
                .invalidArgument, "limit must be 1 to \(HistoryPage.maximumLimit), before at least 1, offset not negative")
        }
        guard let file = try await entry(id).files.first(where: { $0.session == session }) else {
            throw ProjectError(.notFound, "the project has no session with this identifier")
        }
        let index = try await index(of: file)
        let end = min(before ?? .max, index.messageCount + 1 - min(offset, index.messageCount))
        let messages = try await Self.read(index, before: end, limit, file, in: history)
        return HistoryPage(messages: messages, totalCount: index.messageCount, hasMore: (messages.first?.number ?? 1) > 1)
    }

    private func index(of file: HistoryFolder.File) async throws(ProjectError) -> SessionIndex {
        if let position = indexes.firstIndex(where: { $0.session == file.session && $0.version == file.version }) {
            let known = indexes.remove(at: position)
            indexes.append(known)
            return known.index
        }
        let (index, version) = try await Self.index(file.session, of: file.key, in: history)
        indexes.removeAll { $0.session == file.session }
        indexes.append((file.session, version, index))
        if indexes.count > Self.maximumIndexes { indexes.removeFirst() }
        return index
    }

    @concurrent
    private static func index(
        _ session: EarlierSession.ID, of key: String, in history: HistoryFolder
    ) async throws(ProjectError) -> (SessionIndex, HistoryFolder.Version) {
        let (descriptor, version) = try history.open(session, of: key)
        return (try await SessionIndex(descriptor), version)
    }

    @concurrent
    private static func read(
        _ index: SessionIndex, before end: Int, _ limit: Int, _ file: HistoryFolder.File, in history: HistoryFolder
    ) async throws(ProjectError) -> [HistoryMessage] {
        let (descriptor, _) = try history.open(file.session, of: file.key)
        return try index.messages(before: end, limit: limit, from: descriptor)
    }
}

extension ProjectFolder {
    /// Returns true if this is one of the folders, or lies inside one.
    fileprivate func isInside(anyOf folders: [String]) -> Bool {
        folders.contains { path == $0 || path.hasPrefix($0 == "/" ? $0 : $0 + "/") }
    }
}
