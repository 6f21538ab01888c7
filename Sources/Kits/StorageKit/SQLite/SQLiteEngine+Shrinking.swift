import GRDB

/// Free pages, which rows leave that were removed or became shorter.
extension SQLiteEngine {
    /// The size to which SQLite's log is cut once everything in it is in the database, in bytes.
    static var maximumIdleLogSize: Int { 16_777_216 }
    /// Pages that stay free for the next writes.
    private static var keptPageCount: Int { 256 }
    /// The maximum number of pages that one transaction gives back: other writes wait for it.
    private static var pagesPerTransaction: Int { 1024 }

    /// Gives free pages back to the disk, all but some 1 MiB.
    func shrink() async throws {
        while try await commits.write({ try Self.releasePages($0.database) }, onCommit: { $0 }) {}
        // The file itself becomes shorter when the log is written back.
        try await checkpoint()
    }

    static func checkpoint(_ database: GRDB.Database) throws {
        // One row: busy, the pages of the log, and those that were moved.
        let row = try GRDB.Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
        let pages = row.flatMap { $0[1] as Int? } ?? 0
        let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
        if pages * pageSize > maximumIdleLogSize { try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// - Returns: True if there are more.
    private static func releasePages(_ database: GRDB.Database) throws -> Bool {
        let free = try freePageCount(database)
        guard free > keptPageCount else { return false }
        try database.execute(sql: "PRAGMA incremental_vacuum(\(min(free - keptPageCount, pagesPerTransaction)))")
        let rest = try freePageCount(database)
        // A file that could not be written anew cannot shrink.
        return rest > keptPageCount && rest < free
    }

    private static func freePageCount(_ database: GRDB.Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
    }

    /// Makes a database of an earlier version able to shrink, and gives back the free pages of any. For a database that nobody uses yet.
    static func releaseFreePages(_ connections: any DatabaseWriter) throws {
        try connections.writeWithoutTransaction { database in
            if try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") == 0 {
                do {
                    try database.execute(sql: "VACUUM")
                } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                    // There is no room for the copy. The next opening tries again.
                    return
                }
            } else {
                guard try freePageCount(database) > keptPageCount else { return }
                try database.inTransaction {
                    while try releasePages(database) {}
                    return .commit
                }
            }
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}
