import ClientKit
package import EndlessCodeWire
import Foundation
import NetworkingKit
import PlatformKit
import WireKit

extension AgentClient {
    // MARK: Projects

    /// Fetches the projects. For pull to refresh, and when the list appears.
    package func refreshProjects() async {
        reconnectForUser()
        await fetchProjects()
    }

    /// Fetches the projects and the sessions that are not terminated. For pull to refresh.
    package func refreshLiveSessions() async {
        await refreshProjects()
        guard let live = try? await call({ try await $0.sessions() }) else { return }
        for session in live { note(session) }
        contentDidChange()
    }

    func fetchProjects() async {
        projectsPhase = .loading
        do throws(CodeProblem) {
            let fetched = try await call { try await $0.projects() }
            var ids: Set<Project.ID> = []
            projects = fetched.filter { $0.id.isWireIdentifier && ids.insert($0.id).inserted }
            projectsPhase = .loaded
            contentDidChange()
        } catch {
            projectsPhase = .failed(error)
        }
    }

    package func project(_ id: Project.ID) -> Project? { projects.first { $0.id == id } }

    // MARK: Sessions

    /// Returns the sessions of a project, the latest activity first.
    package func sessions(of project: Project.ID) -> [Session] { latestFirst(sessions.values.filter { $0.projectId == project }) }

    /// The sessions that are not terminated, of all projects, the latest activity first.
    package var liveSessions: [Session] { latestFirst(sessions.values.filter { $0.state != .terminated }) }

    private func latestFirst(_ sessions: [Session]) -> [Session] {
        sessions.sorted { ($0.lastActiveAt, $0.id.rawValue) > ($1.lastActiveAt, $1.id.rawValue) }
    }

    package func sessionsPhase(of project: Project.ID) -> LoadPhase { sessionPhases[project] ?? .idle }

    /// Fetches the sessions of a project, with the agent's earlier ones.
    package func refreshSessions(of project: Project.ID) async {
        reconnectForUser()
        await fetchSessions(of: project)
    }

    func fetchSessions(of project: Project.ID) async {
        sessionPhases[project] = .loading
        // Sessions that begin during the call are not removed.
        let known = sessions.values.filter { $0.projectId == project }.map(\.id)
        do throws(CodeProblem) {
            let fetched = try await call { try await $0.sessions(of: project) }
            let ids = Set(fetched.map(\.id))
            for id in known where !ids.contains(id) { sessions[id] = nil }
            for session in fetched { note(session) }
            sessionPhases[project] = .loaded
            contentDidChange()
        } catch {
            sessionPhases[project] = .failed(error)
        }
    }

    /// Applies a session that a call has returned, unless an event has reported a newer state.
    func note(_ session: Session) {
        guard session.id.isWireIdentifier else { return }
        if let known = sessions[session.id], known.lastSeq > session.lastSeq { return }
        sessions[session.id] = session
        if session.state == .active { noteActive(session.id) }
    }

    /// Records that a session is active, and sends the prompts that it refused before.
    func noteActive(_ id: Session.ID) {
        activeReports[id, default: 0] += 1
        sendSuspended()
    }

    /// Starts a session in a project.
    ///
    /// - Throws: ``CodeProblem``: `server(SESSION_LIMIT)`, `server(CLI_NOT_FOUND)`, `network` …
    package func startSession(in project: Project.ID) async throws(CodeProblem) -> Session.ID {
        // With the same idempotency key, a retry after a lost reply returns the same session.
        let creation = SessionCreation(projectId: project, requestId: RequestID(UUID().uuidString.lowercased()))
        let session = try await repeated { try await $0.create(creation) }
        note(session)
        contentDidChange()
        return session.id
    }

    /// Resumes a paused, terminated or crashed session. Prompts that it refused are sent again.
    ///
    /// - Throws: ``CodeProblem``, as ``startSession(in:)``.
    package func resume(_ id: Session.ID) async throws(CodeProblem) {
        note(try await repeated { try await $0.resume(id) })
        conversations[id]?.error = nil
    }

    /// - Throws: ``CodeProblem``.
    package func pause(_ id: Session.ID) async throws(CodeProblem) { note(try await repeated { try await $0.pause(id) }) }

    /// Ends a session. Its history stays.
    ///
    /// - Throws: ``CodeProblem``.
    package func terminate(_ id: Session.ID) async throws(CodeProblem) {
        try await repeated { try await $0.terminate(id) }
        sessions[id]?.state = .terminated
        sessions[id]?.activity = .idle
        contentDidChange()
    }

    /// Ends the running turn, not the session: Stop. A failure is an ``alert``.
    package func stop(_ id: Session.ID) {
        guard status == .connected else { return alert = .notConnected }
        expectations.append(Expectation(session: id, what: .stop))
        trimExpectations()
        engine.enqueue(.sessionControl(SessionControl(.interrupt, sessionId: id)))
    }

    // MARK: Conversations

    /// Returns the conversation of a session; the same object each time.
    package func conversation(_ id: Session.ID) -> Conversation {
        if let known = conversations[id] { return known }
        let conversation = Conversation(id, self, draft: savedDraft(of: id))
        conversations[id] = conversation
        conversation.setOutgoing(outgoing(of: id))
        return conversation
    }

