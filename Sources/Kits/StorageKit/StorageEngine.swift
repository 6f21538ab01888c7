/// Runs the transactions of a ``Database``: SQLite in a file of this machine, or PostgreSQL.
protocol StorageEngine: Sendable {
    /// True if other processes may use the database at the same time.
    var isShared: Bool { get }
    /// The number of writes that wait for those before them.
    var waitingWriteCount: Int { get }

    /// See ``Database/read(_:)``.
    func read<Value: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Value) async throws -> Value

    /// See ``Database/write(locking:_:onCommit:)``.
    func write<Value, Result: Sendable>(
        locking subjects: [String]?, _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
        onCommit: @escaping @Sendable (Value) -> Result
    ) async throws -> Result

    /// Gives the room of removed rows back.
    func shrink() async throws

    /// Waits for the writes under way, and closes the database.
    func close()
}

/// A connection that runs the statements of one transaction.
protocol Session: AnyObject {
    /// - Parameter isLong: True if `body` may leave most of a long result unread.
    func query<Result>(
        _ sql: String, _ arguments: [(any SQLValue)?], isLong: Bool, _ body: (any RowCursor) throws -> Result
    ) throws -> Result

    /// - Returns: The number of rows that an `INSERT`, `UPDATE` or `DELETE` changed.
    func execute(_ sql: String, _ arguments: [(any SQLValue)?]) throws -> Int

    func execute(script: String) throws
}

/// Moves through the rows of a result.
protocol RowCursor {
    func next() throws -> Row?
}

/// The result from which a row reads its columns.
protocol RowSource {
    var sql: String { get }
    var columnNames: [String] { get }
    /// - Parameter index: From 0.
    func columnValue(at index: Int) -> ColumnValue
}
