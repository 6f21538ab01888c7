import Foundation
import GRDB
import SimBridgeWire
import StorageKit
import WireKit

/// Carries messages from one device to another: checks that they are paired, writes the history, hands over.
///
/// A message between connected devices costs one write, and no read: who is paired with whom is kept with the sockets. What is handed over
/// leaves in the order of the commits, which is the order in which each sender wrote and in which each receiver numbers.
struct Routing: Sendable {
    let store: SQLiteStore
    let lines: Lines
    let now: @Sendable () -> Timestamp
    let quota: Quota

    /// One text frame of a device.
    func received(_ text: String, from socket: DeviceSocket) async throws {
        let envelope: Envelope
        do throws(WireJSONError) {
            envelope = try Envelope(text)
        } catch {
            return socket.answer(
                RelayMessage(.failure(error == .notAnObject ? LineFailure("a message must be a JSON object") : .invalidJSON)).text)
        }
        switch envelope.type {
        case "ping": socket.answer(RelayMessage(.pong).text)
        case "pong": break
        case "ack" where socket.isKeeper: try await acknowledge(envelope.seq, from: socket)
        case "command", "event", "webrtc": try await route(text, envelope, from: socket)
        default: socket.answer(RelayMessage(.failure(.invalidType(envelope.shownType))).text)
        }
    }

    // MARK: Acknowledgements

    private func acknowledge(_ value: JSONValue?, from socket: DeviceSocket) async throws {
        guard case .integer(let seq) = value, seq >= 0 else {
            return socket.answer(RelayMessage(.failure(LineFailure("seq must be a number of 0 or more"))).text)
        }
        let (device, upTo, time) = (socket.device.id, socket.acknowledged(seq), now())
        guard upTo > 0 else { return }
        try await store.write { try $0.database.confirm(upTo: upTo, by: device, at: time) }
    }

    // MARK: Messages

    private func route(_ text: String, _ envelope: Envelope, from socket: DeviceSocket) async throws {
        let messageId: String?
        let target: Device.ID
        do throws(Refusal) {
            messageId = try Self.messageId(envelope, on: socket)
            target = try Self.target(envelope, of: socket)
        } catch {
            return answer(error.failure, to: envelope, socket)
        }
        let receiver = lines[target]
        let isNumbering = receiver?.isKeeper ?? lines.isKeeper(target)
        let isKept = receiver == nil && isNumbering && envelope.type == "event"
        let time = now()
        let message = NewMessage(
            account: socket.device.account, from: socket.device.id, to: target, type: MessageType(rawValue: envelope.type!),
            payload: text, reqId: envelope.request, state: receiver != nil ? .sent : isKept ? .accepted : .failed,
            reason: receiver == nil && !isKept ? LineFailure.targetOffline(target).text : nil,
            isNumbered: isNumbering && envelope.type != "webrtc" && (receiver != nil || isKept),
            deadline: envelope.type == "command" ? time + Deadlines.of(.init(rawValue: envelope.command ?? "")) : nil)
        let report = socket.device.kind == .host ? Report(envelope) : nil

        let write: @Sendable (WriteTransaction) throws -> Outcome = { [lines, quota] transaction in
            let outcome = Outcome()
            let database = transaction.database
            func insert() throws {
                try quota.check(message.account, for: message.payload, in: database)
                let stored = try database.insert(message, at: time)
                if let report {
                    try database.report(report.state, reason: report.reason, about: report.id, by: message.from, at: time)
                }
                outcome.stored = stored
                guard message.state != .failed else { return }
                transaction.onCommit {
                    outcome.delivery = lines[target]?.deliver(stored, hasRelayKeys: envelope.hasRelayKeys) ?? .gone
                }
            }
            guard let messageId else {
                try insert()
                return outcome
            }
            do {
                _ = try transaction.once(messageId, from: "device:\(message.from)", content: Data(text.utf8), at: time.milliseconds)
                {
                    // Not remembered: it may be sent again when the receiver is there.
                    if message.state == .failed { throw ReceiverAway() }
                    try insert()
                    return Data()
                }
            } catch is ReceiverAway {
                try insert()
            } catch is CommandConflict {
                outcome.isConflict = true
            }
            return outcome
        }
        let outcome: Outcome
        do {
            outcome = try await quota.write(write)
        } catch is Quota.Full {
            return answer(.noRoom, to: envelope, socket)
        }
        try await settle(outcome, message, envelope, messageId, socket)
    }

