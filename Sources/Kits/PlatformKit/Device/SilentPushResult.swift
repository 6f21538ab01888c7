/// The result of a silent push, reported to the system, which wakes an app less often if it has nothing to do.
public enum SilentPushResult: Hashable, Sendable {
    case newData, noData, failed

    /// Maximum time to handle the push. The system ends an app that takes 30 s.
    package static let limit = Duration.seconds(25)
}

/// Runs `work` with a time limit, without waiting for work that does not end when it is cancelled.
///
/// - Parameter late: The result when the limit has passed, or the calling task is cancelled.
package func result<Value: Sendable>(
    within limit: Duration, clock: any Clock<Duration>, late: Value, of work: @escaping @MainActor @Sendable () async -> Value
) async -> Value {
    let (results, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingOldest(1))
    let working = Task { continuation.yield(await work()) }
    let waiting = Task { if (try? await clock.sleep(for: limit)) != nil { continuation.yield(late) } }
    defer {
        working.cancel()
        waiting.cancel()
    }
    for await result in results { return result }
    return late
}
