import NIOConcurrencyHelpers

/// How many connections each network has open, so that no single one takes them all.
final class ConnectionShares: Sendable {
    private let limit: Int
    private let open = NIOLockedValueBox<[String: Int]>([:])

    /// - Parameter limit: Connections of one network.
    init(limit: Int) { self.limit = limit }

    /// - Returns: Whether there is room for one more. Then it is counted, until ``give(back:)``.
    func take(for network: String) -> Bool {
        open.withLockedValue { open in
            let count = open[network] ?? 0
            guard count < limit else { return false }
            open[network] = count + 1
            return true
        }
    }

    func give(back network: String) {
        open.withLockedValue { open in
            let count = (open[network] ?? 1) - 1
            open[network] = count > 0 ? count : nil
        }
    }
}
