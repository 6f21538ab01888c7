import Foundation
import WireKit

/// A place in a pool: a connection that is opened when it is first needed, and again after it was lost. Used by one job at a time.
final class PostgreSQLSlot: @unchecked Sendable {
    /// The slot's name in the table `transaction_marks`.
    let id = UUID().uuidString
    /// The number of the latest transaction of this slot.
    var transactionNumber: Int64 = 0
    fileprivate let queue: DispatchQueue
    private let address: PostgreSQLAddress
    private var open: PostgreSQLConnection?

    fileprivate init(_ address: PostgreSQLAddress) {
        self.address = address
        queue = DispatchQueue(label: "switchboard.postgresql")
    }

    /// - Throws: ``StorageError``, `unavailable` when no server answers.
    func connection() throws(StorageError) -> PostgreSQLConnection {
        if let open, open.isUsable { return open }
        open = nil
        let new = try PostgreSQLConnection(address)
        open = new
        return new
    }

    fileprivate func close() { open = nil }

    /// Runs statements outside a transaction, which may run twice: a connection that was lost is noticed when it is used.
    func run<Value>(_ statements: (PostgreSQLConnection) throws -> Value) throws -> Value {
        do {
            return try statements(connection())
        } catch let error as StorageError where error.code == .unavailable {
            open = nil
            return try statements(connection())
        }
    }
}

/// Connections that run jobs, in the order of their arrival. A connection blocks a thread while it runs one.
final class PostgreSQLPool: Sendable {
    /// The number of jobs that may wait. Further ones are refused at once.
    static let maximumWaiting = 10_000

    private struct Job: Sendable {
        var run: @Sendable (PostgreSQLSlot) -> Void
        var refuse: @Sendable (StorageError) -> Void
    }

    private struct State {
        var idle: [PostgreSQLSlot]
        var waiting: [Job] = []
        var isClosed = false
    }

    private let state: Locked<State>
    private let slots: [PostgreSQLSlot]

    /// The number of jobs behind those that run now.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// - Parameter count: The maximum number of connections.
    init(_ address: PostgreSQLAddress, count: Int) {
        slots = (0..<count).map { _ in PostgreSQLSlot(address) }
        state = Locked(State(idle: slots))
    }

    /// Runs `job` on a connection's thread, or `refuse` at once.
    func run(_ job: @escaping @Sendable (PostgreSQLSlot) -> Void, refuse: @escaping @Sendable (StorageError) -> Void) {
        enum Entry { case closed, full, behind, first(PostgreSQLSlot) }
        let job = Job(run: job, refuse: refuse)
        let entry = state.withLock { state -> Entry in
            if state.isClosed { return .closed }
            // The connection that was used last: the others are opened only when they are needed.
            if let slot = state.idle.popLast() { return .first(slot) }
            if state.waiting.count >= Self.maximumWaiting { return .full }
            state.waiting.append(job)
            return .behind
        }
        switch entry {
        case .behind: break
        case .first(let slot): slot.queue.async { self.work(on: slot, from: job) }
        case .closed: refuse(StorageError(code: .unavailable, description: "The database was closed"))
        case .full:
            refuse(StorageError(code: .overloaded, description: "More than \(Self.maximumWaiting) transactions are waiting"))
        }
    }

    private func work(on slot: PostgreSQLSlot, from first: Job) {
        var next: Job? = first
        while let job = next {
            job.run(slot)
            next = state.withLock { state in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                state.idle.append(slot)
                return nil
            }
        }
    }

    /// Waits for the jobs that were taken, and closes the connections.
    func close() {
        state.withLock { $0.isClosed = true }
        for slot in slots { slot.queue.sync { slot.close() } }
    }
}
