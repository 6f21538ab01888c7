import Foundation

/// A function that sends one message, waits for its effect, and returns the time between.
typealias Round = @Sendable () async throws -> Duration

enum Rounds {
    /// Count of concurrent rounds that saturates a server.
    static let lanes = 32
    private static let saturation: Duration = .seconds(5)

    /// Runs one round of each kind in turn, `rate` times a second, so that other load affects all kinds.
    ///
    /// - Returns: The durations of the rounds, for each kind.
    static func inTurns(_ kinds: [Round], count: Int, rate: Int) async throws -> [[Duration]] {
        var times = kinds.map { _ in [Duration]() }
        var next = ContinuousClock.now
        for _ in 0..<count {
            for (kind, round) in kinds.enumerated() { times[kind].append(try await round()) }
            next += .seconds(1) / rate
            try await Task.sleep(until: next)
        }
        return times
    }

    /// Runs all rounds concurrently, each again as soon as it ends.
    ///
    /// - Returns: Rounds a second, and the server's CPU time for each round.
    static func saturate(_ server: ServerProcess, _ rounds: [Round]) async throws -> (rate: Double, cpuTime: Duration) {
        let (start, before) = (ContinuousClock.now, server.cpuTime)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for round in rounds {
                group.addTask {
                    var count = 0
                    while .now - start < saturation {
                        _ = try await round()
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return (Double(count) / ((.now - start) / .seconds(1)), (server.cpuTime - before) / count)
    }
}
