import Foundation
import WireKit

/// The engine of a schema in PostgreSQL, which several boxes may use at once.
///
/// Transactions are READ COMMITTED, with advisory locks on the subjects that they read and then write. One that names no subject runs alone. A
/// transaction that met another one, or whose connection was lost, is repeated. Whether a transaction whose `COMMIT` got no answer is on disk is
/// read from the table `transaction_marks`, in which each transaction writes its number.
final class PostgreSQLEngine: StorageEngine {
    /// The time for which a transaction is repeated, or waits for a server that is away.
    static let patience: Duration = .seconds(15)

    private let schema: String
    private let readers: PostgreSQLPool
    private let writers: PostgreSQLPool
    /// For transactions that run alone: their queue takes one connection and not all.
    private let alone: PostgreSQLPool
    private let order = CommitOrder()
    private let publisher: EventPublisher
    private let changes: ChangeFeed

    let isShared = true
    var waitingWriteCount: Int { writers.waitingCount + alone.waitingCount }

    /// Opens a schema, which is made where it is missing.
    ///
    /// - Throws: ``StorageError``.
    init(_ address: PostgreSQLAddress, migrations: [Migration], publisher: EventPublisher) throws(StorageError) {
        schema = address.schema
        guard schema.wholeMatch(of: /[a-z_][a-z0-9_]{0,50}/) != nil else {
            throw StorageError(code: .unusable, description: "A schema is named by letters, digits and underscores: \(schema)")
        }
        try PostgreSQLSchema(address).migrate(migrations)
        readers = PostgreSQLPool(address, count: 4)
        writers = PostgreSQLPool(address, count: 4)
        alone = PostgreSQLPool(address, count: 1)
        self.publisher = publisher
        changes = ChangeFeed(address, publisher: publisher, pool: readers)
        publisher.setAnnounce { [weak changes] log, seq in changes?.announce(log, seq) }
        changes.begin()
    }

    deinit { changes.end() }