    /// Tells the sender what he has to know, and notes what the receiver missed by going in the same moment.
    private func settle(
        _ outcome: Outcome, _ message: NewMessage, _ envelope: Envelope, _ messageId: String?, _ socket: DeviceSocket
    ) async throws {
        if outcome.isConflict {
            return answer(LineFailure("msg_id already used for another message"), to: envelope, socket)
        }
        // Sent again, and stored before: however things are now.
        var isOffline = outcome.stored != nil && message.state == .failed
        if let stored = outcome.stored {
            if outcome.delivery == .gone, message.state == .sent, !message.isNumbered {
                isOffline = true
                let (time, reason) = (now(), LineFailure.targetOffline(message.to).text)
                try await store.write { try $0.database.markFailed(stored.id, reason: reason, at: time) }
            } else if message.isOpen {
                try await Handover(store: store, lines: lines, now: now)
                    .settle(stored, outcome.delivery, to: message.to, hasRelayKeys: envelope.hasRelayKeys)
            }
        }
        if isOffline { return answer(.targetOffline(message.to), to: envelope, socket) }
        if let messageId { socket.answer(RelayMessage(.stored(messageId: messageId)).text) }
    }

    private struct ReceiverAway: Error {}

    /// What a write found out. Written by the writer's thread before its caller is answered, and read after.
    private final class Outcome: @unchecked Sendable {
        var stored: StoredMessage?
        var delivery = DeviceSocket.Delivery.written
        var isConflict = false
    }

    private struct Refusal: Error { var failure: LineFailure }

    /// - Returns: nil on a line without version 2, or when there is none.
    private static func messageId(_ envelope: Envelope, on socket: DeviceSocket) throws(Refusal) -> String? {
        guard socket.isKeeper, envelope.type != "webrtc", let value = envelope.messageId else { return nil }
        guard case .string(let text) = value, (1...DeviceMessage.maximumMessageIDLength).contains(text.unicodeScalars.count) else {
            throw Refusal(failure: LineFailure("msg_id must be a text of 1 to \(DeviceMessage.maximumMessageIDLength) characters"))
        }
        return text
    }

    private static func target(_ envelope: Envelope, of socket: DeviceSocket) throws(Refusal) -> Device.ID {
        switch envelope.to {
        case nil, .null, .integer(0):
            guard let first = socket.peers.first else {
                throw Refusal(failure: socket.device.kind == .client ? .noPairedHost : .noPairedClient)
            }
            return first.device
        case .integer(let number):
            let id = Device.ID(number)
            guard socket.isPaired(with: id) else { throw Refusal(failure: .notPaired(id)) }
            return id
        default: throw Refusal(failure: LineFailure("to_device_id must be a number"))
        }
    }

    private func answer(_ failure: LineFailure, to envelope: Envelope, _ socket: DeviceSocket) {
        guard case .object(var object) = RelayMessage(.failure(failure)).asJSON else { return }
        if failure.targetDeviceId != nil { object["req_id"] = envelope.reqId ?? .null }
        if socket.isKeeper, let id = envelope.messageId { object["msg_id"] = id }
        socket.answer((try? WireJSON.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}")
    }
}

/// What a host's event says about the command that it is about.
struct Report: Sendable {
    var id: RequestID
    var state: DeliveryState
    var reason: String?

    init?(_ envelope: Envelope) {
        guard envelope.type == "event", let id = envelope.request,
            case .event(let event) = RelayMessage(.object(envelope.object)).content
        else { return nil }
        self.id = id
        switch event {
        case .textSent(.ok, _), .simInfo: state = .confirmed
        case .textSent(.error, let reason), .error(let reason), .callState(.error, _, _, let reason):
            state = .failed
            self.reason = reason
        case .textSent(.unknown, let reason):
            state = .unknown
            self.reason = reason
        case .callState: state = .confirmed
        default: return nil
        }
    }
}
