import Foundation
import GRDB

/// A failure of a database, in one line for the person who runs the program.
package struct StorageError: Error, Equatable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// A newer version of the program has changed the schema.
        case newerSchema
        /// Another process has the database open.
        case inUse
        /// The database cannot be opened, read or written: missing rights, a statement that it refuses.
        case unusable
        /// The disk is full. The transaction was rolled back; the same write succeeds once there is room.
        case full
        /// The file is no database, or is damaged.
        case damaged
        /// More writes are waiting than the queue holds.
        case overloaded
        /// A column is missing or holds a value of another type than the requested one.
        case unreadable
    }

    package var code: Code
    package var description: String
}

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

    /// True for a failure that ends once the disk has room: of a database, of Foundation's files, of a system call.
    package static func isFullDisk(_ error: any Error) -> Bool {
        switch error {
        case let error as StorageError: error.code == .full
        case let error as CocoaError where error.code == .fileWriteOutOfSpace: true
        case let error as POSIXError: [.ENOSPC, .EDQUOT].contains(error.code)
        case let error as CocoaError: error.underlying.map(isFullDisk) ?? false
        default: false
        }
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
