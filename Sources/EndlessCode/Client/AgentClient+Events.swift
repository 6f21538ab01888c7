package import ClientKit
package import EndlessCodeWire
import Foundation
import NetworkingKit
import WireKit

/// Handling of the server's events. Each event of a session is applied once, in order.
extension AgentClient {
    /// Maximum sessions in memory, more than a genuine server has.
    private static let sessionLimit = 5000
    private static let promptLimit = 1000
    private static let closedLimit = 1000

    /// A missing event, which the next connection replays.
    private struct MissingEvent: Error {}

    package nonisolated static func position(of message: ServerFrame) -> LogPosition { .none }
    package func acknowledgement(of number: Int64) -> ClientFrame? { nil }

    package func received(_ frame: ServerFrame) throws {
        if let position = frame.position {
            guard try advance(position.sessionId, to: position.seq) else { return }
        }
        switch frame {
        case .sync(let sync): apply(sync)
        case .output(let output): apply(output)
        case .promptUpdate(let output): update(output)
        case .sessionState(let change): apply(change)
        case .promptRequest(let request): apply(request)
        case .promptResolved(let resolved): apply(resolved)
        case .error(let error): apply(error)
        case .gap(let gap): apply(gap)
        case .promptAccepted(let accepted):
            confirmations[accepted.messageId.rawValue]?.yield(.accepted(accepted.position ?? 0))
        case .unknown: break
        }
    }

    /// Advances the cursor of a session.
    ///
    /// - Returns: False for an event that was applied before, an invalid id or number, and a session beyond the limit.
    /// - Throws: ``MissingEvent``, once for each missing event.
    private func advance(_ id: Session.ID, to seq: Int64) throws -> Bool {
        guard id.isWireIdentifier, seq > 0 else { return false }
        if let cursor = cursors[id] {
            if seq <= cursor { return false }
            // Thrown once only: a server that has lost the event would send the same events again.
            if seq - 1 > cursor, tolerated[id] != cursor {
                tolerated[id] = cursor
                throw MissingEvent()
            }
        }
        guard cursors[id] != nil || cursors.count < Self.sessionLimit else { return false }
        cursors[id] = seq
        isNew = seq > sessions[id]?.lastSeq ?? 0
        isMissedBySync = seq > syncedSeqs[id] ?? 0
        if sessions[id] == nil { learn(id) }
        if isNew { sessions[id]?.lastSeq = seq }
        if let conversation = conversations[id] { threadDidChange(conversation) }
        return true
    }

    /// Fetches a session that another phone has started.
    private func learn(_ id: Session.ID) {
        engine.tasks.request("session \(id)") {
            guard self.sessions[id] == nil, let session = try? await self.call({ try await $0.session(id) }) else { return }
            self.note(session)
        }
    }

    // MARK: Initial state

    private func apply(_ sync: Sync) {
        let live = sync.sessions.filter { $0.id.isWireIdentifier }.prefix(Self.sessionLimit)
        let liveIDs = Set(live.map(\.id))
        for session in sessions.values where session.state != .terminated && !liveIDs.contains(session.id) {
            sessions[session.id]?.state = .terminated
            sessions[session.id]?.activity = .idle
        }
        syncedSeqs = Dictionary(live.map { ($0.id, $0.lastSeq) }, uniquingKeysWith: { $1 })
        let recent = Dictionary(grouping: sync.recentMessages, by: { $0.sessionId ?? Session.ID("") })
        for session in live {
            sessions[session.id] = session
            let isReplayed = queried.contains(session.id)
            // The server has another event log than the one that the phone knows.
            let isAnother = isReplayed && (cursors[session.id] ?? 0) > session.lastSeq
            if isReplayed, !isAnother { continue }
            cursors[session.id] = isAnother ? 0 : session.lastSeq
            let messages = isAnother ? [] : recent[session.id] ?? []
            let conversation = conversation(session.id)
            conversation.reset(messages, hasEarlier: messages.count < session.messageCount)
            conversation.isCurrent = isAnother || !messages.isEmpty || session.messageCount == 0
            conversation.phase = .idle
            threadDidChange(conversation)
        }
        for conversation in conversations.values {
            conversation.dropPartials()
            guard !liveIDs.contains(conversation.id), !queried.contains(conversation.id) else { continue }
            // The conversation may have missed events.
            conversation.isCurrent = false
            cursors[conversation.id] = nil
        }
        apply(sync.prompts ?? [])
        for session in live where session.state == .active { noteActive(session.id) }
        isSynced = true
        contentDidChange()
        if engine.isInFront { engine.enqueue(.presence(isActive: true)) }
        confirmFromLogs()
        refreshAfterSync()
    }

