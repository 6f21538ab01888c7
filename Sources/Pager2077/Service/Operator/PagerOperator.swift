import Foundation
package import StorageKit
import WireKit

/// The commands of the operator of a pager service, beside the service or while it is stopped.
package struct PagerOperator: Sendable {
    private let database: DatabaseLocation

    /// - Parameter database: The service's.
    package init(database: DatabaseLocation) { self.database = database }

    /// The outcome of an order.
    package enum Outcome: Hashable, Sendable {
        case done, notFound
        /// The service runs, and carries the order out within seconds.
        case left
    }

    /// Returns the reports of users, latest first.
    ///
    /// - Throws: `StorageError`.
    package func reports() async throws -> [ReportSummary] {
        guard case .file(let file) = database else {
            let store = try Database(at: database, migrations: PagerMigrations.all)
            defer { store.close() }
            return try await store.read { try $0.reports() }
        }
        let store = try Database(reading: file.path)
        defer { store.close() }
        return try await store.read { transaction in
            // The database of an earlier version has no such table.
            guard try transaction.exists("SELECT 1 FROM sqlite_master WHERE name = 'reports'") else { return [] }
            return try transaction.reports()
        }
    }

    /// Carries out an order, or leaves it for the service that runs.
    ///
    /// - Throws: `StorageError`; `StartupError`.
    package func carryOut(_ order: OperatorOrder) async throws -> Outcome {
        let store: Database
        do {
            store = try Database(at: database, migrations: PagerMigrations.all)
        } catch {
            guard error.code == .inUse, case .file(let file) = database else { throw error }
            try OperatorOrders.leave(order, for: file)
            return .left
        }
        defer { store.close() }
        return try await store.write { try $0.carryOut(order, at: .now).isFound } ? .done : .notFound
    }
}
