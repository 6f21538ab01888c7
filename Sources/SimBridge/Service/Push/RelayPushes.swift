import Foundation
import PushKit
import ServerKit
import SimBridgeWire
import StorageKit
import WireKit

/// The relay's notifications: the push settings of devices, and the outbox.
struct RelayPushes: Sendable {
    let store: Database
    let outbox: PushOutbox
    let lines: Lines
    let now: @Sendable () -> Timestamp
    let services: PushServices
    let confirmationTime: Duration

    // MARK: Settings of a device

    /// - Throws: ``RelayError`` for a device that is not a client of the account; `FieldErrors` for an invalid address.
    func set(_ settings: PushSettings<PushContent>, for device: Device.ID, of account: Account.ID) async throws {
        var settings = settings
        do throws(PushAddressError) {
            settings.address = try services.validated(settings.address)
        } catch {
            var fields = FieldReader([:])
            fields.report("address", .invalid, error.reason)
            return try fields.finish()
        }
        try await store.write { [settings, now] transaction in
            guard try transaction.device(device, of: account, .client) != nil else {
                throw RelayError(.notFound, "Device not found")
            }
            try transaction.store(settings, of: device, at: now())
        }
    }

    /// - Throws: ``RelayError`` for a device that is no client of the account.
    func remove(_ device: Device.ID, of account: Account.ID) async throws {
        try await store.write { transaction in
            guard try transaction.device(device, of: account, .client) != nil else {
                throw RelayError(.notFound, "Device not found")
            }
            try PushDevices.remove(device, in: transaction)
        }
    }

    // MARK: Events of a host

    /// The change of the outbox that an event causes.
    private enum Change {
        case notify(RelayNotification)
        /// Withdraws the notification of the reported call.
        case withdraw(PhoneEvent.CallState, host: Device.ID, number: String?)

        /// - Returns: nil for an event that changes nothing.
        init?(_ event: PhoneEvent, of host: Device.ID, _ numbers: PhoneNumberMatcher) {
            if case .callState(let state, _, let from, _) = event {
                guard state != .dialing, state != .ringing else { return nil }
                self = .withdraw(state, host: host, number: from)
            } else if let notification = RelayNotification(event, by: host, numbers) {
                self = .notify(notification)
            } else {
                return nil
            }
        }
    }

    private static let events: Set = ["INCOMING_SMS", "INCOMING_CALL", "CALL_STATE", "SIM_INFO"]

    /// Enqueues or withdraws notifications of a host's event for the receivers with push settings, which one query finds. Stores
    /// the countries of the host's SIM cards, by which numbers are compared.
    ///
    /// - Parameter copies: The message for each of its receivers.
    func apply(
        _ envelope: Envelope, from sender: DeviceRecord, to copies: [(receiver: Device.ID, message: StoredMessage)],
        at time: Timestamp, in transaction: WriteTransaction
    ) throws {
        guard sender.kind == .host, envelope.type == "event", case .string(let name) = envelope.object["event"],
            Self.events.contains(name)
        else { return }
        let wanting = name == "SIM_INFO" ? [] : try transaction.devicesWithPush(among: copies.map(\.receiver), of: sender.id)
        guard !wanting.isEmpty || name == "SIM_INFO" else { return }
        let report = RelayMessage(.object(envelope.object))
        guard case .event(let event) = report.content else { return }
        if case .simInfo(let cards) = event { return try transaction.store(PhoneNumberMatcher(cards), of: sender.id) }
        guard let change = Change(event, of: sender.id, try transaction.numbers(of: sender.id)) else { return }
        for (receiver, message) in copies where wanting.contains(receiver) {
            switch change {
            case .notify(let notification):
                let lifetime = notification.lifetime(after: report.details.hostTime, at: time)
                guard lifetime > .zero else { continue }
                try outbox.enqueue(
                    PushDraft(
                        recipient: "\(receiver)", cause: message.seq, content: WireJSON.encode(notification),
                        delay: lines.foreground.contains(receiver) ? confirmationTime : .zero, lifetime: lifetime),
                    in: transaction)
            case .withdraw(let state, let host, let number):
                try outbox.withdraw(for: "\(receiver)", in: transaction) { entry in
                    let notification = try? WireJSON.decode(RelayNotification.self, from: entry.content)
                    return notification?.isOver(by: state, of: host, number: number) ?? false
                }
            }
        }
    }

    /// Withdraws the notifications of events that a client has acknowledged in the foreground.
    func confirm(upTo seq: Int64, by device: Device.ID, in transaction: WriteTransaction) throws {
        if seq > 0 { try outbox.withdraw(for: "\(device)", causes: 1...seq, in: transaction) }
    }
}

extension WriteTransaction {
    fileprivate func store(_ numbers: PhoneNumberMatcher, of host: Device.ID) throws {
        let codes = String(decoding: try WireJSON.encode(numbers.callingCodes), as: UTF8.self)
        try execute("UPDATE devices SET calling_codes = ?1 WHERE id = ?2 AND calling_codes IS DISTINCT FROM ?1", codes, host)
    }
}

extension ReadTransaction {
    /// Returns the matcher for numbers that the SIM cards of a host receive.
    fileprivate func numbers(of host: Device.ID) throws -> PhoneNumberMatcher {
        let codes = try first("SELECT calling_codes FROM devices WHERE id = ?", host, as: String?.self)
        return PhoneNumberMatcher(callingCodes: try codes?.map { try WireJSON.decode(from: Data($0.utf8)) } ?? [:])
    }

    /// Returns the clients of a host that have push settings, among these at least.
    fileprivate func devicesWithPush(among devices: [Device.ID], of host: Device.ID) throws -> Set<Device.ID> {
        if devices.count == 1 {
            return try exists("SELECT 1 FROM push_devices WHERE device = ?", devices[0]) ? [devices[0]] : []
        }
        return Set(
            try all(
                "SELECT device FROM push_devices WHERE device IN (SELECT client FROM pairings WHERE host = ?)", host,
                as: Device.ID.self))
    }
}
