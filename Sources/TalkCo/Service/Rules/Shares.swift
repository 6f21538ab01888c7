import WireKit

/// A capacity that all callers share. One network gets at most a part of the capacity, so that it never blocks the others.
final class Shares: Sendable {
    private struct State {
        var total = 0
        var taken: [CallerNetwork: Int] = [:]
    }

    private let capacity: Int
    private let share: Int
    private let subject: String
    private let state = Locked(State())

    /// - Parameters:
    ///   - share: The maximum for one network. ``CallerNetwork/machine`` may take all.
    ///   - subject: The beginning of the refusal: "Too many …".
    init(of capacity: Int, perNetwork share: Int, _ subject: String) {
        (self.capacity, self.share, self.subject) = (capacity, share, subject)
    }

    /// - Throws: ``TalkError`` when the amount exceeds the network's share or the free capacity. Nothing is taken then.
    func take(_ amount: Int = 1, for network: CallerNetwork) throws(TalkError) {
        let refusal = state.withLock { state -> TalkError? in
            let taken = (state.taken[network] ?? 0) + amount
            if network != .machine, taken > share {
                return TalkError(.tooMany, "\(subject) from your network", retryAfter: .seconds(1))
            }
            if state.total + amount > capacity { return TalkError(.unavailable, subject, retryAfter: .seconds(1)) }
            state.taken[network] = taken
            state.total += amount
            return nil
        }
        if let refusal { throw refusal }
    }

    func release(_ amount: Int = 1, for network: CallerNetwork) {
        state.withLock { state in
            let rest = (state.taken[network] ?? 0) - amount
            state.taken[network] = rest > 0 ? rest : nil
            state.total -= amount
        }
    }

    /// Runs `body` with one unit of the capacity.
    ///
    /// - Throws: ``TalkError``; the errors of `body`.
    func taking<Value>(for network: CallerNetwork, _ body: () async throws -> Value) async throws -> Value {
        try take(for: network)
        defer { release(for: network) }
        return try await body()
    }
}
