import GRDB

/// A failure of a database, in one line for the person who runs the program.
public struct StorageError: Error, Equatable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// A newer version of the program has changed the schema.
        case newerSchema
        /// Another process has the database open.
        case inUse
        /// The database cannot be opened, read or written: a full disk, missing rights, a statement that it refuses.
        case unusable
        /// The file is no database, or is damaged.
        case damaged
        /// More writes are waiting than the queue holds.
        case overloaded
        /// A column is missing or holds a value of another type than the requested one.
        case unreadable
    }

    public var code: Code
    public var description: String
}

extension StorageError {
    /// - Parameter error: Its message and SQL are kept, without arguments.
    init(_ error: DatabaseError) {
        let isDamaged = [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        self.init(code: isDamaged ? .damaged : .unusable, description: "\(error)")
    }

    /// Runs `body` and throws its database errors as ``StorageError``.
    static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StorageError(error)
        }
    }
}
