import GRDB

/// Counts commits. Called on the writer's queue, and read when no write is under way.
final class CommitCounter: TransactionObserver, @unchecked Sendable {
    var commits = 0

    func observe(_ database: Database) { database.add(transactionObserver: self, extent: .databaseLifetime) }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { commits += 1 }
    func databaseDidRollback(_ database: Database) {}
}