    func read<Value: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            readers.run { slot in
                continuation.resume(
                    with: Result {
                        try self.repeating(slot) { connection in
                            try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                            let value = try body(ReadTransaction(connection))
                            if let failure = connection.failure { throw failure.error }
                            // Nothing was written: its end cannot fail.
                            connection.rollback()
                            return value
                        }
                    })
            } refuse: {
                continuation.resume(throwing: $0)
            }
        }
    }

    func write<Value, Result: Sendable>(
        locking subjects: [String]?, _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
        onCommit: @escaping @Sendable (Value) -> Result
    ) async throws -> Result {
        let locks = AdvisoryLock.statements(schema: schema, subjects: subjects)
        let pool = subjects == nil ? alone : writers
        return try await withCheckedThrowingContinuation { continuation in
            pool.run { slot in
                do {
                    try self.repeating(slot) { connection in
                        try self.transact(on: connection, slot, locks, body) { value, afterCommit in
                            for body in afterCommit { body() }
                            continuation.resume(returning: onCommit(value))
                        }
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            } refuse: {
                continuation.resume(throwing: $0)
            }
        }
    }

    /// - Parameter done: Runs once, in the order of the commits.
    private func transact<Value>(
        on connection: PostgreSQLConnection, _ slot: PostgreSQLSlot, _ locks: String,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value,
        done: @escaping @Sendable (Value, [@Sendable () -> Void]) -> Void
    ) throws {
        slot.transactionNumber += 1
        try connection.begin("BEGIN; \(locks); \(TransactionMark.write(slot.transactionNumber, of: slot.id))")
        let transaction = WriteTransaction(connection, publisher: publisher)
        let value = try body(transaction)
        let ticket = order.ticket()
        do {
            let isCommitted = try connection.commit() ?? wasCommitted(slot)
            if isCommitted {
                let (afterCommit, value) = (transaction.afterCommit, UncheckedBox(value))
                order.end(ticket) { done(value.value, afterCommit) }
                return
            }
        } catch {
            order.end(ticket, nil)
            throw error
        }
        order.end(ticket, nil)
        throw StorageError(code: .conflict, description: "The transaction was not committed")
    }

    /// Reads on a new connection whether the latest transaction of a slot is on disk. Waits for one that is still ending.
    private func wasCommitted(_ slot: PostgreSQLSlot) throws -> Bool {
        let end = ContinuousClock.now + Self.patience
        while true {
            do {
                let connection = try slot.connection()
                try connection.begin("BEGIN")
                defer { connection.rollback() }
                return try TransactionMark.number(of: slot.id, on: connection) == slot.transactionNumber
            } catch {
                guard ContinuousClock.now < end else {
                    throw StorageError(
                        code: .unavailable,
                        description:
                            "The connection to PostgreSQL was lost in a commit: it is not known whether the write was stored")
                }
                Thread.sleep(forTimeInterval: 0.2)
            }
        }
    }

    /// Runs a transaction until it succeeds, or fails in a way that another attempt would not mend.
    private func repeating<Value>(_ slot: PostgreSQLSlot, _ transaction: (PostgreSQLConnection) throws -> Value) throws -> Value {
        let end = ContinuousClock.now + Self.patience
        var (attempt, uniqueKeys) = (0, 0)
        while true {
            attempt += 1
            let connection: PostgreSQLConnection
            do throws(StorageError) {
                connection = try slot.connection()
            } catch {
                guard error.code == .unavailable, ContinuousClock.now < end else { throw error }
                Thread.sleep(forTimeInterval: 0.2)
                continue
            }
            do {
                return try transaction(connection)
            } catch {
                let failure = connection.failure
                connection.rollback()
                if failure?.state == "23505" { uniqueKeys += 1 }
                guard failure?.isTransient == true, uniqueKeys < 3, ContinuousClock.now < end else { throw failure?.error ?? error }
                // Longer each time, and not in step with the other one.
                Thread.sleep(forTimeInterval: .random(in: 0...0.005 * pow(2, Double(min(attempt, 7)))))
            }
        }
    }

    /// PostgreSQL reuses the room by itself (autovacuum).
    func shrink() async throws {
        _ = try await write(locking: []) {
            try TransactionMark.removeOld($0)
        } onCommit: {
            $0
        }
    }

    func close() {
        changes.end()
        for pool in [writers, alone, readers] { pool.close() }
    }
}

/// Carries a result from a connection's thread to the task that waits for it.
private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// Locks that end with their transaction. PostgreSQL's manual, *Explicit Locking*, *Advisory Locks*.
enum AdvisoryLock {
    /// - Parameter subjects: Nil: everything in the schema.
    static func statements(schema: String, subjects: [String]?) -> String {
        let all = key(schema, "")
        guard let subjects else { return "SELECT pg_advisory_xact_lock(\(all))" }
        // In one order, so that no two transactions wait for each other.
        let keys = Set(subjects.map { key(schema, $0) }).sorted()
        return (["SELECT pg_advisory_xact_lock_shared(\(all))"] + keys.map { "SELECT pg_advisory_xact_lock(\($0))" })
            .joined(separator: "; ")
    }

    /// FNV-1a, 64 bits. Two subjects with one key only wait for each other.
    private static func key(_ schema: String, _ subject: String) -> Int64 {
        let hash = (Array(schema.utf8) + [0] + Array(subject.utf8)).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        return Int64(bitPattern: hash)
    }
}

/// The number of a connection's latest transaction, written in that transaction: it says whether the transaction is on disk.
enum TransactionMark {
    static let table = """
        CREATE TABLE IF NOT EXISTS transaction_marks (
            slot TEXT PRIMARY KEY,
            number BIGINT NOT NULL,
            at TIMESTAMPTZ NOT NULL DEFAULT now()
        )
        """

    static func write(_ number: Int64, of slot: String) -> String {
        """
        INSERT INTO transaction_marks (slot, number) VALUES ('\(slot)', \(number))
        ON CONFLICT (slot) DO UPDATE SET number = excluded.number, at = excluded.at
        """
    }

    /// Waits until a transaction that is writing the mark has ended.
    static func number(of slot: String, on connection: PostgreSQLConnection) throws -> Int64? {
        // A first mark is not visible yet, and is not waited for: an insert of the same key is.
        _ = try connection.execute("INSERT INTO transaction_marks (slot, number) VALUES (?, 0) ON CONFLICT DO NOTHING", [slot])
        return try connection.query("SELECT number FROM transaction_marks WHERE slot = ? FOR UPDATE", [slot]) { rows in
            try rows.next().map { try $0.value(at: 0) }
        }
    }

    static func removeOld(_ transaction: WriteTransaction) throws {
        try transaction.execute("DELETE FROM transaction_marks WHERE at < now() - INTERVAL '1 day'")
    }
}
