import Foundation
import StorageKit
import WebUIBenchmarks

/// `make bench`: what the kits can do on this machine, as ratios within one run. Absolute figures say little on shared machines.
@main
struct Bench {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "switchboard-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let alone = try await durableWrites(folder.appending(path: "alone.db").path, writers: 1, each: 500)
        let grouped = try await durableWrites(folder.appending(path: "grouped.db").path, writers: 64, each: 100)
        let replayed = try await replay(folder.appending(path: "replay.db").path, events: 20_000)

        print("| what | a second | beside | target |")
        print("| --- | ---: | ---: | --- |")
        print("| durable writes, one writer | \(Int(alone)) | 1 | |")
        print("| durable writes, 64 writers, committed together | \(Int(grouped)) | \(ratio(grouped, alone)) | 3 or more |")
        print("| events replayed, 100 a page | \(Int(replayed)) | \(ratio(replayed, alone)) | 50 or more |")
        printViews()
    }

    /// Views in a browser: what a streamed token and a session cost. Beside a token: saying all of the screen of 40 rows again.
    @MainActor
    private static func printViews() {
        let whole = WebUIBenchmarks.snapshot(500, rows: 40)
        print("\n| what | each | beside | target |")
        print("| --- | ---: | ---: | --- |")
        print("| snapshot, 40 rows | \(microseconds(whole)) µs | 1 | |")
        for rows in [40, 1000] {
            let token = WebUIBenchmarks.tokens(5000, rows: rows)
            let target = rows == 40 ? "30 µs, 35 bytes" : "as for 40 rows"
            print(
                "| token to patch, \(rows) rows | \(microseconds(token.duration)) µs, \(String(format: "%.0f", token.bytes)) bytes | "
                    + "\(String(format: "%.2f", token.duration / whole)) | \(target) |")
        }
        let sessions = WebUIBenchmarks.sessions(100, rounds: 12)
        print("| session of 40 rows, one of 100 | \(sessions.each / 1024) KB | | 300 KB |")
        print("| grown by the last 100 of 1,200 sessions | \(sessions.growth / 1024) KB | | none to speak of |")
    }

    private static func microseconds(_ duration: Duration) -> String { String(format: "%.1f", duration / .microseconds(1)) }

    private static func ratio(_ a: Double, _ b: Double) -> String { String(format: "%.1f", a / b) }

    /// Appends of a 200-byte event, each on disk before the next of the same writer begins.
    private static func durableWrites(_ path: String, writers: Int, each count: Int) async throws -> Double {
        let store = try SQLiteStore(path: path, migrations: [])
        let payload = Data(repeating: 120, count: 200)
        let duration = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for _ in 0..<count { try await store.write { _ = try $0.append(payload, to: "\(writer)", at: 0) } }
                    }
                }
                try await group.waitForAll()
            }
        }
        return Double(writers * count) / (duration / .seconds(1))
    }

    private static func replay(_ path: String, events: Int) async throws -> Double {
        let store = try SQLiteStore(path: path, migrations: [])
        let payload = Data(repeating: 120, count: 200)
        // Fewer than a log keeps, in each of several.
        let logs = events / 5000
        for log in 0..<logs {
            try await store.write { for _ in 0..<5000 { try $0.append(payload, to: "\(log)", at: 0) } }
        }
        let duration = try await ContinuousClock().measure {
            for log in 0..<logs {
                var cursor: Int64 = 0
                while case .events(let page) = try await store.events(of: "\(log)", after: cursor, limit: EventFeed.pageSize),
                    let last = page.last
                {
                    cursor = last.seq
                }
            }
        }
        return Double(logs * 5000) / (duration / .seconds(1))
    }
}
