import Foundation
import StorageKit

/// Measures the work of a disk for one service.
enum Storage {
    static func measure(_ table: Table, _ folder: URL) async throws {
        let alone = try await durableWrites(folder.appending(path: "alone.db").path, writers: 1, each: 500)
        let grouped = try await durableWrites(folder.appending(path: "grouped.db").path, writers: 64, each: 100)
        let replayed = try await replay(folder.appending(path: "replay.db").path, events: 20_000)
        table.row("durable writes a second, one writer", Int(alone).shown, "1")
        table.row(
            "durable writes a second, 64 writers, committed together", Int(grouped).shown, (grouped / alone).shown, "3 or more")
        table.row("events replayed a second, 100 a page", Int(replayed).shown, (replayed / alone).shown, "50 or more")
    }

    /// Appends of a 200-byte event, each on disk before the next of the same writer begins.
    private static func durableWrites(_ path: String, writers: Int, each count: Int) async throws -> Double {
        let store = try Database(path: path, migrations: [])
        let payload = Data(repeating: 120, count: 200)
        let duration = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for _ in 0..<count { try await store.write { _ = try $0.append(payload, to: "\(writer)", at: .now) } }
                    }
                }
                try await group.waitForAll()
            }
        }
        return Double(writers * count) / (duration / .seconds(1))
    }

    private static func replay(_ path: String, events: Int) async throws -> Double {
        let store = try Database(path: path, migrations: [])
        let payload = Data(repeating: 120, count: 200)
        // Fewer than a log keeps, in each of several.
        let logs = events / 5000
        for log in 0..<logs {
            try await store.write { for _ in 0..<5000 { try $0.append(payload, to: "\(log)", at: .now) } }
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
