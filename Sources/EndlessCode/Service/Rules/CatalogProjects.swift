package import EndlessCodeProjects
package import EndlessCodeWire
import WireKit

/// The projects that a catalog finds on this computer.
package actor CatalogProjects: ProjectSource {
    /// The number of projects whose git state is cached.
    private static let maximumCached = 20

    private let catalog: ProjectCatalog
    private var gits: [ProjectFolder: ProjectGit] = [:]

    package init(_ catalog: ProjectCatalog) { self.catalog = catalog }

    package func projects(without sessions: Set<String>) async throws -> [EndlessCodeWire.Project] {
        await catalog.projects(excluding: Set(sessions.map { EarlierSession.ID($0) })).map(\.wire)
    }

    package func project(_ id: EndlessCodeWire.Project.ID) async throws -> EndlessCodeWire.Project? {
        do {
            return try await catalog.project(.init(id.rawValue)).wire
        } catch  where error.code == .notFound {
            return nil
        }
    }

    package func earlierSessions(of id: EndlessCodeWire.Project.ID) async throws -> [Session] {
        try await catalog.sessions(of: .init(id.rawValue)).map { $0.wire(in: id) }
    }

    package func workTrees(of id: EndlessCodeWire.Project.ID) async throws -> [String: String] {
        let trees = await catalog.workTrees(of: .init(id.rawValue))
        return Dictionary(uniqueKeysWithValues: trees.map { ($0.rawValue, $1) })
    }

    package func earlierSession(_ id: Session.ID) async throws -> Session? {
        guard let (session, project) = await catalog.session(.init(id.rawValue)) else { return nil }
        return session.wire(in: .init(project.rawValue))
    }

    package func earlierMessages(
        of id: Session.ID, in project: EndlessCodeWire.Project.ID, limit: Int, before: Int64
    ) async throws -> [LoggedMessage] {
        let (session, folder) = (EarlierSession.ID(id.rawValue), EndlessCodeProjects.Project.ID(project.rawValue))
        let page: EndlessCodeProjects.HistoryPage
        do {
            page = try await catalog.messages(of: session, in: folder, limit: limit, before: Int(clamping: before))
        } catch {
            if error.code == .notFound { return [] }
            throw error
        }
        return page.messages.map { $0.wire }
    }

    package func folder(_ path: String, of id: EndlessCodeWire.Project.ID, offset: Int) async throws -> EndlessCodeWire.FolderPage {
        let folder = try await folder(of: id)
        let page = try await folder.list(path, offset: offset, limit: Limits.folderPageSize, marks: git(of: folder).marks())
        return EndlessCodeWire.FolderPage(entries: page.entries.map(\.wire), totalCount: page.totalCount, hasMore: page.hasMore)
    }

    package func file(_ path: String, of id: EndlessCodeWire.Project.ID, full: Bool) async throws -> EndlessCodeWire.FileContent {
        let content = try await folder(of: id).content(of: path, full: full)
        return EndlessCodeWire.FileContent(
            path: content.path, size: content.size, encoding: content.encoding == .utf8 ? .utf8 : .binary, charset: content.charset,
            content: content.content, truncated: content.truncated)
    }

    package func diff(of id: EndlessCodeWire.Project.ID) async throws -> WorkTreeDiff {
        let diff = try await git(of: folder(of: id)).diff()
        return WorkTreeDiff(
            git: diff.isRepository, staged: diff.staged, unstaged: diff.unstaged, truncated: diff.truncated, problem: diff.problem,
            workTrees: diff.workTrees.isEmpty ? nil : diff.workTrees.map(\.wire))
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
        let git = ProjectGit(folder, roots: { [catalog] in await catalog.repositoryRoots })
        gits[folder] = git
        return git
    }
}

extension EndlessCodeProjects.Project {
    fileprivate var wire: EndlessCodeWire.Project {
        EndlessCodeWire.Project(id: .init(id.rawValue), name: name, path: path, sessionCount: sessionCount, lastUsed: lastUsed)
    }
}

extension GitWorkTree {
    fileprivate var wire: WorkTreeDiff.WorkTree {
        WorkTreeDiff.WorkTree(
            path: path, branch: branch, staged: staged, unstaged: unstaged, truncated: truncated, problem: problem)
    }
}

extension EarlierSession {
    fileprivate func wire(in project: EndlessCodeWire.Project.ID) -> Session {
        Session(
            id: Session.ID(id.rawValue), projectId: project, state: .terminated, createdAt: createdAt, lastActiveAt: lastActiveAt,
            // An estimate is no number of a message.
            messageCount: messageCount, lastSeq: isOutline ? 0 : Int64(messageCount))
    }
}

extension HistoryMessage {
    fileprivate var wire: LoggedMessage {
        let content: Message.Content =
            switch self.content {
            case .text(let role, let text):
                .chat(Chat(id: id, role: role == .user ? .user : .assistant, content: text, timestamp: time))
            case .toolUse(let use, let name, let input):
                .toolUse(ToolUse(id: id, toolName: name, toolInput: input, toolUseId: use, timestamp: time))
            case .toolResult(let use, let output, let isError):
                .toolResult(ToolResult(id: id, toolUseId: use, output: output, isError: isError, timestamp: time))
            case .question(let use, let text, let options, let allowsSeveral):
                .askUser(
                    AskUser(
                        id: id, toolUseId: use,
                        question: Question(
                            text, options: options.map { QuestionOption($0.label, description: $0.description) },
                            multiSelect: allowsSeveral), timestamp: time))
            case .unknown(let json): .unknown(rawJSON: json)
            }
        return LoggedMessage(seq: Int64(number), Message(content, isLarge: isCut))
    }
}

extension FolderEntry {
    fileprivate var wire: FileEntry {
        FileEntry(
            name: name, path: path, kind: kind == .directory ? .directory : .file, size: size, modified: modified,
            git: git.flatMap { FileEntry.GitMark(rawValue: $0.rawValue) })
    }
}
