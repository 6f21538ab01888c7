import WireKit

/// A request for work that any task may make and one task does. Requests that come while it works count as one.
final class Trigger: Sendable {
    private let listener = Locked<AsyncStream<Void>.Continuation?>(nil)

    func fire() { listener.withLock { _ = $0?.yield() } }

    /// Returns the requests from now on. Ends the stream of an earlier call.
    func events() -> AsyncStream<Void> {
        let (events, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let former = listener.withLock { listener in
            defer { listener = continuation }
            return listener
        }
        former?.finish()
        return events
    }
}
