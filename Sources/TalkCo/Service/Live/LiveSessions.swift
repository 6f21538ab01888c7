import CoreMetrics
import ServerKit
import ServiceLifecycle
import TalkCoWire
import WireKit

/// The bounded set of sessions with an open conversation.
actor LiveSessions {
    struct Limits: Hashable, Sendable {
        /// Maximum count of open conversations.
        var count = 200
        var countForUser = 20
        /// Maximum count for one network. ``CallerNetwork/machine`` may have ``count``.
        var countForNetwork = 50
        /// Idle timeout of a conversation. Its session stays active in the store.
        var idleTime = Duration.seconds(1800)
        /// Minimum idle time after which a caller from another network may displace a conversation.
        var recentTime: Duration { min(.seconds(300), idleTime) }
    }

    private let limits: Limits
    private let now: @Sendable () -> Timestamp
    private let gauge: Gauge
    private var sessions: [Session.ID: LiveSession] = [:]

    init(_ limits: Limits, metrics: MetricsRegistry, now: @escaping @Sendable () -> Timestamp) {
        self.limits = limits
        self.now = now
        gauge = Gauge(label: "talkco_live_sessions", factory: metrics)
    }

    func find(_ id: Session.ID) -> LiveSession? { sessions[id] }

    /// The sessions with an open conversation.
    var ids: Set<Session.ID> { Set(sessions.keys) }

    /// Adds a session. Over a limit, the longest idle conversation of the same network is closed; if there is none, one of another
    /// network that is not recent.
    ///
    /// - Throws: ``TalkError`` when no conversation may be closed.
    func add(_ session: LiveSession) throws {
        let network = session.record.network
        let ofUser = sessions.values.filter { $0.record.user == session.record.user }
        if ofUser.count >= limits.countForUser {
            try closeOldest(of: ofUser) { $0.record.network == network }
        }
        if network != .machine {
            let ofNetwork = sessions.values.filter { $0.record.network == network }
            if ofNetwork.count >= limits.countForNetwork { try closeOldest(of: ofNetwork) { _ in true } }
        }
        if sessions.count >= limits.count {
            // Callers of this machine cannot be told apart, so none may close the recent conversation of another.
            try closeOldest(of: Array(sessions.values)) { network != .machine && $0.record.network == network }
        }
        sessions[session.record.id] = session
        record()
    }

    /// Adds a session, unless it has an open conversation.
    ///
    /// - Returns: False if the session has an open conversation.
    func addIfAbsent(_ session: LiveSession) throws -> Bool {
        guard sessions[session.record.id] == nil else { return false }
        try add(session)
        return true
    }

    func remove(_ id: Session.ID) {
        sessions[id] = nil
        record()
    }

    private func record() { gauge.record(sessions.count) }

    /// - Parameter isOwn: True for the conversations of the caller's own network, which are closed first, and even when they are recent.
    private func closeOldest(of candidates: [LiveSession], isOwn: (LiveSession) -> Bool) throws {
        let idle = candidates.map { ($0, $0.activity.withLock { $0 }) }.filter { $0.1.turnCount == 0 }
        let own = idle.filter { isOwn($0.0) }
        let recent = now() - limits.recentTime
        guard
            let oldest = own.min(by: { $0.1.lastUse < $1.1.lastUse })
                ?? idle.filter({ $0.1.lastUse < recent }).min(by: { $0.1.lastUse < $1.1.lastUse })
        else {
            throw TalkError(.unavailable, "Too many conversations are open. Try again later.", retryAfter: .seconds(30))
        }
        close(oldest.0)
    }

    private func close(_ session: LiveSession) {
        remove(session.record.id)
        // The conversation that takes its place does not wait for its end.
        Task { if await session.beginClosing() { await session.close(draining: .zero) } }
    }

    /// Closes the conversations that have been idle for too long.
    func closeIdle() {
        let limit = now() - limits.idleTime
        for session in sessions.values {
            let activity = session.activity.withLock { $0 }
            if activity.turnCount == 0, activity.lastUse < limit { close(session) }
        }
    }

    /// Closes the conversations of a learner.
    func closeAll(of user: Learner.ID) async { await closeAll(draining: .zero) { $0.record.user == user } }

    /// Closes the wanted conversations, each after its running turn, or after `limit`.
    func closeAll(draining limit: Duration, where isWanted: (LiveSession) -> Bool = { _ in true }) async {
        let all = sessions.values.filter(isWanted)
        for session in all { sessions[session.record.id] = nil }
        record()
        await withDiscardingTaskGroup { group in
            for session in all {
                group.addTask { if await session.beginClosing() { await session.close(draining: limit) } }
            }
        }
    }
}

/// The service that closes all conversations when the server shuts down.
struct LiveSessionsEnd: Service {
    let live: LiveSessions

    func run() async throws {
        try? await gracefulShutdown()
        await live.closeAll(draining: LiveSession.drainTimeout)
    }
}
