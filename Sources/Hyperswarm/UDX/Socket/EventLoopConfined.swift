public import NIOCore

/// An actor whose executor is an event loop, so that callbacks of that event loop enter it without a hop.
///
/// A conforming actor also declares `unownedExecutor` as `eventLoop.executor.asUnownedSerialExecutor()`.
public protocol EventLoopConfined: Actor {
    nonisolated var eventLoop: any EventLoop { get }
}

extension EventLoopConfined {
    /// Runs `body` isolated to the actor at once. The caller must be on the actor's event loop; anything else traps.
    ///
    /// `assumeIsolated` does the same from macOS 15 and iOS 18 on; before, it cannot ask an executor that runs a callback
    /// outside of a task.
    public nonisolated func onEventLoop<Value>(_ body: (isolated Self) throws -> Value) rethrows -> Value {
        eventLoop.preconditionInEventLoop()
        return try withoutActuallyEscaping(body) { body in
            // The isolation is a promise to the compiler only: an isolated parameter is passed like any other.
            try unsafeBitCast(body, to: ((Self) throws -> Value).self)(self)
        }
    }
}
