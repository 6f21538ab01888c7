import Foundation
import Logging
import ServerKit
import ServiceLifecycle

/// All trees of a box, and the phones they belong to. Bounded, with a share for each phone and network; the idlest session makes room.
@MainActor
final class Sessions {
    struct Limits: Sendable {
        /// Of all phones. A session of 40 rows takes some 125 KiB (`Docs/Performance.md`), so 512 are some 64 MiB.
        var sessions = 512
        var sessionsPerPhone = 12
        /// Of all phones of a network that no access code was asked of: a visitor can be any number of phones.
        var sessionsPerNetwork = 128
        var phones = 2_000
        /// How long a tree waits for its page to come back.
        var grace: Duration = .seconds(30 * 60)
        /// When a page counts as gone that says nothing.
        var heartbeat = WebSocketUpgrade.Heartbeat()
        /// The clock by which the age of the user's input is measured.
        var now: @Sendable () -> ContinuousClock.Instant = { .now }
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

    /// Shows the tree that `hello` asks for, or a new one, on `connection`.
    ///
    /// - Parameter network: See ``PageSession/network``.
    /// - Returns: nil when there is no room, or the phone was forgotten meanwhile.
    func open(
        _ app: WebApp, phone secret: String, network: String?, hello: Hello, on connection: PageConnection
    ) -> PageSession? {
        guard !isForgotten(secret) else { return nil }
        let phone = phone(secret)
        phones.use(phone, from: connection.address)
        if let token = hello.session, let session = sessions[token], session.app.name == app.name, session.phone === phone {
            session.attach(connection, hello: hello)
            return session
        }
        guard makeRoom(for: phone, network) else { return nil }
        let session = PageSession(app: app, phone: phone, network: network, hello: hello, origin: connection.origin)
        sessions[session.token] = session
        phone.add(session)
        session.attach(connection, hello: hello)
        return session
    }

    func phone(_ secret: String) -> BrowserPhone { phones.phone(secret) { [weak self] in self?.forget($0) } }

    /// Makes room for one more session of `phone` by closing sessions that nobody uses now, and says whether there is some.
    private func makeRoom(for phone: BrowserPhone, _ network: String?) -> Bool {
        while phone.sessions.count >= limits.sessionsPerPhone {
            guard closeIdlest(of: phone.sessions) else { return false }
        }
        while let network, case let others = sessions.values.filter({ $0.network == network }),
            others.count >= limits.sessionsPerNetwork
        {
            guard closeIdlest(of: others) else { return false }
        }
        while sessions.count >= limits.sessions {
            guard closeIdlest(of: Array(sessions.values)) else { return false }
        }
        return true
    }

    /// Closes one session that is not in use: of the owner that has most of these, the one that was used least lately.
    private func closeIdlest(of candidates: [PageSession]) -> Bool {
        let now = ContinuousClock.now
        let counts = Dictionary(candidates.map { (owner(of: $0), 1) }, uniquingKeysWith: +)
        func isBetter(_ one: PageSession, _ other: PageSession) -> Bool {
            let (count, otherCount) = (counts[owner(of: one)] ?? 0, counts[owner(of: other)] ?? 0)
            if count != otherCount { return count > otherCount }
            let (idleness, otherIdleness) = (one.idleness(at: now), other.idleness(at: now))
            return idleness != otherIdleness ? idleness > otherIdleness : one.lastUsed < other.lastUsed
        }
        let idle = candidates.filter { $0.idleness(at: now) != .inFront }
        guard let idlest = idle.min(by: isBetter) else { return false }
        close(idlest, .idle)
        return true
    }

    private func owner(of session: PageSession) -> String { session.network ?? session.phone.identity }

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
    func admit(_ secret: String) async throws { try await phones.admit(secret) }

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
