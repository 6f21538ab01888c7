import CoreMetrics
import NIOConcurrencyHelpers
import ServerKit
import ServiceLifecycle
import TalkCoWire
import WireKit

/// The sessions with an open conversation, a bounded number of them.
actor LiveSessions {
    struct Limits: Hashable, Sendable {
        /// The maximum number of open conversations.
        var count = 200
        var countForUser = 20
        /// The idle time after which a conversation is closed. Its session stays active in the store.
        var idleTime = Duration.seconds(1800)
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

    /// Adds a session. Over a limit, the one that is idle for the longest time is closed.
    ///
    /// - Throws: ``TalkError`` when none is idle.
    func add(_ session: LiveSession) throws {
        let ofUser = sessions.values.filter { $0.record.user == session.record.user }
        if ofUser.count >= limits.countForUser { try closeOldest(of: ofUser) }
        if sessions.count >= limits.count { try closeOldest(of: Array(sessions.values)) }
        sessions[session.record.id] = session
        record()
    }

    func remove(_ id: Session.ID) {
        sessions[id] = nil
        record()
    }

    private func record() { gauge.record(sessions.count) }

    private func closeOldest(of candidates: [LiveSession]) throws {
        let idle = candidates.map { ($0, $0.activity.withLockedValue { $0 }) }.filter { $0.1.turnCount == 0 }
        guard let oldest = idle.min(by: { $0.1.lastUse < $1.1.lastUse })?.0 else {
            throw TalkError(.unavailable, "Too many conversations are open. Try again later.", retryAfter: .seconds(30))
        }
        close(oldest)
    }

    private func close(_ session: LiveSession) {
        remove(session.record.id)
        Task { if await session.beginClosing() { await session.close(draining: .zero) } }
    }

    /// Closes the conversations that have been idle for too long.
    func closeIdle() {
        let limit = now() - limits.idleTime
        for session in sessions.values {
            let activity = session.activity.withLockedValue { $0 }
            if activity.turnCount == 0, activity.lastUse < limit { close(session) }
        }
    }

    /// Closes all, each after its running turn.
    func closeAll(draining limit: Duration) async {
        let all = Array(sessions.values)
        sessions = [:]
        record()
        await withDiscardingTaskGroup { group in
            for session in all {
                group.addTask { if await session.beginClosing() { await session.close(draining: limit) } }
            }
        }
    }
}

/// Closes all conversations when the server shuts down.
struct LiveSessionsEnd: Service {
    let live: LiveSessions

    func run() async throws {
        try? await gracefulShutdown()
        await live.closeAll(draining: LiveSession.drainTimeout)
    }
}
