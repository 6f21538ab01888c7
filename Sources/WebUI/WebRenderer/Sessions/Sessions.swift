import Foundation
import Logging
import ServerKit
import ServiceLifecycle

/// The sessions and phones of a box. Bounded in total, for each phone and for each network: at a limit an idle session is closed.
@MainActor
final class Sessions {
    struct Limits: Sendable {
        /// Maximum sessions. A session of 40 rows takes some 125 KiB (`Docs/Performance.md`), so 512 take some 64 MiB.
        var sessions = 512
        var sessionsPerPhone = 12
        /// Maximum sessions from one network without the access code, since a visitor can create any number of phones.
        var sessionsPerNetwork = 128
        var phones = 2_000
        /// The retention of a session whose page is disconnected.
        var grace: Duration = .seconds(30 * 60)
        /// The heartbeat of page connections.
        var heartbeat = WebSocketUpgrade.Heartbeat()
        /// The clock that measures the age of the user's input.
        var now: @Sendable () -> ContinuousClock.Instant = { .now }
    }

    let limits: Limits
    nonisolated let pulse = BoxPulse()
    private let phones: Phones
    private var sessions: [String: PageSession] = [:]

    nonisolated init(folder: URL, key: PhoneKey, limits: Limits = Limits(), logger: Logger) {
        self.limits = limits
        phones = Phones(folder: folder, key: key, limit: limits.phones, logger: logger)
    }

    var count: Int { sessions.count }
    var attachedCount: Int { sessions.values.count(where: \.isAttached) }

    /// Attaches `connection` to the session that `hello` names, or to a new one.
    ///
    /// - Parameter network: See ``PageSession/network``.
    /// - Returns: nil when there is no room, or the phone was deleted.
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

    /// Closes unused sessions until there is room for one more session of `phone`.
    ///
    /// - Returns: True if there is room.
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

    /// Closes one unused session: of the owner with the most sessions, the most idle one, or the least recently used of equal ones.
    ///
    /// - Returns: True if a session was closed.
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

    /// Closes detached sessions after the grace period.
    func closeExpired(at now: ContinuousClock.Instant = .now) {
        for session in sessions.values where !session.isAttached && session.lastUsed + limits.grace <= now { close(session, nil) }
        phones.closeUnused()
    }

    /// Closes all sessions of a phone and deletes its data.
    private func forget(_ phone: BrowserPhone) {
        for session in phone.sessions { close(session, .forgotten) }
        phones.forget(phone)
    }

    func forget(secret: String) { forget(phones.phone(secret) { _ in }) }

    func isForgotten(_ secret: String) -> Bool { phones.isForgotten(secret) }

    /// Returns whether a phone was admitted with the access code and not deleted since.
    func isAdmitted(_ secret: String) -> Bool { phones.isAdmitted(secret) }

    /// - Throws: An error if the phone's folder cannot be created.
    func admit(_ secret: String) async throws { try await phones.admit(secret) }

    func closeAll() {
        for session in sessions.values { close(session, nil) }
    }
}

/// A service that closes expired sessions every 30 s, and drives the pulse of the box.
struct SessionSweeper: Service {
    let sessions: Sessions

    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let beats: Void = beat()
            while (try? await Task.sleep(for: .seconds(30))) != nil { await sessions.closeExpired() }
            await beats
        }
    }

    @concurrent private func beat() async {
        repeat { sessions.pulse.beat(at: sessions.limits.now()) } while (try? await Task.sleep(for: BoxPulse.interval)) != nil
    }
}
