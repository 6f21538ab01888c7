import SimBridgeWire
import StorageKit
import WireKit

/// Notes what became of a message that the store does not know yet: its receiver came or went in the same moment.
struct Handover: Sendable {
    let store: SQLiteStore
    let lines: Lines
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - stored: As it was stored: `accepted`, or `sent` to a receiver who acknowledges it.
    ///   - delivery: What the receiver's line said when that was committed.
    func settle(
        _ stored: StoredMessage, _ delivery: DeviceSocket.Delivery, to device: Device.ID, hasRelayKeys: Bool
    ) async throws {
        var stored = stored
        var delivery = delivery
        while true {
            switch (delivery, stored.state) {
            case (.written, .accepted):
                let (id, isOpen, time) = (stored.id, stored.seq != nil, now())
                return try await store.write { try $0.database.markSent(id, isOpen: isOpen, at: time) }
            case (.gone, .sent):
                stored.state = .accepted
                let (waiting, outcome) = (stored, Outcome())
                try await store.write { [lines] transaction in
                    try transaction.database.markWaiting(waiting.id)
                    // It may have come back meanwhile, and looked before.
                    transaction.onCommit {
                        outcome.delivery = lines[device]?.deliver(waiting, hasRelayKeys: hasRelayKeys) ?? .gone
                    }
                }
                delivery = outcome.delivery
            default: return
            }
        }
    }

    /// Written by the writer's thread before its caller is answered, and read after.
    private final class Outcome: @unchecked Sendable {
        var delivery = DeviceSocket.Delivery.replayed
    }
}
