import Foundation
import StorageBenchmarks

/// The work of a disk for one service.
enum Storage {
    static func measure(_ table: Table, _ folder: URL) async throws {
        let alone = try await DiskWork.durableWrites(in: folder.appending(path: "alone.db"), writers: 1, each: 500)
        let grouped = try await DiskWork.durableWrites(in: folder.appending(path: "grouped.db"), writers: 64, each: 100)
        let replayed = try await DiskWork.replay(in: folder.appending(path: "replay.db"), events: 20_000)
        table.row("durable writes a second, one writer", Int(alone).shown, "1")
        table.row(
            "durable writes a second, 64 writers, committed together", Int(grouped).shown, (grouped / alone).shown, "3 or more")
        table.row("events replayed a second, 100 a page", Int(replayed).shown, (replayed / alone).shown, "50 or more")
    }
}
