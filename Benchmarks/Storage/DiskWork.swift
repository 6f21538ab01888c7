public import Foundation
import StorageKit
import WireKit

/// The work of a disk for one service.
public enum DiskWork {
    /// Appends events of 200 bytes, each on disk before the next of the same writer begins.
    ///
    /// - Returns: Events a second.
    public static func durableWrites(in file: URL, writers: Int, each count: Int) async throws -> Double {
        let store = try Database(path: file.path, migrations: [])
        let payload = Data(repeating: 120, count: 200)
        let duration = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for _ in 0..<count { try await store.write { _ = try $0.append(payload, to: Log("\(writer)"), at: .now) } }
                    }
                }
                try await group.waitForAll()
            }
        }
        return Double(writers * count) / (duration / .seconds(1))
    }

    /// Reads stored events of 200 bytes in pages.
    ///
    /// - Returns: Events a second.
    public static func replay(in file: URL, events: Int) async throws -> Double {
        let store = try Database(path: file.path, migrations: [])
        let payload = Data(repeating: 120, count: 200)
        // Several logs, each with fewer events than a log keeps.
        let logs = events / 5000
        for log in 0..<logs {
            try await store.write { for _ in 0..<5000 { try $0.append(payload, to: Log("\(log)"), at: .now) } }
        }
        let duration = try await ContinuousClock().measure {
            for log in 0..<logs {
                var cursor: Int64 = 0
                while let last = try await store.read({ [cursor] in
                    try $0.events(of: Log("\(log)"), after: cursor, count: EventFeed.pageCount).last
                }) {
                    cursor = last.seq
                }
            }
        }
        return Double(logs * 5000) / (duration / .seconds(1))
    }

    /// Opens a database for single writes, to compare other work with.
    ///
    /// - Returns: A function that appends an event and returns the time until it is on disk.
    public static func durableWrite(in file: URL, _ payload: Data) throws -> @Sendable () async throws -> Duration {
        let store = try Database(path: file.path, migrations: [])
        return {
            let start = ContinuousClock.now
            try await store.write { _ = try $0.append(payload, to: Log("log"), at: .now) }
            return .now - start
        }
    }
}
