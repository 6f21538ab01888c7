import Foundation
import LineBenchmarks

/// The time from the start of the program to its first answer.
enum ColdStart {
    private static let times = 10

    static func measure(_ table: Table, _ folder: URL) async throws {
        let version = try measure { try ServerProcess.run(Programs.switchboard, ["--version"]) }
        var fresh: [Duration] = []
        var again: [Duration] = []
        for number in 0..<times {
            let data = folder.appending(path: "start-\(number)")
            fresh.append(try await serve(data))
            again.append(try await serve(data))
        }
        table.row("switchboard --version, to its exit", version.shown, "1")
        table.row("switchboard serve, to the first 200 of /health", again.median.shown, again.median.of(version), "under 1 s")
        table.row("the same, with an empty data folder", fresh.median.shown, fresh.median.of(version), "under 1 s")
    }

    private static func serve(_ data: URL) async throws -> Duration {
        let start = ContinuousClock.now
        let server = try ServerProcess(Programs.switchboard, ["serve", "--port", "0", "--data", data.path])
        while try await !LineClient(server.address).isHealthy() {}
        return .now - start
    }

    private static func measure(_ body: () throws -> Void) rethrows -> Duration {
        try (0..<times).map { _ in try ContinuousClock().measure(body) }.median
    }
}
