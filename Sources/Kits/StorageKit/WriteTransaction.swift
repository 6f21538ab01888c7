import GRDB

/// Queries and changes that take effect together, or not at all. Valid only inside the body that received it.
package final class WriteTransaction: ReadTransaction {
    /// Nil in a migration, which has no readers.
    let publisher: EventPublisher?
    /// The closures of ``onCommit(_:)``, in order.
    var afterCommit: [@Sendable () -> Void] = []

    init(_ database: GRDB.Database, publisher: EventPublisher? = nil) {
        self.publisher = publisher
        super.init(database)
    }

    /// Runs `body` once the transaction is on disk; never if it fails. `body` delays the next commit, so it must not wait.
    package func onCommit(_ body: @escaping @Sendable () -> Void) { afterCommit.append(body) }

    /// Runs one statement.
    ///
    /// - Returns: The number of rows that an `INSERT`, `UPDATE` or `DELETE` changed.
    /// - Throws: ``StorageError``.
    @discardableResult
    package func execute(_ sql: String, _ arguments: (any SQLValue)?...) throws -> Int {
        let statement = try database.cachedStatement(sql: sql)
        try statement.bind(arguments)
        try statement.execute()
        return database.changesCount
    }

    /// Runs any number of statements without arguments, as a schema is written.
    ///
    /// - Throws: ``StorageError``.
    package func execute(script: String) throws {
        try database.execute(sql: script)
    }
}
