import SimBridgeWire
import StorageKit
import WireKit

/// Settles a command by REST whose host came or went while it was being stored.
struct Handover: Sendable {
    let store: SQLiteStore
    let lines: Lines
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - stored: As it was stored: `accepted` or `sent`.
    ///   - delivery: The answer of the host's line after the commit.
    func settle(_ stored: StoredMessage, _ delivery: DeviceSocket.Delivery, to host: Device.ID) async throws {
        var stored = stored
        var delivery = delivery
        while true {
            switch (delivery, stored.state) {
            case (.written, .accepted):
                let (id, isOpen, time) = (stored.id, stored.seq != nil, now())
                return try await store.write { try $0.database.markSent(id, isOpen: isOpen, at: time) }
            case (.gone, .sent):
                let (gone, outcome) = (stored, Outcome())
                let waiting = try await store.write { [lines] transaction -> StoredMessage? in
                    // By the line that came next.
                    if try transaction.database.isWritten(gone.id, on: lines) { return nil }
                    let receiver = Receiver(device: host, isNumbered: lines.numbers(host))
                    guard let waiting = try transaction.database.requeue(gone, for: receiver) else { return nil }
                    // The host may have come back, and looked before this commit.
                    transaction.onCommit {
                        outcome.delivery = lines.deliver(waiting, to: host, hasRelayKeys: false)
                    }
                    return waiting
                }
                guard let waiting else { return }
                (stored, delivery) = (waiting, outcome.delivery)
            default: return
            }
        }
    }

    /// Written by the writer's thread before its caller is answered, and read after.
    private final class Outcome: @unchecked Sendable {
        var delivery = DeviceSocket.Delivery.replayed
    }
}
