import Foundation
import StorageKit
import TalkCoWire
import WireKit

/// The life of sessions, from `POST /sessions` to `end`.
struct Sessions: Sendable {
    let store: Database
    let live: LiveSessions
    let services: LiveSession.Services
    let jobs: Jobs
    let talks: TalkLimits
    let hosts: ModelHosts?
    let now: @Sendable () -> Timestamp

    // MARK: Creation

    /// Creates a session and begins to open its conversation.
    ///
    /// - Throws: ``TalkError``.
    func create(_ request: SessionCreation, from network: CallerNetwork) async throws -> CreatedSession {
        let mode = try Self.mode(request.mode)
        let record = SessionRecord(
            id: Session.ID(UUID().uuidString.lowercased()), user: request.userId, topic: try Self.topic(request.topicId, mode),
            mode: mode, status: .active, acceptsChoices: request.accept?.contains(.choices) == true,
            acceptsText: request.accept?.contains(.text) == true, keepsRecordings: request.keepsRecordings == true,
            createdAt: now(), network: network)
        let session = LiveSession(record, services)
        try await live.add(session)
        let name = request.userName?.trimmed(Learner.maximumNameLength)
        let (open, talks) = (await live.ids, talks)
        do {
            try await store.write { transaction in
                _ = try transaction.ensureProfile(of: record.user, name: name?.isEmpty == true ? nil : name, at: record.createdAt)
                try transaction.removeTalks(of: record.user, over: talks.countForUser - 1, keeping: open)
                try transaction.removeTalks(over: talks.size, keeping: open)
                try transaction.insert(record)
                if record.mode == .review { try transaction.chooseCards(for: record.id, of: record.user) }
            }
        } catch {
            await live.remove(record.id)
            throw error
        }
        await session.open()
        return CreatedSession(sessionId: record.id, createdAt: TalkTime(record.createdAt))
    }

    private static func mode(_ text: String?) throws(TalkError) -> Session.Mode {
        guard let text else { return .conversation }
        guard let mode = Session.Mode(rawValue: text) else {
            throw TalkError(.badRequest, "Invalid mode: \(text.trimmed(100))")
        }
        return mode
    }

    private static func topic(_ id: Topic.ID?, _ mode: Session.Mode) throws(TalkError) -> Topic.ID? {
        guard mode == .conversation else { return nil }
        guard let id else { throw TalkError(.badRequest, "topic_id is required for conversation mode") }
        guard Topic.known(id) != nil else { throw TalkError(.badRequest, "Unknown topic_id: \(id.rawValue.trimmed(100))") }
        return id
    }

    // MARK: Turns

    /// - Throws: ``TalkError/sessionNotFound`` for a session without an open conversation.
    func liveSession(_ id: Session.ID) async throws(TalkError) -> LiveSession {
        guard let session = await live.find(id) else { throw .sessionNotFound }
        return session
    }

    /// - Throws: ``TalkError/sessionNotFound`` for an unknown session.
    func checkKnown(_ id: Session.ID) async throws {
        if await live.find(id) == nil { _ = try await store.read { try $0.existingSession(id) } }
    }

    /// Starts a turn, or replays a turn that is running or was answered before.
    ///
    /// - Throws: ``TalkError``; `CancellationError`.
    func answer(_ input: TurnInput, _ turn: Turn.ID?, in id: Session.ID) async throws -> TurnFeed {
        let session = await live.find(id)
        // In this order, because a turn is stored before it stops running.
        if let turn, let feed = await session?.feed(of: turn) { return feed }
        let isLive = session != nil
        let known = try await store.read { transaction -> (turn: TurnRecord, hasChoices: Bool)? in
            if let turn, let known = try transaction.turn(turn, of: id) {
                return (known, try transaction.session(id)?.acceptsChoices == true)
            }
            if isLive { try transaction.checkSize(of: id) }
            return nil
        }
        if let known { return TurnFeed(replaying: known.turn, withChoices: known.hasChoices) }
        guard let session else { throw TalkError.sessionNotFound }
        try await session.prepareTurn()
        return try await session.add(input, turn)
    }

