import WireKit

/// Presence: the clients whose user looks at the app. A client counts until its report expires, by a clock that nobody sets.
package final class ForegroundClients<User: Hashable & Sendable>: Sendable {
    /// The time since the start of the machine.
    package let now: @Sendable () -> ContinuousClock.Instant
    private let clients = Locked<[User: [ObjectIdentifier: ContinuousClock.Instant]]>([:])

    package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

    /// - Parameters:
    ///   - client: The client's connection.
    ///   - end: The time at which the report expires; nil for a client that has left the foreground.
    package func set(_ client: AnyObject, of user: User, until end: ContinuousClock.Instant?) {
        clients.withLock { clients in
            clients[user, default: [:]][ObjectIdentifier(client)] = end
            if clients[user]?.isEmpty == true { clients[user] = nil }
        }
    }

    /// True if a client of the user is in the foreground.
    package func contains(_ user: User) -> Bool { end(of: user) != nil }

    /// True if this client of the user is in the foreground.
    package func contains(_ client: AnyObject, of user: User) -> Bool {
        let now = now()
        return clients.withLock { $0[user]?[ObjectIdentifier(client)].map { now < $0 } ?? false }
    }

    /// The time at which the last report of the user's clients expires; nil if none is in the foreground.
    package func end(of user: User) -> ContinuousClock.Instant? {
        let now = now()
        return clients.withLock { $0[user]?.values.filter { now < $0 }.max() }
    }
}
