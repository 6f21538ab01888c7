import GRDB

extension StorageError {
    /// - Parameter error: Its message and SQL are kept, without arguments.
    init(_ error: DatabaseError) {
        let code: Code =
            switch error.resultCode {
            case .SQLITE_NOTADB, .SQLITE_CORRUPT: .damaged
            case .SQLITE_FULL: .full
            // The shared memory of the write-ahead log did not get its pages.
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .full
            default: .unusable
            }
        self.init(code: code, description: "\(error)")
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
