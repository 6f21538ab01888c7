/// Tasks that wait for a value, in order.
struct Waiters<Value: Sendable> {
    private var waiting: [(id: UInt64, continuation: CheckedContinuation<Value, any Error>)] = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ continuation: CheckedContinuation<Value, any Error>, id: UInt64) {
        waiting.append((id, continuation))
    }

    mutating func cancel(_ id: UInt64) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting.remove(at: index).continuation.resume(throwing: CancellationError())
    }

    mutating func succeedFirst(_ value: Value) {
        guard !waiting.isEmpty else { return }
        waiting.removeFirst().continuation.resume(returning: value)
    }

    mutating func succeedAll(_ value: Value) {
        let all = waiting
        waiting = []
        for waiter in all { waiter.continuation.resume(returning: value) }
    }

    mutating func failAll(_ error: any Error) {
        let all = waiting
        waiting = []
        for waiter in all { waiter.continuation.resume(throwing: error) }
    }
}
