import WireKit

/// Lets a number of tasks work at once; the others wait in their order.
final class ProgramSlots: Sendable {
    /// Tasks beyond this number are refused.
    static let maximumWaitingCount = 64

    private struct State {
        var freeCount: Int
        var nextTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    }

    private let state: Locked<State>

    init(count: Int) {
        state = Locked(State(freeCount: count))
    }

    /// Does the work when a slot is free.
    ///
    /// - Throws: ``EngineError`` when too many tasks wait; `CancellationError`; what the work throws.
    func withSlot<Result>(_ work: () async throws -> Result) async throws -> Result {
        try await take()
        defer { release() }
        return try await work()
    }

    private func take() async throws {
        try Task.checkCancellation()
        let ticket: Int? = state.withLock { state in
            if state.freeCount > 0 {
                state.freeCount -= 1
                return nil
            }
            state.nextTicket += 1
            return state.nextTicket
        }
        guard let ticket else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, ticket) }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func wait(_ continuation: CheckedContinuation<Void, any Error>, _ ticket: Int) {
        // A slot may have become free, and the task may have been cancelled, since the ticket was drawn.
        let outcome: Result<Void, any Error>? = state.withLock { state in
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.freeCount > 0 {
                state.freeCount -= 1
                return .success(())
            }
            guard state.waiting.count < Self.maximumWaitingCount else {
                return .failure(EngineError(.failed, "Too many learners are speaking at once. Try again in a moment."))
            }
            state.waiting.append((ticket, continuation))
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    private func cancel(_ ticket: Int) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
        waiting?.resume(throwing: CancellationError())
    }

    private func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            if state.waiting.isEmpty {
                state.freeCount += 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}
