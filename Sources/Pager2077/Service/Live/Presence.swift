import CoreMetrics
import Logging
import Pager2077Wire
import ServerKit
import ServiceLifecycle
import WireKit

/// The users with an open live socket, and the time when others lost theirs.
///
/// A user who has opened a live socket is set offline 45 s after losing it: phones go to sleep without closing it. That also holds over a
/// restart of the service: every user who was online by a live socket gets 45 s to reconnect.
final class Presence: Service {
    static let grace: Duration = .seconds(45)
    /// Maximum open sockets of one user. A further socket replaces the oldest.
    static let maximumSockets = 8

    /// One open socket.
    struct Entry: Sendable {
        fileprivate var user: User.ID
        fileprivate var number: Int
    }

    private struct Socket {
        var number: Int
        /// The expiry of the token, and of the socket with it.
        var expiry: Timestamp
        var connection: WebSocketConnection
    }

    private struct State {
        var next = 0
        var open: [User.ID: [Socket]] = [:]
        var count = 0
        var lost: [User.ID: ContinuousClock.Instant] = [:]
    }

    private let state = Locked(State())
    private let accounts: Accounts
    private let now: @Sendable () -> Timestamp
    private let openSockets: Gauge
    private let logger: Logger

    init(accounts: Accounts, metrics: MetricsRegistry, logger: Logger, now: @escaping @Sendable () -> Timestamp) {
        self.accounts = accounts
        self.now = now
        self.logger = logger
        openSockets = Gauge(label: "pager2077_live_sockets", factory: metrics)
    }

    func opened(by user: User.ID, until expiry: Timestamp, _ connection: WebSocketConnection) async -> Entry {
        let (entry, replaced, count) = state.withLock { state in
            state.next += 1
            state.lost[user] = nil
            var sockets = state.open[user] ?? []
            let replaced = sockets.count >= Self.maximumSockets ? sockets.removeFirst().connection : nil
            sockets.append(Socket(number: state.next, expiry: expiry, connection: connection))
            state.open[user] = sockets
            state.count += replaced == nil ? 1 : 0
            return (Entry(user: user, number: state.next), replaced, state.count)
        }
        replaced?.close(.policyViolation, reason: "Replaced by new connection")
        openSockets.record(count)
        do {
            try await accounts.watchLive(user)
        } catch is CancellationError {
            // The socket is closed again already.
        } catch let error as PagerError where error.code == .userNotFound {
            // The account was deleted after the token was checked.
            connection.close(.policyViolation, reason: Self.accountDeleted)
        } catch {
            logger.error(
                "Could not store that a live socket was opened", metadata: ["pager.user.id": "\(user)", "error": "\(error)"])
        }
        return entry
    }

    func closed(_ entry: Entry, now: ContinuousClock.Instant = .now) {
        let count = state.withLock { state in
            // A replaced socket was removed already.
            guard var sockets = state.open[entry.user], let index = sockets.firstIndex(where: { $0.number == entry.number }) else {
                return state.count
            }
            sockets.remove(at: index)
            state.open[entry.user] = sockets.isEmpty ? nil : sockets
            if sockets.isEmpty { state.lost[entry.user] = now }
            state.count -= 1
            return state.count
        }
        openSockets.record(count)
    }

    private static let accountDeleted = "Account deleted"

    /// Closes the sockets of a user whose account was deleted.
    func end(_ user: User.ID) {
        let sockets = state.withLock { state in
            state.lost[user] = nil
            return state.open[user] ?? []
        }
        for socket in sockets { socket.connection.close(.policyViolation, reason: Self.accountDeleted) }
    }

    /// Starts the grace period of every user who was online by a live socket when the service ended.
    func restore(now: ContinuousClock.Instant = .now) async throws {
        let users = try await accounts.usersWatchedLive()
        state.withLock { state in
            for user in users where state.open[user] == nil { state.lost[user] = now }
        }
    }

    /// Closes the sockets whose token has expired.
    private func closeExpired() {
        let now = self.now()
        let expired = state.withLock { state in state.open.values.flatMap { $0.filter { $0.expiry <= now } } }
        for socket in expired { socket.connection.close(.policyViolation, reason: "Token expired") }
    }

    /// Sets users offline who have been without a socket for ``grace``.
    func expire(now: ContinuousClock.Instant = .now) async {
        let overdue = state.withLock { state in
            let users = state.lost.filter { now - $0.value >= Self.grace }.map(\.key)
            for user in users { state.lost[user] = nil }
            return users
        }
        for user in overdue {
            do {
                try await accounts.leave(user)
            } catch {
                logger.error("Could not set a user offline", metadata: ["pager.user.id": "\(user)", "error": "\(error)"])
            }
        }
    }

    func run() async throws {
        try await restore()
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                self.closeExpired()
                await self.expire()
            }
        }
    }
}
