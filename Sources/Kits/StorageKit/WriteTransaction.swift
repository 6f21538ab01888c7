public import GRDB

/// What a write may do. Valid only inside the body that it was given to.
public final class WriteTransaction {
    public let database: Database
    /// The logs that were appended to, to be told of once the transaction is on disk.
    var rung: Set<String> = []

    init(_ database: Database) { self.database = database }
}
