import GRDB

extension GRDB.Database: Session {
    func query<Result>(
        _ sql: String, _ arguments: [(any SQLValue)?], isLong: Bool, _ body: (any RowCursor) throws -> Result
    ) throws -> Result {
        let statement = try cachedStatement(sql: sql)
        try statement.bind(arguments)
        let rows = StatementRows(statement, try Step.fetchCursor(statement))
        let result = try body(rows)
        try rows.finish()
        return result
    }

    func execute(_ sql: String, _ arguments: [(any SQLValue)?]) throws -> Int {
        let statement = try cachedStatement(sql: sql)
        try statement.bind(arguments)
        try statement.execute()
        return changesCount
    }

    func execute(script: String) throws { try execute(sql: script) }
}

extension ReadTransaction {
    /// The connection of a transaction of SQLite.
    var database: GRDB.Database {
        guard let database = session as? GRDB.Database else { preconditionFailure("This database is not in SQLite") }
        return database
    }
}

/// The rows of a statement of SQLite, which are read one by one.
private struct StatementRows: RowCursor {
    private let statement: Statement
    private let cursor: FastDatabaseValueCursor<Step>

    init(_ statement: Statement, _ cursor: FastDatabaseValueCursor<Step>) {
        self.statement = statement
        self.cursor = cursor
    }

    func next() throws -> Row? { try cursor.next().map { _ in Row(statement) } }

    /// Runs a statement with `RETURNING` to its end: GRDB registers its writes only then.
    func finish() throws {
        if !statement.isReadonly { while try cursor.next() != nil {} }
    }
}

/// Moves through a result without reading a column. GRDB's own cursor of rows makes a dictionary of the columns for each query.
private struct Step: DatabaseValueConvertible, StatementColumnConvertible {
    var databaseValue: DatabaseValue { .null }
    init() {}
    init(sqliteStatement: SQLiteStatement, index: CInt) {}
    static func fromStatement(_ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt) -> Step? { Step() }
    static func fromDatabaseValue(_ value: DatabaseValue) -> Step? { Step() }
}
