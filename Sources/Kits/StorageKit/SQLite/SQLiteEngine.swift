import Foundation
import GRDB

/// The engine of one SQLite file: one writer, which commits together the writes that arrive together (``GroupCommit``), and readers.
///
/// A commit survives a power cut (`synchronous=FULL`). The file shrinks again after rows were removed: by ``shrink()``, and at the next
/// opening. One of an earlier version, which cannot shrink, is written anew at its first opening.
final class SQLiteEngine: StorageEngine {
    let connections: any DatabaseWriter
    let commits: GroupCommit
    /// Nil on a phone, whose folder no second process uses.
    private let lock: LockHolder?

    let isShared = false
    var waitingWriteCount: Int { commits.waitingCount }

    /// A service's database: four readers beside the writer, and a lock against a second process.
    ///
    /// - Throws: ``StorageError``. Nothing was written then, unless a migration failed.
    static func service(_ path: String, migrations: [Migration], publisher: EventPublisher) throws(StorageError) -> SQLiteEngine {
        try SQLiteEngine(path, migrations, isLocked: true, publisher: publisher) { path throws in
            var configuration = Self.shrinking
            configuration.maximumReaderCount = 4
            let pool = try DatabasePool(path: path, configuration: configuration)
            // GRDB sets NORMAL while it opens a pool, after any preparation. Only now can it be changed.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            return pool
        }
    }

    /// One connection.
    ///
    /// - Parameter migrations: Nil: the schema is not looked at.
    static func single(_ path: String, migrations: [Migration]?, publisher: EventPublisher) throws(StorageError) -> SQLiteEngine {
        try SQLiteEngine(path, migrations, isLocked: false, publisher: publisher) { path throws in try Self.openQueue(path) }
    }

    /// A connection that only reads, beside the process that has the file open.
    static func reader(_ path: String, publisher: EventPublisher) throws(StorageError) -> SQLiteEngine {
        try SQLiteEngine(path, nil, isLocked: false, publisher: publisher) { path throws in
            var configuration = Self.waitingForLocks
            configuration.readonly = true
            return try DatabaseQueue(path: path, configuration: configuration)
        }
    }

    /// A database in memory, which ends with this value.
    init(inMemory migrations: [Migration], publisher: EventPublisher) throws(StorageError) {
        lock = nil
        do {
            connections = try DatabaseQueue()
            try DatabaseMigrator(migrations).migrate(connections)
        } catch {
            throw Self.failure(of: ":memory:", error)
        }
        commits = GroupCommit(connections: connections, publisher: publisher)
    }

    private static func openQueue(_ path: String) throws -> DatabaseQueue {
        var configuration = shrinking
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private init(
        _ path: String, _ migrations: [Migration]?, isLocked: Bool, publisher: EventPublisher,
        open: (String) throws -> any DatabaseWriter
    ) throws(StorageError) {
        let files = try DatabaseFiles(path: path)
        lock = isLocked ? LockHolder(try FileLock(path: files.path + ".lock")) : nil
        try files.closeToOthers()
        do {
            let migrator = migrations.map(DatabaseMigrator.init)
            // Before anything else: opening a pool alone changes the file.
            if let migrator, try Self.isNewer(files.path, than: migrator) {
                throw StorageError(
                    code: .newerSchema,
                    description: "\(path) was written by a newer version of switchboard; update, or use another file")
            }
            connections = try open(files.path)
            if let migrator {
                try migrator.migrate(connections)
                try Self.releaseFreePages(connections)
                // The pages as they were before a savepoint: in a file they cost more writes than the log. Not earlier: a migration, or writing
                // the whole file anew, may need more than the memory has.
                try connections.writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
            }
        } catch {
            throw Self.failure(of: path, error)
        }
        commits = GroupCommit(connections: connections, publisher: publisher)
    }

    private static func failure(of path: String, _ error: any Error) -> StorageError {
        switch error {
        case let error as StorageError where error.code == .newerSchema: return error
        case let error as DatabaseError:
            let code = StorageError(error).code
            let advice = code == .damaged ? "; it is damaged: Docs/Operations.md says how to put a backup in its place" : ""
            return StorageError(
                code: code, description: "Cannot use the database \(path): \(error.message ?? "\(error.resultCode)")\(advice)")
        default:
            let code = (error as? StorageError)?.code ?? .unusable
            return StorageError(code: code, description: "Cannot use the database \(path): \(error)")
        }
    }

    /// A configuration that waits while a backup, or another program that reads the file, holds a lock.
    private static var waitingForLocks: GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        return configuration
    }

    /// A configuration whose databases can shrink. A new one has the mode from its first page on.
    private static var shrinking: GRDB.Configuration {
        var configuration = waitingForLocks
        configuration.prepareDatabase { database in
            // The readers of a pool have the mode of the file.
            if database.configuration.readonly { return }
            // `secure_delete` overwrites the content of deleted rows. Debian's SQLite does so by default.
            try database.execute(
                sql: """
                    PRAGMA auto_vacuum = INCREMENTAL; PRAGMA secure_delete = ON;
                    PRAGMA journal_size_limit = \(maximumIdleLogSize)
                    """)
        }
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
            // A crash has left a rollback journal. The first reader has to roll it back.
            return try look(waitingForLocks)
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Value) async throws -> Value {
        // GRDB's own goes through an actor: more changes of thread, and memory that the calling task keeps while it lives.
        try await withCheckedThrowingContinuation { continuation in
            connections.asyncRead { database in
                continuation.resume(
                    with: Result { try StorageError.translating { try body(ReadTransaction(database.get())) } })
            }
        }
    }

    func write<Value, Result: Sendable>(
        locking subjects: [String]?, _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
        onCommit: @escaping @Sendable (Value) -> Result
    ) async throws -> Result {
        // There is one writer: nothing has to be locked.
        try await commits.write(body, onCommit: onCommit)
    }

    /// Moves what no reader needs any more from SQLite's log into the file, and cuts a large log.
    func checkpoint() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            connections.asyncWriteWithoutTransaction { database in
                continuation.resume(with: Result { try StorageError.translating { try Self.checkpoint(database) } })
            }
        }
    }

    /// Waits for the writes under way, moves everything into the file itself, and closes it.
    func close() {
        // Neither failing loses anything: what stays in the log is read at the next opening.
        try? connections.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try? connections.close()
    }

    /// Holds the lock for as long as the database lives: a class cannot store a noncopyable value and be `Sendable` by itself.
    private final class LockHolder: Sendable {
        private let lock: FileLock
        init(_ lock: consuming FileLock) { self.lock = lock }
    }
}

extension DatabaseMigrator {
    fileprivate init(_ migrations: [Migration]) {
        self.init()
        for migration in migrations {
            registerMigration(migration.name) { try migration.migrate(WriteTransaction($0)) }
        }
    }
}
