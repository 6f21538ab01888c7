import SwiftUI

/// A runner of the user's commands, with their progress and failure.
///
/// The command owns the task, since the view cannot: a command completes even when its screen closes meanwhile, so cancelling with
/// the view, as `.task` does, would be wrong.
@MainActor @Observable
package final class UserCommand<Problem: Error> {
    private var runCount = 0
    package var isRunning: Bool { runCount > 0 }
    /// The last failure since the user gave a command. Views clear it when the user changes the input.
    package var problem: Problem?
    @ObservationIgnored private var lastRun: Task<Void, Never>?

    nonisolated package init() {}

    /// Runs `body`. Does nothing while a run is in progress.
    ///
    /// - Parameter onFailure: Called after ``problem`` is set.
    package func run(
        _ body: @escaping @MainActor () async throws -> Void, onFailure: @escaping @MainActor (Problem?) -> Void = { _ in }
    ) {
        if !isRunning { start(body, onFailure) }
    }

    /// Runs `body` after the runs before it, for a choice that must not be lost.
    package func runNext(_ body: @escaping @MainActor () async throws -> Void) { start(body) { _ in } }

    private func start(
        _ body: @escaping @MainActor () async throws -> Void, _ onFailure: @escaping @MainActor (Problem?) -> Void
    ) {
        runCount += 1
        problem = nil
        lastRun = Task { [previousRun = lastRun] in
            await previousRun?.value
            do {
                try await body()
            } catch {
                problem = error as? Problem
                onFailure(problem)
            }
            runCount -= 1
            if runCount == 0 { lastRun = nil }
        }
    }
}
