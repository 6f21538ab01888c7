import GRDB
import WireKit

/// Commits together what was asked for while the last commit was under way, so that one sync of the disk serves many callers.
///
///     write ─┐                 ┌─▶ answer
///     write ─┼─▶ one BEGIN … COMMIT ─▶ answer          each of several in a savepoint: one that fails undoes only itself
///     write ─┘                 └─▶ answer
///
/// Runs on GRDB's own serial writer queue; there is no task to own.
final class GroupCommit: Sendable {
    /// Writes that may wait. Beyond that a caller is refused at once.
    static let maximumWaiting = 10_000
    /// Writes in one commit: what keeps a reader's snapshot and a caller's wait short.
    static let maximumBatch = 256

    private struct Job: Sendable {
        /// Runs inside the transaction; alone in it, or one of several.
        var run: @Sendable (Database, _ isAlone: Bool) -> Outcome
        /// Answers a caller whose job was not run.
        var refuse: @Sendable (any Error) -> Void
    }

    /// What to do once it is known how the commit went.
    private struct Outcome {
        var hasFailed = false
        var rung: [String: [StoredEvent]] = [:]
        var afterCommit: [@Sendable () -> Void] = []
        var answer: (_ failure: (any Error)?) -> Void
    }

    private struct Queue {
        var waiting: [Job] = []
        var isRunning = false
    }

    private let queue = Locked(Queue())
    private let pool: DatabasePool
    private let doorbell: Doorbell

    init(pool: DatabasePool, doorbell: Doorbell) {
        self.pool = pool
        self.doorbell = doorbell
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let run: @Sendable (Database, Bool) -> Outcome = { database, isAlone in
                let transaction = WriteTransaction(database)
                let result = Result {
                    if isAlone { try body(transaction) } else { try database.inCachedSavepoint { try body(transaction) } }
                }
                switch result {
                case .success(let value):
                    return Outcome(rung: transaction.rung, afterCommit: transaction.afterCommit) { failure in
                        if let failure { continuation.resume(throwing: failure) } else { continuation.resume(returning: value) }
                    }
                case .failure(let error):
                    return Outcome(hasFailed: true) { failure in continuation.resume(throwing: failure ?? error) }
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
            pool.asyncWriteWithoutTransaction { database in
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

    private func commit(_ batch: [Job], _ database: Database) {
        var outcomes: [Outcome] = []
        do {
            try database.inTransaction(.immediate) {
                outcomes = batch.map { $0.run(database, batch.count == 1) }
                return batch.count == 1 && outcomes[0].hasFailed ? .rollback : .commit
            }
        } catch {
            for outcome in outcomes { outcome.answer(error) }
            // A transaction that could not even begin has run no job; each has a caller who waits.
            for job in batch.dropFirst(outcomes.count) { job.refuse(error) }
            return
        }
        let rung = outcomes.reduce(into: [String: [StoredEvent]]()) { $0.merge($1.rung, uniquingKeysWith: +) }
        for (log, events) in rung { doorbell.ring(log, events) }
        for outcome in outcomes {
            for body in outcome.afterCommit { body() }
            outcome.answer(nil)
        }
    }
}

extension Database {
    /// As `inSavepoint`, with a value, and with statements that are prepared once: they are a good part of what a small write costs.
    fileprivate func inCachedSavepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try cachedStatement(sql: "SAVEPOINT job").execute()
        let value: Value
        do {
            value = try body()
        } catch {
            // Where the whole transaction was undone, there is no savepoint left; the first error is the one to tell.
            try? cachedStatement(sql: "ROLLBACK TRANSACTION TO SAVEPOINT job").execute()
            try? cachedStatement(sql: "RELEASE SAVEPOINT job").execute()
            throw error
        }
        try cachedStatement(sql: "RELEASE SAVEPOINT job").execute()
        return value
    }
}
