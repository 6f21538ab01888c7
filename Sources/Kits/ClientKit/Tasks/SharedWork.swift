import WireKit

/// Work that several screens share: it starts with the first screen and ends with the last.
@MainActor
package final class SharedWork {
    private var users = 0
    private var running: Task<Void, Never>?

    package nonisolated init() {}

    /// Runs the shared work until the calling task is cancelled. The call of the last user returns when the work has ended.
    ///
    /// - Parameter work: The work, which ends when its task is cancelled. Called unless it is running already.
    package func run(_ work: @escaping @MainActor () async -> Void) async {
        users += 1
        if users == 1 {
            let previous = running
            running = Task {
                await previous?.value
                await work()
            }
        }
        await waitForCancellation()
        users -= 1
        guard users == 0 else { return }
        running?.cancel()
        await running?.value
    }
}
