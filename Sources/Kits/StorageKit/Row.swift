/// A type that is read from one row of a result.
///
///     struct Score: RowDecodable {
///         var value: Int
///         var at: Timestamp
///
///         init(row: Row) throws {
///             value = try row.get("score")
///             at = try row.get("at")
///         }
///     }
package protocol RowDecodable {
    /// - Parameter row: Valid until this initializer returns.
    init(row: Row) throws
}

/// One row of a result. Valid only while it is decoded (``RowDecodable``).
package struct Row {
    private let source: any RowSource

    init(_ source: any RowSource) { self.source = source }

    /// Reads a column by name.
    ///
    /// - Throws: ``StorageError`` `unreadable` when there is no such column, or its value is not one of `Value`'s.
    package func get<Value: SQLValue>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        // Few columns: comparing names is faster than a dictionary, and the result keeps them.
        guard let index = source.columnNames.firstIndex(of: column) else { throw unreadable(column, "is not in the result") }
        return try value(at: index)
    }

    /// In the order of the columns.
    var values: [ColumnValue] { source.columnNames.indices.map(source.columnValue) }

    func value<Value: SQLValue>(at index: Int, as type: Value.Type = Value.self) throws -> Value {
        guard let value = Value(source.columnValue(at: index)) else {
            throw unreadable(source.columnNames[index], "is no \(Value.self)")
        }
        return value
    }

    /// The value itself may be private, and stays out of the log.
    private func unreadable(_ column: String, _ problem: String) -> StorageError {
        StorageError(code: .unreadable, description: "The column \(column) \(problem): \(source.sql)")
    }
}
