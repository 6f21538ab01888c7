public import GRDB

/// What a write may do. Valid only inside the body that it was given to.
public final class WriteTransaction {
    public let database: Database
    /// What was appended, by log, to be told once the transaction is on disk.
    var rung: [String: [StoredEvent]] = [:]
    /// What to do once the transaction is on disk.
    var afterCommit: [@Sendable () -> Void] = []

    init(_ database: Database) { self.database = database }

    /// Has `body` run once the transaction is on disk, before its caller is answered; never when it is undone.
    ///
    /// All bodies of a store run one after another in the order of the writes, so they may hand things on in that order. They hold up the
    /// next commit: nothing that waits belongs in them.
    public func onCommit(_ body: @escaping @Sendable () -> Void) { afterCommit.append(body) }
}
