/// Why a database cannot be used, in one line for the person who runs the program.
public struct StorageError: Error, Equatable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// A newer version of the program has changed the schema.
        case newerSchema
        /// Another process has it open.
        case inUse
        /// It cannot be opened, read or written.
        case unusable
        /// More writes wait than are queued.
        case overloaded
    }

    public var code: Code
    public var description: String
}
