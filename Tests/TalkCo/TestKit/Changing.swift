import WireKit

/// A value that a test changes while others wait for its changes.
final class Changing<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var waiting: [AsyncStream<Never>.Continuation] = []
    }

    private let state: Locked<State>

    init(_ value: Value) { state = Locked(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        let (result, waiting) = state.withLock { state in
            defer { state.waiting = [] }
            return (body(&state.value), state.waiting)
        }
        for each in waiting { each.finish() }
        return result
    }

    /// Returns when the condition does not hold, or the calling task is cancelled.
    func wait(while condition: @Sendable (Value) -> Bool) async {
        while !Task.isCancelled {
            let (changes, next) = AsyncStream.makeStream(of: Never.self)
            let waits = state.withLock { state in
                guard condition(state.value) else { return false }
                state.waiting.append(next)
                return true
            }
            guard waits else { return }
            for await _ in changes {}
        }
    }
}
