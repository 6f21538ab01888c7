public import NIOCore

/// An executor that runs tasks on an event loop, for programs that answer small messages quickly.
///
///     try await withTaskExecutorPreference(EventLoopTaskExecutor(connection.eventLoop)) {
///         while let bytes = try await connection.read() { try await connection.write(bytes) }
///     }
///
/// Reading and writing on the event loop of the connection crosses no thread. Work that takes long delays the whole node.
/// An actor on the event loop is no substitute: Swift resumes its tasks by way of the global executor.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
