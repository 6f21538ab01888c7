import Foundation
import SimBridgeWire
import StorageKit
import WireKit

/// Commands given by REST: written to the host at once, or stored until it connects.
struct Commands: Sendable {
    /// Maximum commands that wait for one host.
    static let maximumQueued = 10_000

    let store: Database
    let lines: Lines
    let now: @Sendable () -> Timestamp
    let quota: Quota

    /// - Parameter reqId: The sender's idempotency key. A repeated key returns the first reply and relays nothing.
    func give(_ command: Command, to host: Device.ID, by account: Account.ID, reqId: RequestID?) async throws -> CommandReceipt {
        let time = now()
        let id = reqId ?? .random()
        // Encoded once: for the comparison with a repetition, for the quota, and as the payload.
        let payload = DeviceMessage(.command(command), reqId: id).text
        let relayed: Relayed
        do {
            relayed = try await quota.write { transaction in
                guard let reqId else { return try relay(command, id, payload, to: host, by: account, at: time, in: transaction) }
                let (key, content) = (reqId.rawValue.lowercased(), Data("\(host)\n\(payload)".utf8))
                var stored: StoredMessage?
                let receipt = try transaction.once(key, from: "account:\(account)", content: content, at: time) {
                    let relayed = try relay(command, id, payload, to: host, by: account, at: time, in: transaction)
                    stored = relayed.stored
                    return relayed.receipt
                }
                return Relayed(receipt: receipt, stored: stored)
            } onCommit: { [lines] (relayed: Relayed) in
                var relayed = relayed
                if let stored = relayed.stored { relayed.delivery = lines.deliver(stored, to: host, hasRelayKeys: false) }
                return relayed
            }
        } catch is Quota.Full {
            throw RelayError(.unavailable, "Too much still has to be delivered", retryAfter: .seconds(60))
        } catch is CommandConflict {
            throw RelayError(.conflict, "req_id already used for another command")
        }
        if let stored = relayed.stored {
            try await Handover(store: store, lines: lines, now: now).finish(stored, relayed.delivery, to: host)
        }
        return relayed.receipt
    }

    /// The result of the transaction that relays a command.
    private struct Relayed: Sendable {
        var receipt: CommandReceipt
        /// The stored message; nil for a repeated command.
        var stored: StoredMessage?
        var delivery = DeviceSocket.Delivery.replayed
    }

    private func relay(
        _ command: Command, _ id: RequestID, _ payload: String, to host: Device.ID, by account: Account.ID, at time: Timestamp,
        in transaction: WriteTransaction
    ) throws -> Relayed {
        if let deadline = command.deadline, deadline.timestamp <= now() {
            throw RelayError(.badRequest, LineFailure.deadlinePassedText)
        }
        let socket = lines[host]
        let client = try sender(to: host, socket, of: account, transaction)
        let isLive = socket?.isLive ?? false
        if !isLive, try transaction.openCount(for: host) >= Self.maximumQueued {
            throw RelayError(.unavailable, "Too many commands wait for this host", retryAfter: .seconds(60))
        }
        try quota.check(account, for: payload, in: transaction)
        let end = time + Deadlines.of(command.name)
        let stored = try transaction.insert(
            NewMessage(
                account: account, from: client, receivers: [Receiver(device: host, isNumbered: lines.numbers(host))],
                type: .command, payload: payload, isByREST: true, reqId: id, state: isLive ? .sent : .accepted,
                deadline: command.deadline.map { min($0.timestamp, end) } ?? end), at: time
        ).first?.message
        // The host was removed meanwhile.
        guard let stored else { throw RelayError(.forbidden, "Devices are not paired") }
        return Relayed(receipt: CommandReceipt(status: isLive ? .sent : .queued, reqId: id), stored: stored)
    }

    /// Returns the client that counts as the sender: the first client paired with the host.
    private func sender(
        to host: Device.ID, _ socket: DeviceSocket?, of account: Account.ID, _ transaction: ReadTransaction
    ) throws -> Device.ID {
        // Both devices of a pair belong to one account.
        if let socket, socket.device.kind == .host, socket.device.account == account, let first = socket.peers.first {
            return first.device
        }
        let paired = try transaction.first(
            """
            SELECT client FROM pairings JOIN devices ON devices.id = client WHERE host = ? AND account = ?
            ORDER BY pairings.id LIMIT 1
            """, host, account, as: Device.ID.self)
        if let paired { return paired }
        guard try transaction.exists("SELECT 1 FROM devices WHERE account = ? AND kind = 'client'", account) else {
            throw RelayError(.badRequest, "No client device registered")
        }
        throw RelayError(.forbidden, "Devices are not paired")
    }
}
