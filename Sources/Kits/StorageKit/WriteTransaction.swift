public import GRDB

/// What a write may do. Valid only inside the body that it was given to.
public final class WriteTransaction {
    public let database: Database
    /// What was appended, by log, to be told once the transaction is on disk.
    var rung: [String: [StoredEvent]] = [:]

    init(_ database: Database) { self.database = database }
}
