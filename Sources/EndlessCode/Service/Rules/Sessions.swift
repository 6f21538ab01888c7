import EndlessCodeAgents
import EndlessCodeWire
import Foundation
import Logging
import StorageKit
import WireKit

/// The rules of sessions. Beside their states here: reading in `Sessions+Reading.swift`, prompts and answers in `Sessions+Prompts.swift`.
actor Sessions {
    let services: SessionServices
    let projects: any ProjectSource
    private(set) var runs: [Session.ID: SessionRun] = [:]
    private var gates = Gates<Session.ID>()
    private var requests = Gates<RequestID>()
    /// The sessions whose agents are being started, in the order of their requests.
    private var starting: [Session.ID] = []
    private var isEnding = false

    init(_ services: SessionServices, projects: any ProjectSource) { (self.services, self.projects) = (services, projects) }

    var store: Database { services.store }

    // MARK: States

    /// Starts a session. The same request again returns its session.
    func create(_ creation: SessionCreation) async throws -> Session {
        if let request = creation.requestId, !request.isWireIdentifier {
            throw ServiceFailure(.invalidMessage, "requestId is not an identifier.")
        }
        guard let project = try await projects.project(creation.projectId) else { throw ServiceFailure.noProject }
        // A repeat waits for the first one, and takes no place.
        if let request = creation.requestId, !requests.enter(request) {
            await withCheckedContinuation { requests.wait(for: request, $0) }
        }
        defer { if let request = creation.requestId { requests.leave(request) } }
        if let request = creation.requestId, let earlier = try await store.read({ try $0.session(startedBy: request) }) {
            return earlier.session
        }
        try checkProgram()
        let (id, time) = (Session.ID(SessionServices.newID()), services.now())
        try await reservePlace(for: id)
        defer { leavePlace(of: id) }
        await enter(id)
        defer { leave(id) }
        let record = try await services.commit { transaction, events -> SessionRecord in
            try transaction.addSession(
                id, project: project.id, folder: project.path, conversation: nil, request: creation.requestId, at: time)
            events.append(try transaction.logState(.active, .idle, of: id, at: time))
            guard let record = try transaction.session(id) else { throw ServiceFailure.noSession }
            return record
        }
        await run(of: record)?.start()
        return record.session
    }

    /// Starts the agent on the same conversation. An earlier session of the agent becomes one of ours.
    func resume(_ id: Session.ID) async throws -> Session {
        await enter(id)
        defer { leave(id) }
        let earlier: (session: Session, folder: String)?
        if let session = try await store.read({ try $0.session(id) })?.session {
            if session.state == .active { return session }
            earlier = nil
        } else {
            let session = try await earlierSession(id)
            guard let project = try await projects.project(session.projectId) else { throw ServiceFailure.noProject }
            earlier = (session, project.path)
        }
        try checkProgram()
        try await reservePlace(for: id)
        defer { leavePlace(of: id) }
        let time = services.now()
        let resumed = try await services.commit { transaction, events -> SessionRecord? in
            if let earlier {
                try transaction.adopt(earlier.session, folder: earlier.folder, at: time)
                events.append(try transaction.logState(.active, .idle, of: id, at: time))
            } else {
                events += try [transaction.setState(.active, .idle, of: id, at: time)].compactMap { $0 }
            }
            return try transaction.session(id)
        }
        guard let resumed, let run = run(of: resumed) else { throw ServiceFailure.noSession }
        // A crashed one may wait for its restart.
        await run.stop()
        await run.start()
        return resumed.session
    }

    func pause(_ id: Session.ID) async throws -> Session {
        await enter(id)
        defer { leave(id) }
        let session = try await session(id)
        if session.state == .paused { return session }
        guard session.state == .active else { throw ServiceFailure.notActive(session.state) }
        return try await end(id, .paused)
    }

    func terminate(_ id: Session.ID) async throws {
        await enter(id)
        defer { leave(id) }
        if try await session(id).state != .terminated { _ = try await end(id, .terminated) }
    }

    func interrupt(_ id: Session.ID) async throws {
        await enter(id)
        defer { leave(id) }
        _ = try await session(id)
        try await runs[id]?.interrupt()
    }

    /// The caller has passed the gate.
    private func end(_ id: Session.ID, _ state: Session.State) async throws -> Session {
        let time = services.now()
        let ended = try await services.commit { transaction, events -> (SessionRecord?, withdrawn: [PromptRecord]) in
            // A paused session goes on with its prompts.
            if state == .terminated { events += try transaction.giveUpQueue(of: id, at: time) }
            let withdrawn = try transaction.endSession(id, state, at: time, &events)
            return (try transaction.session(id), withdrawn)
        }
        guard let session = ended.0?.session else { throw ServiceFailure.noSession }
        for prompt in ended.withdrawn { services.record(prompt, .withdrawn, at: time) }
        // A user does not wait for the agent's end.
        await runs[id]?.stop()
        return session
    }

    // MARK: Start and end of the server

    /// Ends what a killed server has left open: questions are withdrawn, turns ended, and active sessions paused.
    ///
    /// Before the first call of any other rule, and once no agent of the earlier server runs any more.
    func start() async throws {
        let time = services.now()
        let withdrawn = try await services.commit { transaction, events -> [PromptRecord] in
            var withdrawn: [PromptRecord] = []
            for session in try transaction.liveSessions() where session.state == .active || session.activity != .idle {
                withdrawn += try transaction.endSession(
                    session.id, session.state == .active ? .paused : session.state, at: time, &events)
            }
            for record in try transaction.openPrompts() {
                events += try [transaction.resolve(record, .withdrawn, at: time)].compactMap { $0 }
                withdrawn.append(record)
            }
            return withdrawn
        }
        for record in withdrawn { services.record(record, .withdrawn, at: time) }
    }

    /// Pauses all sessions, and ends their agents. No agent is started any more.
    ///
    /// - Parameter timeout: The time after which agents are killed that do not end by themselves.
    func end(timeout: Duration) async {
        isEnding = true
        let time = services.now()
        // A crashed session whose agent would have been restarted can go on, too.
        var restarting: Set<Session.ID> = []
        for (id, run) in runs { if await run.isRunning { restarting.insert(id) } }
        do {
            let withdrawn = try await services.commit { [restarting] transaction, events -> [PromptRecord] in
                var withdrawn: [PromptRecord] = []
                for session in try transaction.liveSessions()
                where session.state == .active || session.state == .crashed && restarting.contains(session.id) {
                    withdrawn += try transaction.endSession(session.id, .paused, at: time, &events)
                }
                return withdrawn
            }
            for prompt in withdrawn { services.record(prompt, .withdrawn, at: time) }
        } catch {
            services.logger.error("Could not pause the sessions", metadata: ["error": "\(error)"])
        }
        await withDiscardingTaskGroup { tasks in
            // Two steps: SIGTERM, and SIGKILL.
            for run in runs.values { tasks.addTask { await run.close(timeout: timeout / 2) } }
        }
    }

    /// Removes what is too old or too much, and forgets the runs of sessions without an agent.
    func prune(_ retention: Retention) async throws {
        let time = services.now()
        try await store.write { try $0.prune(retention, at: time) }
        while let excess = try await store.read({ try $0.excess(retention) }) {
            try await store.write { try $0.trim(excess.session, by: excess.size) }
        }
        try await store.shrink()
        let active = Set(try await store.read { try $0.liveSessions().filter { $0.state == .active }.map(\.id) })
        for (id, run) in runs where !active.contains(id) {
            await enter(id)
            if await run.hasEnded { runs[id] = nil }
            leave(id)
        }
    }

    // MARK: Parts

    /// True if no agent of the session runs or waits for its restart.
    func isIdle(_ id: Session.ID) async -> Bool { await runs[id]?.isRunning != true }

    /// Waits until no other change of the session is under way. Followed by ``leave(_:)``.
    func enter(_ id: Session.ID) async {
        guard !gates.enter(id) else { return }
        await withCheckedContinuation { gates.wait(for: id, $0) }
    }

    func leave(_ id: Session.ID) { gates.leave(id) }

    /// - Returns: Nil at the end of the server.
    func run(of record: SessionRecord) -> SessionRun? {
        guard !isEnding else { return nil }
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

    /// Takes one of the places for running agents. Followed by ``leavePlace(of:)`` once the agent was started.
    ///
    /// - Parameter id: The session of the agent. Its own agent may still wait for its restart.
    /// - Throws: ``ServiceFailure`` `SESSION_LIMIT`.
    func reservePlace(for id: Session.ID) async throws {
        guard !isEnding else { throw ServiceFailure(.internalError, "The server is ending.") }
        // Those before this one; one that runs by now is counted once.
        var others = Set(starting)
        starting.append(id)
        for (other, run) in runs { if await run.isRunning { others.insert(other) } }
        guard others.subtracting([id]).count < Limits.runningSessionCount else {
            leavePlace(of: id)
            throw ServiceFailure(.sessionLimit, "\(Limits.runningSessionCount) sessions are running. Pause one first.")
        }
    }

    func leavePlace(of id: Session.ID) { if let index = starting.firstIndex(of: id) { starting.remove(at: index) } }
}
