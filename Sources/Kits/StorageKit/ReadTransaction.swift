/// Queries on one consistent snapshot. Valid only inside the body that received it.
///
/// Arguments take the place of `?` in order, or of `?1`, `?2`, … where one is needed twice. A query is prepared once for each connection
/// and cached: its text must be constant, and what varies an argument. Write what both SQLite and PostgreSQL take
/// (`Docs/Decisions/0021-storagekit-hides-grdb.md`).
///
/// A failure of a statement is thrown as ``StorageError`` where the transaction ends: by `Database.read` and `Database.write`.
package class ReadTransaction {
    let session: any Session

    init(_ session: any Session) { self.session = session }

    /// The first row of a result; nil when it is empty. Later rows are not looked at.
    ///
    /// - Throws: ``StorageError``; what decoding throws.
    package func first<Value: RowDecodable>(
        _ sql: String, _ arguments: (any SQLValue)?..., as type: Value.Type = Value.self
    ) throws -> Value? {
        try query(sql, arguments) { (rows: Rows<Value>) in try rows.next() }
    }

    /// The row of a query that always has one: `SELECT COUNT(*)`, or `INSERT … RETURNING`.
    ///
    /// - Throws: ``StorageError``, `unreadable` when there is none; what decoding throws.
    package func one<Value: RowDecodable>(
        _ sql: String, _ arguments: (any SQLValue)?..., as type: Value.Type = Value.self
    ) throws -> Value {
        let value = try query(sql, arguments) { (rows: Rows<Value>) in try rows.next() }
        guard let value else { throw StorageError(code: .unreadable, description: "No row: \(sql)") }
        return value
    }

    /// All rows of a result, in order.
    ///
    /// - Throws: ``StorageError``; what decoding throws.
    package func all<Value: RowDecodable>(
        _ sql: String, _ arguments: (any SQLValue)?..., as type: Value.Type = Value.self
    ) throws -> [Value] {
        try query(sql, arguments) { (rows: Rows<Value>) in
            var values: [Value] = []
            while let value = try rows.next() { values.append(value) }
            return values
        }
    }

    /// The rows of a result, in order, up to the first one that `predicate` refuses. Rows after it are not read.
    ///
    /// - Throws: ``StorageError``; what decoding or `predicate` throws.
    package func all<Value: RowDecodable>(
        _ sql: String, _ arguments: (any SQLValue)?..., as type: Value.Type = Value.self, while predicate: (Value) throws -> Bool
    ) throws -> [Value] {
        try query(sql, arguments, isLong: true) { (rows: Rows<Value>) in
            var values: [Value] = []
            while let value = try rows.next(), try predicate(value) { values.append(value) }
            return values
        }
    }

    /// True if the query returns a row.
    ///
    /// - Throws: ``StorageError``.
    package func exists(_ sql: String, _ arguments: (any SQLValue)?...) throws -> Bool {
        try query(sql, arguments) { (rows: Rows<AnyRow>) in try rows.next() != nil }
    }

    private func query<Value, Result>(
        _ sql: String, _ arguments: [(any SQLValue)?], isLong: Bool = false, _ body: (Rows<Value>) throws -> Result
    ) throws -> Result {
        try session.query(sql, arguments, isLong: isLong) { try body(Rows<Value>(cursor: $0)) }
    }
}

/// The result of a query, decoded row by row.
private struct Rows<Value: RowDecodable> {
    let cursor: any RowCursor

    func next() throws -> Value? { try cursor.next().map { try Value(row: $0) } }
}

/// A row whose columns are not read.
private struct AnyRow: RowDecodable {
    init(row: Row) {}
}
