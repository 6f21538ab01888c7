public import GRDB

/// One named step of a schema, run once, in a transaction. Never change one that has been released; add another.
public struct Migration: Sendable {
    public var name: String
    public var migrate: @Sendable (Database) throws -> Void

    public init(_ name: String, migrate: @escaping @Sendable (Database) throws -> Void) {
        self.name = name
        self.migrate = migrate
    }
}
