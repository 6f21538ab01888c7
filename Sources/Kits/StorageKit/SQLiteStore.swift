import Foundation
public import GRDB

/// One SQLite database of one service: opened once per file and process, with many readers and one writer.
///
/// Write-ahead log, `synchronous=FULL`: a write that has returned survives a power cut. Writes that come together are committed
/// together (``GroupCommit``). Holds the tables of `Docs/Protocols/` that every line needs (event log, commands, outbox) beside the
/// service's own.
public final class SQLiteStore: Sendable {
    let pool: DatabasePool
    let doorbell = Doorbell()
    private let commits: GroupCommit
    private let lock: Box

    /// Opens or makes the database at `path` and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - path: The file; `path.lock` and SQLite's `path-wal` and `path-shm` lie beside it. All are closed to other users.
    ///   - migrations: The service's own, in order. The line's tables come first.
    /// - Throws: ``StorageError``; nothing was written then, unless a migration failed.
    public init(path: String, migrations: [Migration]) throws(StorageError) {
        let files = try DatabaseFiles(path: path)
        lock = Box(lock: try FileLock(path: files.path + ".lock"))
        try files.closeToOthers()
        var migrator = DatabaseMigrator()
        for migration in LineTables.migrations + migrations {
            migrator.registerMigration(migration.name, migrate: migration.migrate)
        }
        do {
            // Before anything else: opening a pool alone changes the file.
            if try Self.isNewer(files.path, than: migrator) {
                throw StorageError(
                    code: .newerSchema,
                    description: "\(path) was written by a newer version of switchboard; update, or use another file")
            }
            var configuration = Self.waitingForLocks
            configuration.maximumReaderCount = 4
            pool = try DatabasePool(path: files.path, configuration: configuration)
            // GRDB sets NORMAL while it opens a pool, after any preparation; only now can it be changed.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try migrator.migrate(pool)
        } catch let error as StorageError {
            throw error
        } catch let error as DatabaseError {
            let isDamaged = [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
            let advice = isDamaged ? "; it is damaged: Docs/Operations.md says how to put a backup in its place" : ""
            throw StorageError(
                code: .unusable,
                description: "Cannot use the database \(path): \(error.message ?? "\(error.resultCode)")\(advice)")
        } catch {
            throw StorageError(code: .unusable, description: "Cannot use the database \(path): \(error)")
        }
        commits = GroupCommit(pool: pool, doorbell: doorbell)
    }

    /// A backup, or another program that reads the file, has it locked for a moment.
    private static var waitingForLocks: GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        return configuration
    }

    private static func isNewer(_ path: String, than migrator: DatabaseMigrator) throws -> Bool {
        func look(_ configuration: GRDB.Configuration) throws -> Bool {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try queue.read(migrator.hasBeenSuperseded)
        }
        var configuration = waitingForLocks
        configuration.readonly = true
        do {
            return try look(configuration)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
            // A crash has left a rollback journal. Whoever reads the database has to undo what it holds first.
            return try look(waitingForLocks)
        }
    }

    /// Reads from one consistent snapshot.
    public func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        // GRDB's own goes through an actor: more changes of thread, and memory that the calling task keeps while it lives.
        try await withCheckedThrowingContinuation { continuation in
            pool.asyncRead { database in continuation.resume(with: Result { try body(database.get()) }) }
        }
    }

    /// Runs `body` in a transaction and returns once it is on disk.
    ///
    /// What `body` throws undoes what it wrote and is thrown here; it may not wait. Runs to its end even when the calling task is cancelled.
    ///
    /// - Throws: What `body` throws; ``StorageError`` `overloaded`; a GRDB error when the disk refuses.
    public func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
        try await commits.write(body)
    }

    /// Waits for what is being written, moves it all into the file itself, and closes that.
    public func close() {
        // Neither failing loses anything: what stays in the log is read at the next opening.
        try? pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try? pool.close()
    }

    /// Holds the lock for as long as the store lives: a class cannot store a noncopyable value and be `Sendable` by itself.
    private final class Box: Sendable {
        private let lock: FileLock
        init(lock: consuming FileLock) { self.lock = lock }
    }
}
