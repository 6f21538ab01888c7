import WireKit

/// A semaphore: at most `count` tasks run at once. A free slot goes to a waiting task of the network with the fewest running tasks,
/// and among equals to the task that came first.
final class ProgramSlots: Sendable {
    /// Maximum count of waiting tasks. Beyond it, the newest task of the network with the most waiting tasks is refused.
    static let maximumWaitingCount = 64

    private typealias Continuation = CheckedContinuation<Void, any Error>
    private struct State {
        var freeCount: Int
        var nextTicket = 0
        var running: [CallerNetwork: Int] = [:]
        var waiting: [(ticket: Int, network: CallerNetwork, continuation: Continuation)] = []

        mutating func begin(_ network: CallerNetwork) -> Bool {
            guard freeCount > 0 else { return false }
            freeCount -= 1
            running[network, default: 0] += 1
            return true
        }

        /// Removes a waiting task, to make room for a task of `network`.
        ///
        /// - Returns: The removed task, which is to be refused; nil if the new task is to be refused.
        mutating func displace(for network: CallerNetwork) -> Continuation? {
            let counts = waiting.reduce(into: [network: 0]) { $0[$1.network, default: 0] += 1 }
            guard let most = counts.max(by: { $0.value < $1.value }), most.value > counts[network, default: 0] + 1,
                let index = waiting.lastIndex(where: { $0.network == most.key })
            else { return nil }
            return waiting.remove(at: index).continuation
        }
    }

    private let state: Locked<State>

    init(count: Int) {
        state = Locked(State(freeCount: count))
    }

    /// The number of waiting tasks.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs the work when a slot is free.
    ///
    /// - Throws: ``EngineError`` when too many tasks wait; `CancellationError`; errors of the work.
    func withSlot<Result>(for network: CallerNetwork = .machine, _ work: () async throws -> Result) async throws -> Result {
        try await take(network)
        defer { release(network) }
        return try await work()
    }

    private func take(_ network: CallerNetwork) async throws {
        try Task.checkCancellation()
        let ticket: Int? = state.withLock { state in
            if state.begin(network) { return nil }
            state.nextTicket += 1
            return state.nextTicket
        }
        guard let ticket else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, ticket, network) }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func wait(_ continuation: Continuation, _ ticket: Int, _ network: CallerNetwork) {
        let busy = EngineError(.failed, "Too many learners are speaking at once. Try again in a moment.")
        // A slot may have become free, and the task may have been cancelled, since the ticket was drawn.
        let (outcome, displaced) = state.withLock { state -> (Result<Void, any Error>?, Continuation?) in
            if Task.isCancelled { return (.failure(CancellationError()), nil) }
            if state.begin(network) { return (.success(()), nil) }
            var displaced: Continuation?
            if state.waiting.count >= Self.maximumWaitingCount {
                displaced = state.displace(for: network)
                if displaced == nil { return (.failure(busy), nil) }
            }
            state.waiting.append((ticket, network, continuation))
            return (nil, displaced)
        }
        displaced?.resume(throwing: busy)
        if let outcome { continuation.resume(with: outcome) }
    }

    private func cancel(_ ticket: Int) {
        let waiting = state.withLock { state -> Continuation? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
        waiting?.resume(throwing: CancellationError())
    }

    private func release(_ network: CallerNetwork) {
        let next = state.withLock { state -> Continuation? in
            let rest = (state.running[network] ?? 1) - 1
            state.running[network] = rest > 0 ? rest : nil
            // `min` returns the first of equal elements.
            let running = state.running
            let first = state.waiting.indices.min {
                running[state.waiting[$0].network, default: 0] < running[state.waiting[$1].network, default: 0]
            }
            guard let first else {
                state.freeCount += 1
                return nil
            }
            let next = state.waiting.remove(at: first)
            state.running[next.network, default: 0] += 1
            return next.continuation
        }
        next?.resume()
    }
}
