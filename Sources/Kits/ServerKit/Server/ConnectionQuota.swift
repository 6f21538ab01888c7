import WireKit

/// The limit of open connections per network, so that one network cannot use all of them.
final class ConnectionQuota: Sendable {
    private let limit: Int
    private let open = Locked<[String: Int]>([:])

    /// - Parameter limit: Maximum open connections per network.
    init(limit: Int) { self.limit = limit }

    /// Counts a new connection until ``release(_:)``.
    ///
    /// - Returns: False, without counting, when the network has reached the limit.
    func acquire(_ network: String) -> Bool {
        open.withLock { open in
            let count = open[network] ?? 0
            guard count < limit else { return false }
            open[network] = count + 1
            return true
        }
    }

    func release(_ network: String) {
        open.withLock { open in
            let count = (open[network] ?? 1) - 1
            open[network] = count > 0 ? count : nil
        }
    }
}
