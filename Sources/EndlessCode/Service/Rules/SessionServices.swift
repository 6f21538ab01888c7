import EndlessCodeWire
import Foundation
import Logging
import StorageKit
import WireKit

/// The parts of a server that its sessions use.
struct SessionServices: Sendable {
    var store: Database
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

    /// Runs a rule in one transaction, with the notifications of its events. Phones get the events once they are on disk.
    @discardableResult
    func commit<Value: Sendable>(
        _ rule: @escaping @Sendable (WriteTransaction, inout [LoggedEvent]) throws -> Value
    ) async throws -> Value {
        try await store.write { transaction in
            var events: [LoggedEvent] = []
            let value = try rule(transaction, &events)
            for change in events.compactMap(\.change) { try pushes.apply(change, at: now(), in: transaction) }
            return value
        }
    }

    /// Sends a frame that is not stored to all phones that are up to date.
    func broadcast(_ frame: ServerFrame, about session: Session.ID) {
        store.publish(transient: Data(frame.text.utf8), to: session.log)
    }

    static func newID() -> String { UUID().uuidString.lowercased() }
}
