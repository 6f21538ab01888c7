import EndlessCodeWire
import Foundation
import Logging
import StorageKit
import WireKit

/// The parts of a server that its sessions use.
struct SessionServices: Sendable {
    var store: Database
    var phones: Phones
    var pushes: SessionPushes
    var audit: AuditFile
    var launcher: AgentLauncher
    /// The time that a question stays open.
    var promptTimeout: Duration
    var clock: any Clock<Duration>
    var now: @Sendable () -> Timestamp
    /// The time by which durations are measured: a change of the computer's clock does not change it.
    var uptime: @Sendable () -> ContinuousClock.Instant
    var logger: Logger

    /// Runs a rule in one transaction, and sends its events once they are on disk, in the order of the transactions.
    @discardableResult
    func commit<Value: Sendable>(
        _ rule: @escaping @Sendable (WriteTransaction, inout [LoggedFrame]) throws -> Value
    ) async throws -> Value {
        try await store.write { transaction in
            var frames: [LoggedFrame] = []
            let value = try rule(transaction, &frames)
            for change in frames.compactMap(\.change) { try pushes.apply(change, at: now(), in: transaction) }
            return (value, frames)
        } onCommit: { [phones] (result: (Value, [LoggedFrame])) in
            phones.publish(result.1)
            return result.0
        }
    }

    static func newID() -> String { UUID().uuidString.lowercased() }
}
