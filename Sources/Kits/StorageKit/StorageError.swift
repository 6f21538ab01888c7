import Foundation

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
        /// The server of the database cannot be reached, or is starting. Whether the last write was stored may be unknown.
        case unavailable
        /// Other writes were in the way each time that this one was tried.
        case conflict
        /// A column is missing or holds a value of another type than the requested one.
        case unreadable
    }

    package var code: Code
    package var description: String
}

extension StorageError {
    /// True for a failure that a later attempt may not have: callers are told to try again.
    package var isTemporary: Bool { [.overloaded, .unavailable, .conflict].contains(code) }

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
}
