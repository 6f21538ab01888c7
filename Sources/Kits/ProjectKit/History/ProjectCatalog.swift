import Crypto
public import Foundation
public import WireKit

/// The projects of this machine and their earlier sessions: folders in the history of the agent, and folders added by the user.
///
/// Nothing is ever written to the history. Results of scans are cached until the file changes.
public actor ProjectCatalog {
    /// The maximum number of summaries and of indexes of sessions in memory.
    private static let maximumSummaries = 20_000
    private static let maximumIndexes = 4

    private struct Summary {
        var version: HistoryFolder.Version
        /// nil for a session without a message.
        var session: EarlierSession?
    }

    /// A project and the keys of its folder in the history.
    private struct Entry {
        var project: Project
        var files: [HistoryFolder.File]
    }

    private let history: HistoryFolder
    private let salt: SymmetricKey
    private var added: [String]
    private var directories: [String: String] = [:]
    private var summaries: [EarlierSession.ID: Summary] = [:]
    /// The last used is the last.
    private var indexes: [(session: EarlierSession.ID, version: HistoryFolder.Version, index: SessionIndex)] = []

    /// - Parameters:
    ///   - history: The agent's folder; see ``standardHistory(environment:)``. It need not exist.
    ///   - added: Folders that the user added, as absolute paths.
    ///   - salt: Random bytes that this host keeps over restarts. Without them a project's identifier cannot be derived from its path.
    public init(history: String, added: [String] = [], salt: Data) {
        self.history = HistoryFolder(history)
        self.added = added
        self.salt = SymmetricKey(data: salt)
    }

    /// The agent's folder: `CLAUDE_CONFIG_DIR`, otherwise `.claude` in the user's home folder.
    public static func standardHistory(environment: [String: String]) -> String {
        if let folder = environment["CLAUDE_CONFIG_DIR"], !folder.isEmpty { return folder }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? FileManager.default.homeDirectoryForCurrentUser.path
        return home + "/.claude"
    }

    // MARK: Projects

    /// Adds a folder. Adding it again changes nothing.
    ///
    /// - Throws: ``ProjectError`` if it is not a folder that can be opened.
    @discardableResult
    public func add(_ path: String) throws(ProjectError) -> Project.ID {
        let folder = try ProjectFolder(path)
        if !added.contains(folder.path) { added.append(folder.path) }
        return identifier(of: folder)
    }

    /// Forgets an added folder. One with earlier sessions remains a project.
    public func remove(_ id: Project.ID) {
        added.removeAll { (try? ProjectFolder($0)).map(identifier) == id }
    }

    /// Projects whose folders exist, newest use first, then by name.
    ///
    /// - Parameter sessions: Identifiers of sessions that are not counted.
    /// - Throws: ``ProjectError`` if the history exists and cannot be read.
    public func projects(excluding sessions: Set<EarlierSession.ID> = []) async throws(ProjectError) -> [Project] {
        try await entries(excluding: sessions).map(\.project)
    }

    /// - Throws: `notFound`.
    public func project(_ id: Project.ID) async throws(ProjectError) -> Project {
        try await entry(id).project
    }

    /// The identifier of a folder: 128 bits of an HMAC of its path.
    private func identifier(of folder: ProjectFolder) -> Project.ID {
        let code = HMAC<SHA256>.authenticationCode(for: Data(folder.path.utf8), using: salt)
        return Project.ID(code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    private func entry(_ id: Project.ID) async throws(ProjectError) -> Entry {
        guard let entry = try await entries(excluding: []).first(where: { $0.project.id == id }) else {
            throw ProjectError(.notFound, "no project has this identifier")
        }
        return entry
    }

    private func entries(excluding sessions: Set<EarlierSession.ID>) async throws(ProjectError) -> [Entry] {
        let (found, known) = try await Self.scan(history, known: directories)
        directories = known
        var files: [ProjectFolder: [HistoryFolder.File]] = [:]
        for path in added {
            if let folder = try? ProjectFolder(path) { files[folder] = files[folder] ?? [] }
        }
        for (folder, own) in found { files[folder, default: []] += own }
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

    /// Reads the folders of the history, outside of the actor.
    ///
    /// - Parameter known: The working directories of keys, as found earlier.
    /// - Returns: The sessions of each existing folder, and the working directories of all keys.
    @concurrent
    private static func scan(
        _ history: HistoryFolder, known: [String: String]
    ) async throws(ProjectError) -> ([(ProjectFolder, [HistoryFolder.File])], [String: String]) {
        var result: [(ProjectFolder, [HistoryFolder.File])] = []
        var directories: [String: String] = [:]
        for key in try history.keys() {
            // One unreadable folder does not hide the others.
            guard let files = try? history.files(of: key), !files.isEmpty,
                let directory = known[key] ?? history.workingDirectory(of: key, files)
            else { continue }
            directories[key] = directory
            if let folder = try? ProjectFolder(directory) { result.append((folder, files)) }
        }
        return (result, directories)
    }

    // MARK: Sessions

    /// The earlier sessions of a project, newest activity first. Subagents' transcripts and sessions without a message are left out.
    ///
    /// - Throws: `notFound`.
    public func sessions(of id: Project.ID) async throws(ProjectError) -> [EarlierSession] {
        var sessions: [EarlierSession] = []
        for file in try await entry(id).files { if let session = await summary(of: file) { sessions.append(session) } }
        return sessions.sorted { ($0.lastActiveAt, $0.id.rawValue) > ($1.lastActiveAt, $1.id.rawValue) }
    }

    /// A session of whichever project; nil if no project has it.
    ///
    /// - Throws: ``ProjectError`` if the history exists and cannot be read.
    public func session(_ id: EarlierSession.ID) async throws(ProjectError) -> (EarlierSession, Project.ID)? {
        for entry in try await entries(excluding: []) {
            if let file = entry.files.first(where: { $0.session == id }), let session = await summary(of: file) {
                return (session, entry.project.id)
            }
        }
        return nil
    }

    /// - Returns: Nil for a session without a message, and for one that was deleted or cannot be read.
    private func summary(of file: HistoryFolder.File) async -> EarlierSession? {
        if let known = summaries[file.session], known.version == file.version { return known.session }
        guard let (index, version) = try? await Self.index(file.session, of: file.key, in: history) else { return nil }
        let session = Self.summary(of: index, file.session)
        if summaries.count >= Self.maximumSummaries { summaries.removeAll() }
        summaries[file.session] = Summary(version: version, session: session)
        return session
    }

    private static func summary(of index: SessionIndex, _ id: EarlierSession.ID) -> EarlierSession? {
        guard let first = index.items.first, let last = index.items.last else { return nil }
        return EarlierSession(id: id, createdAt: first.time, lastActiveAt: last.time, messageCount: index.messageCount)
    }

    /// Messages of an earlier session: of the parent chain that ends with the newest leaf.
    ///
    /// - Parameters:
    ///   - limit: 1…1,000.
    ///   - before: The number of the message before which the page ends; nil: the page ends with the newest but `offset`.
    ///   - offset: The number of newest messages to leave out.
    /// - Throws: `notFound`; `invalidArgument`.
    public func messages(
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