    /// Fetches the content that `sync` does not have.
    private func refreshAfterSync() {
        engine.tasks.request("projects") { await self.fetchProjects() }
        for conversation in conversations.values where conversation.wasOpened && !conversation.isCurrent {
            engine.tasks.request("open \(conversation.id)") { await self.open(conversation) }
        }
        for (project, phase) in sessionPhases where phase != .idle {
            engine.tasks.request("sessions \(project)") { await self.fetchSessions(of: project) }
        }
        registration.update()
    }

    /// Replaces the open questions by those of `sync`.
    private func apply(_ requests: [PromptRequest]) {
        let before = Dictionary(prompts.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var ids: Set<PromptRequest.ID> = []
        let open = requests.filter {
            $0.sessionId.isWireIdentifier && $0.promptId.isWireIdentifier && ids.insert($0.promptId).inserted
        }.prefix(Self.promptLimit)
        prompts = open.map { request in
            conversation(request.sessionId).note(request)
            var prompt = before[request.promptId] ?? OpenPrompt(request)
            prompt.request = request
            return prompt
        }
        // Questions that were closed meanwhile may be replayed as events.
        closedBefore.formUnion(Set(before.keys).subtracting(prompts.map(\.id)))
        if closedBefore.count > Self.closedLimit { closedBefore = [] }
        // Sends answers again that were not confirmed before the connection broke.
        for prompt in prompts {
            if let answer = prompt.answer { write(answer) }
        }
    }

    // MARK: Events

    private func apply(_ output: Output) {
        let id = output.sessionId
        guard id.isWireIdentifier else { return }
        guard let seq = output.seq else {
            guard case .chat(let chat) = output.message.content, sessions[id] != nil || conversations[id] != nil else { return }
            return conversation(id).receive(chat, parent: output.message.parentToolUseId)
        }
        let conversation = conversation(id)
        if conversation.log.isEmpty, !conversation.isCurrent, cursors[id] == 1 { conversation.isCurrent = true }
        conversation.merge([LoggedMessage(seq: seq, output.message)])
        if conversation.error?.code == .agentSilent { conversation.error = nil }
        if case .chat(let chat) = output.message.content, chat.role == .user {
            confirmations[chat.id]?.yield(.accepted(seq))
            if conversation.error != nil { conversation.error = nil }
        }
        if isMissedBySync, case .result(let result) = output.message.content { finished[id] = result }
        // `sync` or a call has already counted older messages.
        guard isNew else { return }
        if let count = sessions[id]?.messageCount, count < Int.max { sessions[id]?.messageCount = count + 1 }
        if let last = sessions[id]?.lastActiveAt, output.timestamp > last { sessions[id]?.lastActiveAt = output.timestamp }
        contentDidChange()
    }

    /// Applies a new delivery of a prompt, a message that is already counted.
    private func update(_ output: Output) {
        guard output.sessionId.isWireIdentifier, let seq = output.seq, case .chat(let chat) = output.message.content else { return }
        conversation(output.sessionId).update(LoggedMessage(seq: seq, output.message))
        confirmations[chat.id]?.yield(.accepted(seq))
        contentDidChange()
    }

    private func apply(_ change: SessionStateChange) {
        let id = change.sessionId
        if change.activity == .idle { expectations.removeAll { $0.session == id && $0.what == .stop } }
        // Notifies only when the agent is idle: another turn or the work of sub-agents may follow.
        if isMissedBySync, change.activity ?? .idle == .idle, let result = finished.removeValue(forKey: id) {
            notifyFinished(id, result)
        }
        guard isNew, var session = sessions[id] else { return }
        session.state = change.state
        if let activity = change.activity { session.activity = activity }
        session.permissionMode = change.permissionMode ?? session.permissionMode
        sessions[id] = session
        if session.state == .active { noteActive(id) }
        if session.activity == .idle { conversations[id]?.dropPartials() }
        if let error = change.error {
            conversation(id).error = SocketError(.agentCrashed, String(error.prefix(10_000)), sessionId: id)
        }
        contentDidChange()
    }

    private func apply(_ request: PromptRequest) {
        guard request.promptId.isWireIdentifier else { return }
        conversation(request.sessionId).note(request)
        guard !prompts.contains(where: { $0.id == request.promptId }), !closedBefore.contains(request.promptId),
            isMissedBySync, prompts.count < Self.promptLimit
        else { return }
        prompts.append(OpenPrompt(request))
        notifyAsked(request)
    }

    private func apply(_ resolved: PromptResolved) {
        let id = resolved.promptId
        let own = prompts.first { $0.id == id }?.answer
        prompts.removeAll { $0.id == id }
        expectations.removeAll { $0.what == .answer(id) }
        closedBefore.insert(id)
        let isOwn =
            resolved.outcome == .answered && own.map { $0.selectedOptions == resolved.selectedOptions ?? [] } ?? false
            && (resolved.by == nil || resolved.by == phoneNameToSend)
        conversation(resolved.sessionId).note(
            ClosedPrompt(
                outcome: resolved.outcome, selectedOptions: resolved.selectedOptions ?? [], customInput: resolved.customInput,
                by: resolved.by, isOwn: isOwn, isAllowed: resolved.allows), of: id)
        if prompts(of: resolved.sessionId).isEmpty { removeNotification(of: resolved.sessionId) }
    }

    /// Applies a gap in the replay. The history has the messages of the missing events.
    private func apply(_ gap: Gap) {
        guard gap.sessionId.isWireIdentifier, gap.to > cursors[gap.sessionId] ?? 0, gap.from <= gap.to else { return }
        cursors[gap.sessionId] = gap.to
        let conversation = conversation(gap.sessionId)
        conversation.reset([], hasEarlier: true)
        conversation.isCurrent = true
        threadDidChange(conversation)
        if conversation.wasOpened {
            engine.tasks.request("open \(conversation.id)") { await self.open(conversation) }
        }
    }

    // MARK: Errors

    private func apply(_ error: SocketError) {
        var error = error
        error.message = String(error.message.prefix(10_000))
        let problem = CodeProblem.server(error.code, error.message)
        switch error.code {
        case .agentCrashed, .agentSilent, .parseError:
            guard let id = error.sessionId, id.isWireIdentifier else { return alert = problem }
            let conversation = conversation(id)
            // The reason of a crash stays until the session is resumed.
            if error.code == .agentCrashed || conversation.error?.code != .agentCrashed { conversation.error = error }
        case .tokenExpired, .authFailed: self.problem = .tokenRefused
        default:
            guard let expectation = takeExpectation(for: error) else {
                // The server has already reported that the question is closed.
                if error.code != .promptClosed { alert = problem }
                return
            }
            switch expectation.what {
            case .prompt(let id): confirmations[id]?.yield(.refused(problem))
            case .answer(let id):
                guard let index = prompts.firstIndex(where: { $0.id == id }) else { return }
                (prompts[index].answer, prompts[index].problem) = (nil, problem)
            case .stop: alert = problem
            }
        }
    }

    /// Removes and returns the expectation that an error answers. Errors name no frame, but arrive in the order of the frames.
    private func takeExpectation(for error: SocketError) -> Expectation? {
        let index = expectations.firstIndex { expectation in
            if let session = error.sessionId, session != expectation.session { return false }
            switch (error.code, expectation.what) {
            case (.sessionNotActive, .prompt), (.sessionLimit, .prompt), (.agentNotFound, .prompt), (.promptClosed, .answer):
                return true
            case (.sessionNotActive, _), (.sessionLimit, _), (.agentNotFound, _), (.promptClosed, _): return false
            default: return true
            }
        }
        return index.map { expectations.remove(at: $0) }
    }
}

/// A frame of this phone that the server confirms by an event, or refuses by an error.
struct Expectation {
    enum Subject: Equatable {
        case prompt(OutgoingPrompt.ID)
        case answer(PromptRequest.ID)
        case stop
    }

    var session: Session.ID
    var what: Subject
}