    /// Fetches the newest messages of a conversation, unless the connection brought them. Call it when the conversation appears.
    package func open(_ conversation: Conversation) async {
        conversation.wasOpened = true
        removeNotification(of: conversation.id)
        let hasAll = conversation.isCurrent && (!conversation.log.isEmpty || !conversation.hasEarlier)
        guard !hasAll || status != .connected else { return conversation.phase = .loaded }
        guard conversation.phase != .loading else { return }
        conversation.phase = .loading
        let id = conversation.id
        do throws(CodeProblem) {
            // Fetched before the page, so that the page has every message up to the session's `lastSeq`.
            let session = try await call { try await $0.session(id) }
            let page = try await call { try await $0.history(of: id, before: nil) }
            note(session)
            receive(page, of: conversation, session)
            conversation.phase = .loaded
        } catch {
            conversation.phase = .failed(error)
        }
    }

    private func receive(_ page: HistoryPage, of conversation: Conversation, _ session: Session) {
        let id = conversation.id
        let messages = page.messages.filter { $0.seq > 0 }
        // False for a log of an earlier server, and for a log with a gap before this page.
        let isConnected = messages.first.map { first in conversation.log.contains { $0.seq >= first.seq } } ?? true
        if isConnected, cursors[id] ?? 0 <= session.lastSeq || conversation.isCurrent {
            conversation.merge(messages)
            if conversation.log.first?.seq == messages.first?.seq { conversation.hasEarlier = page.hasMore }
        } else {
            // The messages that this connection has brought since the call.
            let cursor = isSynced ? cursors[id] ?? 0 : 0
            let newer = conversation.log.filter { $0.seq > session.lastSeq && $0.seq <= cursor }
            conversation.reset(messages, hasEarlier: page.hasMore)
            conversation.merge(newer)
            if !isSynced { cursors[id] = nil }
        }
        if isSynced {
            // A cursor of the line stays, because the call may have overtaken events that are not messages.
            if cursors[id] == nil { cursors[id] = session.lastSeq }
            conversation.isCurrent = true
        }
        confirmFromLogs()
        threadDidChange(conversation)
    }

    /// Fetches the page of messages before the oldest one. No effect during a fetch, or without earlier messages.
    package func loadEarlier(_ conversation: Conversation) async {
        guard conversation.hasEarlier, conversation.earlierPhase != .loading, let oldest = conversation.log.first?.seq else {
            return
        }
        conversation.earlierPhase = .loading
        let id = conversation.id
        do throws(CodeProblem) {
            let page = try await call { try await $0.history(of: id, before: oldest) }
            // The log was replaced meanwhile.
            guard conversation.log.first?.seq == oldest else { return conversation.earlierPhase = .idle }
            conversation.hasLoadedEarlier = true
            conversation.hasEarlier = page.hasMore && !page.messages.isEmpty
            conversation.merge(page.messages.filter { $0.seq > 0 && $0.seq < oldest })
            conversation.earlierPhase = .loaded
        } catch {
            conversation.earlierPhase = .failed(error)
        }
    }

    /// Fetches the whole messages of an entry whose texts were cut, and replaces the cut ones.
    ///
    /// - Throws: ``CodeProblem``.
    package func loadWhole(_ entry: ChatEntry, of conversation: Conversation) async throws(CodeProblem) {
        let id = conversation.id
        for seq in entry.cutSeqs {
            var whole = try await call { try await $0.message(seq, of: id) }
            whole.message.isLarge = false
            guard whole.seq == seq else { throw .notAServer }
            conversation.replace(whole)
        }
    }

    // MARK: Calls

    /// Connects again when the user asks for something after ten failed attempts.
    private func reconnectForUser() { if hold == .gaveUp { reconnect() } }

    /// Calls the current server.
    ///
    /// - Throws: ``CodeProblem``; `elsewhere` if another server is in use when the reply comes.
    func call<Value: Sendable>(
        _ body: @escaping @Sendable @concurrent (ServerAPI) async throws -> Value
    ) async throws(CodeProblem) -> Value {
        let server = current
        let api = try await api()
        let value: Value
        do {
            value = try await body(api)
        } catch {
            throw CodeProblem(error)
        }
        guard server == current else { throw .elsewhere }
        return value
    }

    /// Makes a call, and repeats it once if its reply was lost.
    private func repeated<Value: Sendable>(
        _ body: @escaping @Sendable @concurrent (ServerAPI) async throws -> Value
    ) async throws(CodeProblem) -> Value {
        do throws(CodeProblem) {
            return try await call(body)
        } catch {
            guard error == .network else { throw error }
            return try await call(body)
        }
    }

    /// Returns the calls of the current server.
    ///
    /// - Throws: ``CodeProblem`` if the token must not be sent.
    private func api() async throws(CodeProblem) -> ServerAPI {
        guard let access = engine.identity else { throw .noServer }
        switch hold {
        case nil, .gaveUp: break
        case .tokenMissing: throw .tokenMissing
        case .tokenRefused: throw .tokenRefused
        case .notAllowed(let address): throw .notAllowed(address)
        case .certificateChanged(let expected, let found): throw .certificateChanged(expected: expected, found: found)
        default: throw .notConnected
        }
        guard let token = access.server.token else { throw .tokenMissing }
        guard access.server.isProtected, !needsCellularConsent else { throw .notConnected }
        try await network.check(access.server.address)
        return ServerAPI(service: access.service, token: token, clock: phone.clock)
    }
}
