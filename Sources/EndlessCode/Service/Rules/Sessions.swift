import AgentKit
import EndlessCodeWire
import Foundation
import Logging
import NIOConcurrencyHelpers
import StorageKit
import WireKit

/// The rules of sessions.
actor Sessions {
    private let services: SessionServices
    private let projects: any ProjectSource
    private var runs: [Session.ID: SessionRun] = [:]

    init(_ services: SessionServices, projects: any ProjectSource) { (self.services, self.projects) = (services, projects) }

    private var store: Database { services.store }

    // MARK: Reading

    func all() async throws -> [Session] { try await store.read { try $0.liveSessions() } }

    func session(_ id: Session.ID) async throws -> Session {
        guard let record = try await store.read({ try $0.session(id) }) else { throw ServiceFailure.noSession }
        return record.session
    }

    /// The sessions of a project, with the agent's earlier ones that are not ours.
    func sessions(of project: Project.ID) async throws -> [Session] {
        guard try await projects.project(project) != nil else { throw ServiceFailure.noProject }
        let own = try await store.read { try $0.sessions(of: project) }
        let conversations = Set(own.compactMap(\.conversation))
        let earlier = try await projects.earlierSessions(of: project).filter { !conversations.contains($0.id.rawValue) }
        return (own.map(\.session) + earlier).sorted { ($0.lastActiveAt, $0.id.rawValue) > ($1.lastActiveAt, $1.id.rawValue) }
    }

    func history(of id: Session.ID, limit: Int, offset: Int, before: Int64?) async throws -> HistoryPage {
        try await store.read { transaction in
            guard try transaction.session(id) != nil else { throw ServiceFailure.noSession }
            let page = try transaction.history(of: id, limit: limit, offset: offset, before: before)
            let hasMore = try page.messages.first.map { try transaction.hasMessages(of: id, before: $0.seq) } ?? false
            return HistoryPage(sessionId: id, messages: page.messages, totalCount: page.total, hasMore: hasMore)
        }
    }

    func message(_ seq: Int64, of id: Session.ID) async throws -> LoggedMessage {
        try await store.read { transaction in
            guard try transaction.session(id) != nil else { throw ServiceFailure.noSession }
            guard let message = try transaction.message(seq, of: id) else {
                throw ServiceFailure(.notFound, "The session has no message of this number.")
            }
            return message
        }
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

    // MARK: States

    /// Starts a session. The same request again returns its session.
    func create(_ creation: SessionCreation) async throws -> Session {
        if let request = creation.requestId, !request.isWireIdentifier {
            throw ServiceFailure(.invalidMessage, "requestId is not an identifier.")
        }
        guard let project = try await projects.project(creation.projectId) else { throw ServiceFailure.noProject }
        if let request = creation.requestId,
            let earlier = try await store.read({
                try $0.first("SELECT * FROM sessions WHERE request = ?", request, as: SessionRecord.self)
            })
        {
            return earlier.session
        }
        try checkProgram()
        try await reservePlace()
        defer { reserved -= 1 }
        let (id, time) = (Session.ID(SessionServices.newID()), services.now())
        let record = try await services.commit { transaction, frames -> (SessionRecord, isNew: Bool) in
            if let request = creation.requestId, let earlier = try transaction.session(startedBy: request) {
                return (earlier, false)
            }
            try transaction.addSession(
                id, project: project.id, folder: project.path, conversation: nil, request: creation.requestId, at: time)
            frames.append(
                try transaction.append(to: id, at: time) {
                    .sessionState(SessionStateChange(sessionId: id, seq: $0, state: .active, activity: .idle))
                })
            guard let record = try transaction.session(id) else { throw ServiceFailure.noSession }
            return (record, true)
        }
        if record.isNew { await run(of: record.0).start() }
        return record.0.session
    }

    func resume(_ id: Session.ID) async throws -> Session {
        let record = try await record(id)
        if record.session.state == .active { return record.session }
        try checkProgram()
        try await reservePlace()
        defer { reserved -= 1 }
        let time = services.now()
        let resumed = try await services.commit { transaction, frames -> SessionRecord? in
            frames += try [transaction.setState(.active, .idle, of: id, at: time)].compactMap { $0 }
            return try transaction.session(id)
        }
        guard let resumed else { throw ServiceFailure.noSession }
        // An agent that is still ending would take no prompt.
        // It may wait for its restart.
        await runs[id]?.stop()
        await runs[id]?.waitUntilEnded()
        await run(of: resumed).start()
        return resumed.session
    }

    func pause(_ id: Session.ID) async throws -> Session {
        let session = try await record(id).session
        if session.state == .paused { return session }
        guard session.state == .active else {
            throw ServiceFailure(.sessionNotActive, "The session is \(session.state.rawValue).")
        }
        return try await end(id, .paused)
    }

    func terminate(_ id: Session.ID) async throws {
        if try await record(id).session.state != .terminated { _ = try await end(id, .terminated) }
    }

    func interrupt(_ id: Session.ID) async throws {
        _ = try await record(id)
        await runs[id]?.interrupt()
    }

    private func end(_ id: Session.ID, _ state: Session.State) async throws -> Session {
        let time = services.now()
        let ended = try await services.commit { transaction, frames -> (SessionRecord?, withdrawn: [PromptRecord]) in
            guard let session = try transaction.session(id)?.session else { return (nil, []) }
            let open = try transaction.openPrompts(of: id)
            for prompt in open { frames += try [transaction.resolve(prompt, .withdrawn, at: time)].compactMap { $0 } }
            frames += try transaction.endTurn(of: session, reason: AgentResult.interrupted, at: time)
            frames += try [transaction.setState(state, .idle, of: id, at: time)].compactMap { $0 }
            return (try transaction.session(id), open)
        }
        guard let session = ended.0?.session else { throw ServiceFailure.noSession }
        for prompt in ended.withdrawn { services.record(prompt, .withdrawn, at: time) }
        if let run = runs[id] {
            await run.stop()
            ending.start { await run.waitUntilEnded() }
        }
        return session
    }

    /// Agents that end in the background. A user does not wait for them.
    private let ending = Endings()

    // MARK: Prompts

    /// Stores a prompt, and hands it to the agent. The same prompt again has no effect.
    func accept(_ message: UserMessage) async throws {
        let time = services.now()
        let id = message.messageId?.rawValue.lowercased() ?? SessionServices.newID()
        let state = try await self.record(message.sessionId).session.state
        // An agent that ended between turns needs a place among the five again.
        let isIdle = await isIdle(message.sessionId)
        let needsPlace = state == .active && isIdle
        if needsPlace { try await reservePlace() }
        defer { if needsPlace { reserved -= 1 } }
        let record = try await services.commit { transaction, frames -> SessionRecord? in
            guard let record = try transaction.session(message.sessionId) else { throw ServiceFailure.noSession }
            let known = try transaction.exists("SELECT 1 FROM user_messages WHERE session = ? AND id = ?", message.sessionId, id)
            if known { return nil }
            guard record.session.state == .active else {
                throw ServiceFailure(.sessionNotActive, "The session is \(record.session.state.rawValue).")
            }
            try transaction.execute("INSERT INTO user_messages (session, id) VALUES (?, ?)", message.sessionId, id)
            let chat = Chat(id: message.messageId?.rawValue ?? id, role: .user, content: message.content, timestamp: time)
            frames.append(try transaction.append(Message(.chat(chat)), to: message.sessionId, at: time))
            if record.session.activity == .idle {
                frames += try [transaction.setState(.active, .working, of: message.sessionId, at: time)].compactMap { $0 }
            }
            return record
        }
        guard let record, let uuid = UUID(uuidString: id) else { return }
        await run(of: record).deliver(message.content, id: uuid)
    }

    /// Stores an answer, records it, and hands it to the agent.
    ///
    /// - Throws: ``ServiceFailure`` `PROMPT_CLOSED`, unless the same phone gave the same answer before; `INVALID_MESSAGE`.
    func answer(_ answer: PromptAnswer, from phone: String, named name: String?) async throws {
        let time = services.now()
        let record = try await services.commit { transaction, frames -> PromptRecord? in
            guard try transaction.session(answer.sessionId) != nil else { throw ServiceFailure.noSession }
            guard let record = try transaction.prompt(answer.promptId, of: answer.sessionId) else {
                throw ServiceFailure(.promptClosed, "There is no such question.")
            }
            if record.outcome != nil {
                if record.phone == phone, record.answer == answer { return nil }
                throw ServiceFailure(.promptClosed, "The question is closed.")
            }
            // `expire` has not come to it yet.
            if let end = record.request.expiresAt, end <= time { throw ServiceFailure(.promptClosed, "The question has expired.") }
            do throws(FieldError) {
                try answer.check(against: record.request.question)
            } catch {
                throw ServiceFailure(error)
            }
            frames += try [transaction.resolve(record, .answered, answer: answer, phone: phone, by: name, at: time)].compactMap {
                $0
            }
            return record
        }
        guard let record else { return }
        let isRecorded = services.record(record, .answered, answer: answer, phone: phone, by: name, at: time)
        guard let run = runs[answer.sessionId] else { return }
        if isRecorded {
            try await run.answered(record, answer)
        } else {
            try await run.deny(record, reason: "The host could not record the decision.")
        }
    }

    /// Closes overdue questions, and reports silent agents. Called once a second.
    func tick() async throws {
        let time = services.now()
        let expired = try await services.commit { transaction, frames -> [PromptRecord] in
            let overdue = try transaction.overduePrompts(at: time)
            for record in overdue { frames += try [transaction.resolve(record, .expired, at: time)].compactMap { $0 } }
            return overdue
        }
        for record in expired {
            services.record(record, .expired, at: time)
            try await runs[record.request.sessionId]?.deny(record, reason: "Nobody answered in time.")
        }
        for run in runs.values { await run.tick(at: time) }
    }

    // MARK: Start and end of the server

    /// Settles what a server left that was killed: questions are withdrawn, turns ended, and active sessions paused.
    func recover() async throws {
        let time = services.now()
        let withdrawn = try await services.commit { transaction, frames -> [PromptRecord] in
            let open = try transaction.openPrompts()
            for record in open { frames += try [transaction.resolve(record, .withdrawn, at: time)].compactMap { $0 } }
            for session in try transaction.liveSessions() where session.state == .active || session.activity != .idle {
                frames += try transaction.endTurn(of: session, reason: AgentResult.interrupted, at: time)
                let state = session.state == .active ? .paused : session.state
                frames += try [transaction.setState(state, .idle, of: session.id, at: time)].compactMap { $0 }
            }
            return open
        }
        for record in withdrawn { services.record(record, .withdrawn, at: time) }
    }

    /// Pauses all sessions, and waits for their agents.
    func close() async {
        for (id, run) in runs {
            do {
                if try await record(id).session.state == .active { _ = try await end(id, .paused) }
                // A crashed session may wait for its restart.
                await run.stop()
                ending.start { await run.waitUntilEnded() }
            } catch {
                services.logger.error(
                    "Could not pause a session", metadata: ["endlesscode.session.id": "\(id)", "error": "\(error)"])
            }
        }
        await ending.wait()
    }

    func prune(_ retention: Retention) async throws {
        let time = services.now()
        try await store.write { try $0.prune(retention, at: time) }
    }

    // MARK: Parts

    /// True if no agent of the session runs or waits for its restart.
    func isIdle(_ id: Session.ID) async -> Bool { await runs[id]?.isRunning != true }

    private func record(_ id: Session.ID) async throws -> SessionRecord {
        guard let record = try await store.read({ try $0.session(id) }) else { throw ServiceFailure.noSession }
        return record
    }

    private func run(of record: SessionRecord) -> SessionRun {
        if let run = runs[record.session.id] { return run }
        let run = SessionRun(record, services)
        runs[record.session.id] = run
        return run
    }

    private func checkProgram() throws {
        do {
            try services.launcher.check()
        } catch {
            throw ServiceFailure(.agentNotFound, "The agent's program was not found.")
        }
    }

    /// Starts that have passed the check, and do not run yet.
    private var reserved = 0

    /// - Throws: ``ServiceFailure`` `SESSION_LIMIT`. Otherwise the caller counts ``reserved`` down once the agent was started.
    private func reservePlace() async throws {
        reserved += 1
        var count = reserved
        for run in runs.values where await run.isRunning { count += 1 }
        guard count <= Limits.runningSessionCount else {
            reserved -= 1
            throw ServiceFailure(.sessionLimit, "\(Limits.runningSessionCount) sessions are running. Pause one first.")
        }
    }
}

/// Work that goes on without a caller, and is waited for at the end.
private final class Endings: Sendable {
    private let tasks = NIOLockedValueBox<[Int: Task<Void, Never>]>([:])

    func start(_ body: @escaping @Sendable () async -> Void) {
        tasks.withLockedValue { tasks in
            let number = (tasks.keys.max() ?? 0) + 1
            // The task takes the lock before it leaves, so its entry exists by then.
            tasks[number] = Task {
                await body()
                self.tasks.withLockedValue { $0[number] = nil }
            }
        }
    }

    func wait() async {
        for task in tasks.withLockedValue({ Array($0.values) }) { await task.value }
    }
}
