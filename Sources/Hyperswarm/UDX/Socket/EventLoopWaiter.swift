package import NIOCore

/// A task that waits for an event loop, completed once, or cancelled.
///
/// The task suspends and resumes on its own executor: it crosses to the event loop and back once, and not for each actor on
/// the way. Everything but ``wait(on:start:)`` is called on the event loop, which makes the class safe to send.
package final class EventLoopWaiter<Value: Sendable>: @unchecked Sendable {
    private var continuation: CheckedContinuation<Value, any Error>?
    private var isDone = false
    private var isCancelled = false
    private var onCancel: (@Sendable () -> Void)?

    private init() {}

    /// Suspends the task until the waiter is completed.
    ///
    /// - Parameter start: Called on the event loop, at once if the task runs there. Completes the waiter, or keeps it.
    /// - Throws: The error of the completion; `CancellationError` when the task is cancelled while it waits.
    package static func wait(
        on eventLoop: any EventLoop, isolation: isolated (any Actor)? = #isolation,
        start: @escaping @Sendable (EventLoopWaiter) -> Void
    ) async throws -> Value {
        let waiter = EventLoopWaiter()
        return try await withTaskCancellationHandler {
            // Keeps the closure on the caller's executor, where the task is resumed.
            _ = isolation
            return try await withCheckedThrowingContinuation { continuation in
                if eventLoop.inEventLoop {
                    waiter.begin(continuation, start)
                } else {
                    eventLoop.execute { waiter.begin(continuation, start) }
                }
            }
        } onCancel: {
            eventLoop.execute { waiter.cancel() }
        }
    }

    /// Resumes the task. Does nothing the second time, and after a cancellation.
    package func complete(_ result: Result<Value, any Error>) {
        guard !isDone else { return }
        isDone = true
        onCancel = nil
        continuation?.resume(with: result)
        continuation = nil
    }

    /// Sets a callback for the cancellation, unless the waiter is complete.
    package func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
        if !isDone { onCancel = handler }
    }

    private func begin(_ continuation: CheckedContinuation<Value, any Error>, _ start: (EventLoopWaiter) -> Void) {
        self.continuation = continuation
        start(self)
        // The task was cancelled before `start`: a result that was available at once is still delivered.
        if isCancelled { cancel() }
    }

    private func cancel() {
        isCancelled = true
        guard !isDone, continuation != nil else { return }
        let handler = onCancel
        complete(.failure(CancellationError()))
        handler?()
    }
}
