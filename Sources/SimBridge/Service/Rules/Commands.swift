import Foundation
import GRDB
import SimBridgeWire
import StorageKit
import WireKit

/// Commands that are given by REST: written to the host now, or kept until it comes.
struct Commands: Sendable {
    /// Commands that may wait for one host.
    static let maximumQueued = 10_000

    let store: SQLiteStore
    let lines: Lines
    let now: @Sendable () -> Timestamp
    let quota: Quota

    /// - Parameter reqId: Chosen by the sender; the same again gives the first reply and relays nothing.
    func give(_ command: Command, to host: Device.ID, by account: Account.ID, reqId: RequestID?) async throws -> CommandReceipt {
        let time = now()
        let id = reqId ?? .random()
        let message = DeviceMessage(.command(command), reqId: id)
        let outcome = try await write { transaction -> Outcome in
            guard let reqId else { return try relay(message, to: host, by: account, at: time, in: transaction) }
            let outcome = Outcome()
            do {
                let content = Data("\(host)\n\(message.text)".utf8)
                let reply = try transaction.once(
                    reqId.rawValue.lowercased(), from: "account:\(account)", content: content, at: time.milliseconds
                ) {
                    let first = try relay(message, to: host, by: account, at: time, in: transaction)
                    outcome.first = first
                    return try WireJSON.encode(first.receipt)
                }
                outcome.receipt = try WireJSON.decode(from: reply)
                return outcome.first ?? outcome
            } catch is CommandConflict {
                throw RelayError(.conflict, "req_id already used for another command")
            }
        }
        if let stored = outcome.stored {
            try await Handover(store: store, lines: lines, now: now).settle(stored, outcome.delivery, to: host)
        }
        return outcome.receipt
    }

    private func write(_ body: @escaping @Sendable (WriteTransaction) throws -> Outcome) async throws -> Outcome {
        do {
            return try await quota.write(body)
        } catch is Quota.Full {
            throw RelayError(.unavailable, "Too much still has to be delivered", retryAfter: .seconds(60))
        }
    }

    private func relay(
        _ message: DeviceMessage, to host: Device.ID, by account: Account.ID, at time: Timestamp, in transaction: WriteTransaction
    ) throws -> Outcome {
        guard case .command(let command) = message.content, let id = message.reqId else {
            preconditionFailure("a command with an id")
        }
        if let deadline = command.deadline, deadline.timestamp <= now() {
            throw RelayError(.badRequest, LineFailure.deadlinePassedText)
        }
        let database = transaction.database
        let socket = lines[host]
        let client = try sender(to: host, socket, of: account, database)
        let isLive = socket?.isLive ?? false
        if !isLive, try database.openCount(for: host) >= Self.maximumQueued {
            throw RelayError(.unavailable, "Too many commands wait for this host", retryAfter: .seconds(60))
        }
        try quota.check(account, for: message.text, in: database)
        let end = time + Deadlines.of(command.name)
        let stored = try database.insert(
            NewMessage(
                account: account, from: client, receivers: [Receiver(device: host, isNumbered: lines.numbers(host))],
                type: .command, payload: message.text, isByREST: true, reqId: id, state: isLive ? .sent : .accepted,
                deadline: command.deadline.map { min($0.timestamp, end) } ?? end), at: time
        ).first?.message
        // Removed in the same moment.
        guard let stored else { throw RelayError(.forbidden, "Devices are not paired") }
        let outcome = Outcome()
        outcome.stored = stored
        outcome.receipt = CommandReceipt(status: isLive ? .sent : .queued, reqId: id)
        transaction.onCommit { [lines] in outcome.delivery = lines.deliver(stored, to: host, hasRelayKeys: false) }
        return outcome
    }

    /// The client device in whose name the command is given: the first one paired with the host.
    private func sender(
        to host: Device.ID, _ socket: DeviceSocket?, of account: Account.ID, _ database: Database
    ) throws -> Device.ID {
        // Pairs are of one account.
        if let socket, socket.device.kind == .host, socket.device.account == account, let first = socket.peers.first {
            return first.device
        }
        let paired = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT client FROM pairings JOIN devices ON devices.id = client WHERE host = ? AND account = ? ORDER BY pairings.id LIMIT 1
                    """), arguments: [host.rawValue, account.rawValue])
        if let paired { return Device.ID(paired) }
        let hasClient = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM devices WHERE account = ? AND kind = 'client')"),
            arguments: [account.rawValue])
        guard hasClient == true else { throw RelayError(.badRequest, "No client device registered") }
        throw RelayError(.forbidden, "Devices are not paired")
    }

    /// What a write found out. Written by the writer's thread before its caller is answered, and read after.
    private final class Outcome: @unchecked Sendable {
        var receipt = CommandReceipt(status: .queued, reqId: RequestID(""))
        /// Nil when the command had been given before.
        var stored: StoredMessage?
        var delivery = DeviceSocket.Delivery.replayed
        var first: Outcome?
    }
}
