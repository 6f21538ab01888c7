/// Work that several screens want done and that is done once: from the first screen that wants it to the last.
@MainActor
public final class SharedWork {
    private var users = 0
    private var working: Task<Void, Never>?

    public nonisolated init() {}

    /// Sees to it that the work is done until the calling task is cancelled.
    ///
    /// - Parameter work: Ends when its task is cancelled. Called when nobody else has it done already.
    public func run(_ work: @escaping @MainActor () async -> Void) async {
        users += 1
        if users == 1 {
            // The last one may still be coming to its end.
            let previous = working
            working = Task {
                await previous?.value
                await work()
            }
        }
        // Ends with the task only.
        for await _ in AsyncStream<Never>.makeStream().stream {}
        users -= 1
        if users == 0 { working?.cancel() }
    }
}
