import Foundation
import Logging
import ServerKit
import ServiceLifecycle

/// All trees of a box, and the phones they belong to. Bounded: who has not been seen for longest goes first.
@MainActor
final class Sessions {
    struct Limits: Sendable {
        /// Of all phones. A session of 40 rows takes some 125 KiB (`Docs/Performance.md`), so 512 are some 64 MiB.
        var sessions = 512
        var sessionsPerPhone = 12
        var phones = 2_000
        /// How long a tree waits for its page to come back.
        var grace: Duration = .seconds(30 * 60)
        /// When a page counts as gone that says nothing.
        var heartbeat = WebSocketUpgrade.Heartbeat()
    }

    let limits: Limits
    private let phones: Phones
    private var sessions: [String: PageSession] = [:]

    nonisolated init(folder: URL, limits: Limits = Limits(), logger: Logger) {
        self.limits = limits
        phones = Phones(folder: folder, limit: limits.phones, logger: logger)
    }

    var count: Int { sessions.count }
    var attachedCount: Int { sessions.values.count(where: \.isAttached) }

    /// Shows the tree that `hello` asks for, or a new one, on `connection`. Nil when there is no room, or the phone was forgotten meanwhile.
    func open(_ app: WebApp, phone secret: String, hello: Hello, on connection: PageConnection) -> PageSession? {
        guard !isForgotten(secret) else { return nil }
        let phone = phones.phone(secret) { [weak self] in self?.forget($0) }
        phones.use(phone)
        if let token = hello.session, let session = sessions[token], session.app.name == app.name, session.phone === phone {
            session.attach(connection, hello: hello)
            return session
        }
        guard makeRoom(for: phone) else { return nil }
        let session = PageSession(app: app, phone: phone, hello: hello, origin: connection.origin)
        sessions[session.token] = session
        phone.add(session)
        session.attach(connection, hello: hello)
        return session
    }

    /// Whether there is room for one more; closes those that wait for a page that may never come, oldest first.
    private func makeRoom(for phone: BrowserPhone) -> Bool {
        while phone.sessions.count >= limits.sessionsPerPhone {
            guard let idle = oldestIdle(in: phone.sessions) else { return false }
            close(idle, nil)
        }
        while sessions.count >= limits.sessions {
            guard let idle = oldestIdle(in: Array(sessions.values)) else { return false }
            close(idle, nil)
        }
        return true
    }

    private func oldestIdle(in sessions: [PageSession]) -> PageSession? {
        sessions.filter { !$0.isAttached }.min { $0.lastUsed < $1.lastUsed }
    }

    private func close(_ session: PageSession, _ reason: Gone?) {
        sessions[session.token] = nil
        session.phone.remove(session)
        session.close(reason)
    }

    /// Closes what has waited for longer than the grace time.
    func closeExpired(at now: ContinuousClock.Instant = .now) {
        for session in sessions.values where !session.isAttached && session.lastUsed + limits.grace <= now { close(session, nil) }
        phones.closeUnused()
    }

    /// Ends everything of a phone, and removes what is kept of it.
    private func forget(_ phone: BrowserPhone) {
        for session in phone.sessions { close(session, .forgotten) }
        phones.forget(phone)
    }

    func forget(secret: String) { forget(phones.phone(secret) { _ in }) }

    func isForgotten(_ secret: String) -> Bool { phones.isForgotten(secret) }

    /// Whether this secret was let in with the access code, and not forgotten since.
    func isAdmitted(_ secret: String) -> Bool { phones.isAdmitted(secret) }

    /// - Throws: When its folder cannot be made.
    func admit(_ secret: String) throws { try phones.admit(secret) }

    func closeAll() {
        for session in sessions.values { close(session, nil) }
    }
}

/// Closes expired sessions now and then, and all of them at the end.
struct SessionSweeper: Service {
    let sessions: Sessions

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: .seconds(30))) != nil { await sessions.closeExpired() }
        }
    }
}
