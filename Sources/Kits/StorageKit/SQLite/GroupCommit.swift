import GRDB
import WireKit

/// Commits together the writes that arrive while the last commit is under way, so that one sync of the disk serves many callers.
///
///     write ─┐                      ┌─▶ reply
///     write ─┼─▶ one BEGIN … COMMIT ┼─▶ reply          each of several in a savepoint: one that fails undoes only itself
///     write ─┘                      └─▶ reply
///
/// Runs on GRDB's own serial writer queue; there is no task to own.
final class GroupCommit: Sendable {
    /// The number of writes that may wait. Further ones are refused at once.
    static let maximumWaiting = 10_000
    /// The number of writes in one commit. Bounds the age of a reader's snapshot, and a caller's wait.
    static let maximumBatch = 256

    private struct Job: Sendable {
        /// Runs inside the transaction, alone in it or as one of several.
        var run: @Sendable (GRDB.Database, _ isAlone: Bool) -> Outcome
        /// Fails a write that was not run.
        var refuse: @Sendable (any Error) -> Void
    }

    /// A write that was run, and what follows the commit.
    private struct Outcome {
        var failure: (any Error)?
        var afterCommit: [@Sendable () -> Void] = []
        var reply: (_ failure: (any Error)?) -> Void
    }

    private struct Queue {
        var waiting: [Job] = []
        var isRunning = false
    }

    private let queue = Locked(Queue())
    private let connections: any DatabaseWriter
    private let publisher: EventPublisher

    /// The number of writes behind the transaction that runs now.
    var waitingCount: Int { queue.withLock { $0.waiting.count } }

    init(connections: any DatabaseWriter, publisher: EventPublisher) {
        self.connections = connections
        self.publisher = publisher
    }

    func write<Value, Result: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value, onCommit: @escaping @Sendable (Value) -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let run: @Sendable (GRDB.Database, Bool) -> Outcome = { [publisher] database, isAlone in
                let transaction = WriteTransaction(database, publisher: publisher)
                let result = Swift.Result {
                    try StorageError.translating {
                        if isAlone { try body(transaction) } else { try database.inCachedSavepoint { try body(transaction) } }
                    }
                }
                switch result {
                case .success(let value):
                    return Outcome(afterCommit: transaction.afterCommit) { failure in
                        if let failure {
                            continuation.resume(throwing: failure)
                        } else {
                            continuation.resume(returning: onCommit(value))
                        }
                    }
                case .failure(let error):
                    return Outcome(failure: error) { failure in continuation.resume(throwing: failure ?? error) }
                }
            }
            let job = Job(run: run, refuse: { continuation.resume(throwing: $0) })
            if !enqueue(job) {
                job.refuse(StorageError(code: .overloaded, description: "More than \(Self.maximumWaiting) writes are waiting"))
            }
        }
    }

    private func enqueue(_ job: Job) -> Bool {
        enum Entry { case full, behind, first }
        let entry = queue.withLock { queue -> Entry in
            if queue.waiting.count >= Self.maximumWaiting { return .full }
            queue.waiting.append(job)
            if queue.isRunning { return .behind }
            queue.isRunning = true
            return .first
        }
        if entry == .first {
            connections.asyncWriteWithoutTransaction { database in
                while let batch = self.nextBatch() { self.commit(batch, database) }
            }
        }
        return entry != .full
    }

    private func nextBatch() -> [Job]? {
        queue.withLock { queue in
            guard !queue.waiting.isEmpty else {
                queue.isRunning = false
                return nil
            }
            let batch = queue.waiting.prefix(Self.maximumBatch)
            queue.waiting.removeFirst(batch.count)
            return Array(batch)
        }
    }

    private func commit(_ batch: [Job], _ database: GRDB.Database) {
        var outcomes: [Outcome] = []
        do {
            try database.inTransaction(.immediate) {
                for job in batch {
                    outcomes.append(job.run(database, batch.count == 1))
                    // A full disk has rolled back the whole transaction, with the jobs before.
                    if let failure = outcomes.last?.failure, !database.isInsideTransaction { throw failure }
                }
                return batch.count == 1 && outcomes[0].failure != nil ? .rollback : .commit
            }
        } catch {
            let failure = (error as? DatabaseError).map { StorageError($0) } ?? error
            for outcome in outcomes { outcome.reply(failure) }
            // A transaction that could not even begin has run no job; each has a caller who waits.
            for job in batch.dropFirst(outcomes.count) { job.refuse(failure) }
            return
        }
        for outcome in outcomes {
            for body in outcome.afterCommit { body() }
            outcome.reply(nil)
        }
    }
}

extension GRDB.Database {
    /// As `inSavepoint`, with a value, and with cached statements: preparing them is a good part of what a small write costs.
    fileprivate func inCachedSavepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try cachedStatement(sql: "SAVEPOINT job").execute()
        let value: Value
        do {
            value = try body()
        } catch {
            // After a rollback of the whole transaction there is no savepoint left; the first error is the one that counts.
            try? cachedStatement(sql: "ROLLBACK TRANSACTION TO SAVEPOINT job").execute()
            try? cachedStatement(sql: "RELEASE SAVEPOINT job").execute()
            throw error
        }
        try cachedStatement(sql: "RELEASE SAVEPOINT job").execute()
        return value
    }
}
