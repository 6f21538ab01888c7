import TestKit
import Testing
import ViewKit

@MainActor
@Suite struct UserCommandTests {
    private struct Failure: Error {}

    private let command = UserCommand<Failure>()

    /// A run that waits until it is told to go on.
    private func waitingRun() -> AsyncStream<Void>.Continuation {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        command.run { for await _ in stream {} }
        return continuation
    }

    @Test func runDuringAnotherIsDroppedAndNextOneWaits() async throws {
        var runs: [Int] = []
        let first = waitingRun()
        command.run { runs.append(1) }
        command.runNext { runs.append(2) }
        command.runNext {
            runs.append(3)
            throw Failure()
        }
        #expect(command.isRunning && runs.isEmpty)
        first.finish()
        let command = command
        try await eventually { await !command.isRunning }
        #expect(runs == [2, 3] && command.problem != nil)
        command.run { runs.append(4) }
        #expect(command.isRunning && command.problem == nil)
        try await eventually { await !command.isRunning }
        #expect(runs == [2, 3, 4])
    }
}
