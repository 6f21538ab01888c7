import Foundation

/// One message there and what comes of it. Returns when that has come: how long it took.
typealias Round = @Sendable () async throws -> Duration

enum Rounds {
    /// How many go on at the same time when it is about how much a server can do.
    static let lanes = 32
    private static let saturation: Duration = .seconds(5)

    /// One of each kind after another, `rate` times a second: what else the machine does then falls on all.
    ///
    /// - Returns: How long each round took, for each kind.
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

    /// All at once, each as soon as its last is over.
    ///
    /// - Returns: Rounds a second, and the server's CPU time for each.
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