    /// Reopens the conversation of a session, which was closed while idle or by a restart.
    ///
    /// - Throws: ``TalkError/sessionNotFound`` for a session that is over.
    func resume(_ id: Session.ID, _ request: ResumeRequest) async throws -> ResumedSession {
        if await live.find(id) == nil {
            var record = try await store.read { try $0.existingSession(id) }
            guard record.status == .active else { throw TalkError.sessionNotFound }
            record.acceptsText = request.accept?.contains(.text) == true
            let session = LiveSession(record, services, isGreeted: true)
            // Another call may have been faster.
            if try await live.addIfAbsent(session) { await session.open() }
        }
        return ResumedSession(sessionId: id)
    }

    // MARK: Ending

    /// Deletes all data of a learner: talks, reviews, recordings and the profile.
    func deleteLearner(_ user: Learner.ID) async throws -> DeletedLearner {
        // In a task of its own: the client may disconnect.
        try await Task {
            await live.closeAll(of: user)
            await hosts?.remove(user)
            while try await store.write({ try $0.removeLearner(user) }) {}
            try await store.shrink()
        }.value
        return DeletedLearner(userId: user)
    }

    /// Closes the conversation; its review, or its outcome, is then written in the background.
    ///
    /// - Throws: ``TalkError/sessionNotFound``, also for a session that is closed already.
    func close(_ id: Session.ID) async throws -> ClosedSession {
        // In a task of its own: the client may disconnect.
        try await Task { try await closed(id) }.value
    }

    private func closed(_ id: Session.ID) async throws -> ClosedSession {
        if let session = await live.find(id) {
            guard await session.beginClosing() else { throw TalkError.sessionNotFound }
            await session.close(draining: LiveSession.drainTimeout)
        }
        let (time, jobs) = (now(), jobs)
        let result: Result<ClosedSession, any Error>
        do {
            result = .success(
                try await store.write { transaction in
                    let session = try transaction.existingSession(id)
                    let status = session.mode == .conversation ? Session.Status.reviewing : .ended
                    guard try transaction.advance(id, from: .active, to: status) else { throw TalkError.sessionNotFound }
                    try transaction.execute("UPDATE sessions SET closed_at = ? WHERE id = ?", time, id)
                    if session.mode == .conversation {
                        try transaction.addJob(.marks, of: id)
                    } else if try transaction.hasSegments(id) {
                        try transaction.storePractice(of: id, at: time)
                        try transaction.addJob(.outcome, of: id)
                    }
                    transaction.onCommit { jobs.start(id, from: session.network) }
                    return ClosedSession(sessionId: id, status: status, mode: session.mode)
                })
        } catch {
            result = .failure(error)
        }
        await live.remove(id)
        return try result.get()
    }

    /// Ends the review: summary and profile are then written in the background.
    ///
    /// - Throws: ``TalkError``.
    func end(_ id: Session.ID) async throws -> EndedSession {
        let jobs = jobs
        return try await store.write { transaction in
            let session = try transaction.existingSession(id)
            switch session.status {
            case .active: throw TalkError(.conflict, "Session is still active")
            case .completed, .ended: throw TalkError(.badRequest, "Session already completed")
            case .completing: return EndedSession(sessionId: id, status: .completing)
            case .reviewing, .reviewed: break
            }
            let next = try transaction.hasSegments(id) ? Session.Status.completing : .completed
            guard try transaction.advance(id, from: session.status, to: next) else { throw TalkError.sessionNotFound }
            try transaction.dropRecordings(of: id)
            if next == .completing {
                for kind in [Job.Kind.summary, .talkSummary, .profile] { try transaction.addJob(kind, of: id) }
                transaction.onCommit { jobs.start(id, from: session.network) }
            }
            return EndedSession(sessionId: id, status: next)
        }
    }
}
