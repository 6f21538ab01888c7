import Pager2077Wire
import WireKit

/// The clients that are in the foreground now. A client's presence expires unless the client repeats it.
final class ForegroundClients: Sendable {
    /// The monotonic clock, since the system's time may be set.
    let now: @Sendable () -> ContinuousClock.Instant
    private let clients = Locked<[User.ID: [ObjectIdentifier: ContinuousClock.Instant]]>([:])

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// - Parameter end: The client counts as being in the foreground until then; nil for a client that has left it.
    func set(_ client: AnyObject, of user: User.ID, until end: ContinuousClock.Instant?) {
        clients.withLock { clients in
            clients[user, default: [:]][ObjectIdentifier(client)] = end
            if clients[user]?.isEmpty == true { clients[user] = nil }
        }
    }

    func contains(_ user: User.ID) -> Bool {
        let now = now()
        return clients.withLock { $0[user]?.values.contains { now < $0 } == true }
    }
}
