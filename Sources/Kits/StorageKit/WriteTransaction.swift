/// Queries and changes that take effect together, or not at all. Valid only inside the body that received it.
package final class WriteTransaction: ReadTransaction {
    /// Nil in a migration, which has no readers.
    let publisher: EventPublisher?
    /// The closures of ``onCommit(_:)``, in order.
    var afterCommit: [@Sendable () -> Void] = []

    init(_ session: any Session, publisher: EventPublisher? = nil) {
        self.publisher = publisher
        super.init(session)
    }

    /// Runs `body` once the transaction is on disk; never if it fails. `body` delays the next commit, so it must not wait.
    package func onCommit(_ body: @escaping @Sendable () -> Void) { afterCommit.append(body) }

    /// Runs one statement.
    ///
    /// - Returns: The number of rows that an `INSERT`, `UPDATE` or `DELETE` changed.
    /// - Throws: ``StorageError``.
    @discardableResult
    package func execute(_ sql: String, _ arguments: (any SQLValue)?...) throws -> Int {
        try session.execute(sql, arguments)
    }

    /// Runs any number of statements without arguments, as a schema is written.
    ///
    /// - Throws: ``StorageError``.
    package func execute(script: String) throws {
        try session.execute(script: script)
    }
}
