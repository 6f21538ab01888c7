import Foundation

/// The database of one service or one phone.
///
/// A write that has returned survives a power cut. The service's database holds the tables that every line needs (event log, idempotency keys)
/// beside the service's own. A phone's database has only its own tables.
package final class Database: Sendable {
    let publisher: EventPublisher
    let engine: any StorageEngine
    /// True if other boxes may use the database at the same time.
    package var isShared: Bool { engine.isShared }
    /// The number of writes that wait for those before them.
    package var waitingWriteCount: Int { engine.waitingWriteCount }

    private init(_ open: (EventPublisher) throws(StorageError) -> any StorageEngine) throws(StorageError) {
        publisher = EventPublisher()
        engine = try open(publisher)
    }

    /// Opens or creates a service's database and brings its schema up to date.
    ///
    /// - Parameter migrations: The service's own, in order. The line's tables come first.
    /// - Throws: ``StorageError``. Nothing was written then, unless a migration failed.
    package convenience init(at location: DatabaseLocation, migrations: [Migration]) throws(StorageError) {
        switch location {
        case .file(let file): try self.init(path: file.path, migrations: migrations)
        case .postgreSQL(let address): try self.init(postgreSQL: address, migrations: migrations)
        }
    }

    /// Opens or creates a service's database in a file of SQLite.
    ///
    /// - Parameter path: `path.lock` and SQLite's `path-wal` and `path-shm` lie beside it. All are closed to other users.
    /// - Throws: ``StorageError``. Nothing was written then, unless a migration failed.
    package convenience init(path: String, migrations: [Migration]) throws(StorageError) {
        try self.init { publisher throws(StorageError) in
            try SQLiteEngine.service(path, migrations: LineTables.migrations + migrations, publisher: publisher)
        }
    }

    private convenience init(postgreSQL address: PostgreSQLAddress, migrations: [Migration]) throws(StorageError) {
        #if os(Linux)
            try self.init { publisher throws(StorageError) in
                try PostgreSQLEngine(address, migrations: LineTables.migrations + migrations, publisher: publisher)
            }
        #else
            throw StorageError(code: .unusable, description: "This switchboard was built without PostgreSQL")
        #endif
    }

    /// Opens or creates the database of one app on one phone and brings its schema up to date.
    ///
    /// - Parameter phonePath: The file; its folder must exist. The file is closed to other users.
    /// - Throws: ``StorageError``.
    package convenience init(phonePath: String, migrations: [Migration]) throws(StorageError) {
        try self.init { publisher throws(StorageError) in
            try SQLiteEngine.single(phonePath, migrations: migrations, publisher: publisher)
        }
    }

    /// Creates a database in memory, which ends with this value.
    ///
    /// - Throws: ``StorageError``.
    package convenience init(inMemory migrations: [Migration]) throws(StorageError) {
        try self.init { publisher throws(StorageError) in try SQLiteEngine(inMemory: migrations, publisher: publisher) }
    }

    /// Opens a database as it is, beside a process that may have it open: for tests that look into a file or change it.
    ///
    /// - Throws: ``StorageError``.
    package convenience init(existing path: String) throws(StorageError) {
        try self.init { publisher throws(StorageError) in try SQLiteEngine.single(path, migrations: nil, publisher: publisher) }
    }

    /// Opens a database for reading, beside the process that has it open. Every write fails.
    ///
    /// - Throws: ``StorageError``, also when no process has the file open and it cannot be read alone.
    package convenience init(reading path: String) throws(StorageError) {
        try self.init { publisher throws(StorageError) in try SQLiteEngine.reader(path, publisher: publisher) }
    }

    /// Reads from one consistent snapshot.
    ///
    /// - Throws: The error of `body`; ``StorageError``.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Value) async throws -> Value {
        try await engine.read(body)
    }

    /// Runs `body` in a transaction and returns once it is on disk.
    ///
    /// An error of `body` rolls back its writes and is thrown here. `body` must not wait, and has no effect outside the transaction: it may run
    /// again. The transaction runs to its end even when the calling task is cancelled.
    ///
    /// - Parameter subjects: What the body reads and then writes, such as users and logs. Writes without a common subject may run side by side.
    ///   Nil: the body runs alone.
    /// - Throws: The error of `body`; ``StorageError``.
    package func write<Value: Sendable>(
        locking subjects: [String]? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await engine.write(locking: subjects, body, onCommit: { $0 })
    }

    /// Runs `body` in a transaction, and `onCommit` with its result once that is on disk. Returns what `onCommit` returns.
    ///
    /// All `onCommit` of a database run one after another in the order of their writes, so they may publish in that order. They
    /// delay the next commit, so they must not wait.
    ///
    /// - Throws: The error of `body`; ``StorageError``. `onCommit` does not run then.
    package func write<Value, Result: Sendable>(
        locking subjects: [String]? = nil, _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
        onCommit: @escaping @Sendable (Value) -> Result
    ) async throws -> Result {
        try await engine.write(locking: subjects, body, onCommit: onCommit)
    }

    /// Gives the room of removed rows back to the disk. Called after rows were removed, such as by a periodic task.
    ///
    /// - Throws: ``StorageError``.
    package func shrink() async throws { try await engine.shrink() }

    /// Bounds the growth of SQLite's file, as a disk with little room does: for tests.
    ///
    /// - Parameter pages: Nil ends the bound.
    package func limitGrowth(toPages pages: Int64?) async throws {
        try await write { transaction in
            let count = try transaction.one("PRAGMA page_count", as: Int64.self)
            // The default of SQLite.
            let maximum = pages.map { count + $0 } ?? 1_073_741_823
            _ = try transaction.one("PRAGMA max_page_count = \(maximum)", as: Int64.self)
        }
    }

    /// Waits for the writes under way, and closes the database. What SQLite's log has is moved into the file itself.
    package func close() { engine.close() }
}
