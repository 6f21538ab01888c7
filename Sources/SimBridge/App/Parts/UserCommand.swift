import SimBridgeClient
import SwiftUI

/// Runs a command of the user and shows its progress and its failure.
///
/// The command owns the task, since the view cannot: a login, a text or a call completes even when its screen closes meanwhile, so cancelling
/// with the view, as `.task` does, would be wrong.
@Observable
final class UserCommand {
    private(set) var isRunning = false
    /// The failure of the last run. Views clear it when the user changes the input.
    var problem: BridgeProblem?

    /// Runs `body`. Does nothing while a run is in progress.
    ///
    /// - Parameter onFailure: Called after ``problem`` is set.
    func run(_ body: @escaping () async throws -> Void, onFailure: @escaping (BridgeProblem?) -> Void = { _ in }) {
        guard !isRunning else { return }
        isRunning = true
        problem = nil
        Task {
            do {
                try await body()
            } catch {
                problem = error as? BridgeProblem
                onFailure(problem)
            }
            isRunning = false
        }
    }
}
