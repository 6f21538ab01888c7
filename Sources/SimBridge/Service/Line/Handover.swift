import SimBridgeWire
import StorageKit
import WireKit

/// Corrects the state of a command by REST whose host came or went while it was being stored.
struct Handover: Sendable {
    let store: Database
    let lines: Lines
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - stored: As it was stored: `accepted` or `sent`.
    ///   - delivery: The reply of the host's line after the commit.
    func finish(_ stored: StoredMessage, _ delivery: DeviceSocket.Delivery, to host: Device.ID) async throws {
        var stored = stored
        var delivery = delivery
        while true {
            switch (delivery, stored.state) {
            case (.written, .accepted):
                let (id, isOpen, time) = (stored.id, stored.seq != nil, now())
                return try await store.write { try $0.markSent(id, isOpen: isOpen, at: time) }
            case (.gone, .sent):
                let gone = stored
                let next = try await store.write { [lines] transaction in
                    try transaction.requeue(gone, for: Receiver(device: host, isNumbered: lines.numbers(host)))
                } onCommit: { [lines] (waiting: StoredMessage?) in
                    // The host may have come back, and looked before this commit.
                    waiting.map { ($0, lines.deliver($0, to: host, hasRelayKeys: false)) }
                }
                guard let next else { return }
                (stored, delivery) = next
            default: return
            }
        }
    }
}
