import Foundation
import GRDB
import GRDBSQLite

// Values go to SQLite and come from it directly. GRDB's own arguments are two arrays of existentials for each statement, which cost a relay
// a thirtieth of its time.

extension Statement {
    /// Binds `arguments` to the parameters, in order.
    ///
    /// - Throws: `DatabaseError` unless there is one argument for each parameter, and when a value is too large for SQLite.
    func bind(_ arguments: [(any SQLValue)?]) throws {
        let count = sqlite3_bind_parameter_count(sqliteStatement)
        guard arguments.count == count else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "\(arguments.count) arguments for \(count) parameters", sql: sql)
        }
        // Without arguments, this resets the statement, and GRDB takes what is bound below.
        setUncheckedArguments(StatementArguments())
        for (index, argument) in zip(CInt(1)..., arguments) {
            let result = (argument?.columnValue ?? .null).bind(to: sqliteStatement, at: index)
            guard result == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: result), sql: sql) }
        }
    }
}

extension Statement: RowSource {
    func columnValue(at index: Int) -> ColumnValue { ColumnValue(sqliteStatement, CInt(index)) }
}

extension ColumnValue {
    /// Binds the value to a parameter, counted from 1. SQLite copies texts and bytes.
    ///
    /// - Returns: SQLite's result code.
    fileprivate func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        let copied = unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let value): return sqlite3_bind_int64(statement, index, value)
        case .real(let value): return sqlite3_bind_double(statement, index, value)
        case .text(var value):
            return value.withUTF8 { bytes in
                // An empty buffer may have no address, which would bind NULL.
                guard let address = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, copied) }
                return address.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text(statement, index, $0, CInt(clamping: bytes.count), copied)
                }
            }
        case .blob(let value):
            return value.withUnsafeBytes { bytes in
                guard let address = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
                return sqlite3_bind_blob(statement, index, address, CInt(clamping: bytes.count), copied)
            }
        }
    }

    /// The value of a column of the current row, counted from 0.
    init(_ statement: SQLiteStatement, _ index: CInt) {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            let text = sqlite3_column_text(statement, index)
            // Read after the text, since it counts the bytes of the form last read.
            let count = Int(sqlite3_column_bytes(statement, index))
            self = .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = sqlite3_column_blob(statement, index)
            self = .blob(Data(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index)))))
        default: self = .null
        }
    }
}
