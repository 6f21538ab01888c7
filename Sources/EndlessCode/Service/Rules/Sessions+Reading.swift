import EndlessCodeWire
import Foundation
import StorageKit
import WireKit

/// Lists, states and histories, of our sessions and of the agent's earlier ones.
extension Sessions {
    func all() async throws -> [Session] { try await store.read { try $0.liveSessions() } }

    func session(_ id: Session.ID) async throws -> Session {
        if let record = try await store.read({ try $0.session(id) }) { return record.session }
        return try await earlierSession(id)
    }

    /// The sessions of a project, with the agent's earlier ones that are not ours.
    func sessions(of project: Project.ID) async throws -> [Session] {
        guard try await projects.project(project) != nil else { throw ServiceFailure.noProject }
        let (own, conversations) = try await store.read { (try $0.sessions(of: project), try $0.conversations()) }
        let earlier = try await projects.earlierSessions(of: project).filter { !conversations.contains($0.id.rawValue) }
        let trees = try await projects.workTrees(of: project)
        func placed(_ session: Session, _ conversation: String?) -> Session {
            var session = session
            session.workTree = conversation.flatMap { trees[$0] }
            return session
        }
        let all = own.map { placed($0.session, $0.conversation) } + earlier.map { placed($0, $0.id.rawValue) }
        return all.sorted { ($0.lastActiveAt, $0.id.rawValue) > ($1.lastActiveAt, $1.id.rawValue) }
    }

    /// The projects with the number and the latest use of their sessions, ours included.
    func allProjects() async throws -> [Project] {
        let (uses, conversations) = try await store.read { (try $0.projectUses(), try $0.conversations()) }
        let listed = try await projects.projects(without: conversations).map { project in
            guard let use = uses[project.id] else { return project }
            var project = project
            project.sessionCount += use.count
            project.lastUsed = max(project.lastUsed ?? use.last, use.last)
            return project
        }
        return listed.sorted {
            let (first, second) = ($0.lastUsed ?? .earliest, $1.lastUsed ?? .earliest)
            return first == second ? ($0.name, $0.path) < ($1.name, $1.path) : first > second
        }
    }

    func project(_ id: Project.ID) async throws -> Project {
        guard let project = try await allProjects().first(where: { $0.id == id }) else { throw ServiceFailure.noProject }
        return project
    }

    /// A session in the agent's own files that is not one of ours.
    ///
    /// - Throws: ``ServiceFailure`` `SESSION_NOT_FOUND`.
    func earlierSession(_ id: Session.ID) async throws -> Session {
        guard try await !store.read({ try $0.conversations() }).contains(id.rawValue),
            let session = try await projects.earlierSession(id)
        else { throw ServiceFailure.noSession }
        return session
    }

    // MARK: Messages

    /// A page of a history. What the agent did before the session was ours comes from the agent's own file.
    func history(of id: Session.ID, limit: Int, offset: Int, before: Int64?) async throws -> HistoryPage {
        let own = try await store.read { transaction -> (page: OwnPage, record: SessionRecord)? in
            guard let record = try transaction.session(id) else { return nil }
            return (try transaction.history(of: id, limit: limit, offset: offset, before: before), record)
        }
        guard let (page, record) = own else {
            let session = try await earlierSession(id)
            return try await earlierHistory(of: session, limit: limit, before: Self.end(session.lastSeq, before, offset))
        }
        var history = HistoryPage(
            sessionId: id, messages: page.messages, totalCount: record.session.messageCount,
            hasMore: page.hasOlder || (page.messages.first?.seq ?? before ?? 1) > 1 && record.earlierCount > 0)
        guard record.earlierCount > 0, !page.hasOlder, page.messages.count < limit else { return history }
        let ownCount = record.session.messageCount - Int(record.earlierCount)
        let older = try await earlierHistory(
            of: record.session, limit: limit - page.messages.count,
            before: Self.end(record.earlierCount, before, max(0, offset - ownCount)))
        history.messages = older.messages + history.messages
        history.hasMore = older.hasMore
        return history
    }

    /// The number before which a page ends.
    ///
    /// - Parameter last: The number of the newest message.
    private static func end(_ last: Int64, _ before: Int64?, _ offset: Int) -> Int64 {
        before.map { min($0, last + 1) } ?? max(1, last + 1 - min(Int64(offset), last))
    }

    private func earlierHistory(of session: Session, limit: Int, before: Int64) async throws -> HistoryPage {
        guard before > 1 else {
            return HistoryPage(sessionId: session.id, messages: [], totalCount: session.messageCount, hasMore: false)
        }
        let messages = try await projects.earlierMessages(of: session.id, in: session.projectId, limit: limit, before: before)
        return HistoryPage(
            sessionId: session.id, messages: messages.map { LoggedMessage(seq: $0.seq, MessageCut($0.message).message) },
            totalCount: session.messageCount, hasMore: (messages.first?.seq ?? 1) > 1)
    }

    /// One message in full.
    func message(_ seq: Int64, of id: Session.ID) async throws -> LoggedMessage {
        let missing = ServiceFailure(.notFound, "The session has no message of this number.")
        let (record, message) = try await store.read { (try $0.session(id), try $0.message(seq, of: id)) }
        if let message { return message }
        if let record, seq > record.earlierCount { throw missing }
        let session = if let record { record.session } else { try await earlierSession(id) }
        guard seq >= 1, seq <= session.lastSeq else { throw missing }
        let messages = try await projects.earlierMessages(of: id, in: session.projectId, limit: 1, before: seq + 1)
        guard let message = messages.last, message.seq == seq else { throw missing }
        return message
    }

    func stats(connections: Int) async throws -> Stats {
        try await store.read { transaction in
            Stats(
                activeSessions: try transaction.one("SELECT COUNT(*) FROM sessions WHERE state = 'active'"),
                totalSessions: try transaction.one("SELECT COUNT(*) FROM sessions"), activeConnections: connections,
                pendingPrompts: try transaction.one("SELECT COUNT(*) FROM prompts WHERE outcome IS NULL"))
        }
    }

    /// The pieces of texts that agents are writing now.
    func partialFrames() async -> [String] {
        var frames: [String] = []
        for run in runs.values { frames += await run.partialFrames }
        return frames
    }
}
