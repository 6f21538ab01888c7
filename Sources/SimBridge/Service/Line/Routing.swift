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
        let targets: [Device.ID]
        let deadline: Timestamp?
        let time = now()
        do throws(Refusal) {
            messageId = try Self.messageId(envelope, on: socket)
            targets = try Self.targets(envelope, of: socket)
            deadline = try Self.deadline(envelope, to: targets[0], at: time)
        } catch {
            return answer(error.failure, to: envelope, socket)
        }
        guard text.utf8.count * targets.count <= SimBridgeLine.maximumMessageSize else {
            return answer(LineFailure("too large for every paired client"), to: envelope, socket)
        }
        let report = socket.device.kind == .host ? Report(envelope) : nil

        let write: @Sendable (WriteTransaction) throws -> Outcome = { [lines, quota] transaction in
            let outcome = Outcome()
            let database = transaction.database
            let message = Self.message(text, envelope, from: socket.device, to: targets, lines, deadline: deadline)
            outcome.isFailed = message.state == .failed
            func insert() throws {
                try quota.check(message.account, for: message.payload, in: database)
                let stored = try database.insert(message, at: time)
                // Removed in the same moment: nothing is kept.
                if stored.isEmpty { throw ReceiverRemoved() }
                if let report {
                    try database.report(report.state, reason: report.reason, about: report.id, by: message.from, at: time)
                }
                outcome.stored = stored.first?.message
                outcome.isOpen = message.isOpen
                guard message.state != .failed else { return }
                transaction.onCommit {
                    for (receiver, message) in stored {
                        outcome.add(lines.deliver(message, to: receiver, hasRelayKeys: envelope.hasRelayKeys))
                    }
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
        } catch is ReceiverRemoved {
            // As the sender's next message is answered.
            let isForAll = socket.device.kind == .host && [nil, .null, .integer(0)].contains(envelope.to)
            return answer(isForAll ? .noPairedClient : .notPaired(targets[0]), to: envelope, socket)
        }
        try await settle(outcome, to: targets[0], envelope, messageId, socket)
    }

    /// The message as it is stored: for every target that has a line, or keeps what it misses. The first one is named in any case.
    private static func message(
        _ text: String, _ envelope: Envelope, from sender: DeviceRecord, to targets: [Device.ID], _ lines: Lines,
        deadline: Timestamp?
    ) -> NewMessage {
        let (isEvent, isSignal) = (envelope.type == "event", envelope.type == "webrtc")
        let online = lines.online(targets)
        let receivers = targets.compactMap { target -> Receiver? in
            let isOnline = online.contains(target)
            let isNumbered = !isSignal && (isOnline || isEvent) && lines.numbers(target)
            return isOnline || isNumbered || target == targets[0] ? Receiver(device: target, isNumbered: isNumbered) : nil
        }
        let isKept = receivers.contains(where: \.isNumbered)
        return NewMessage(
            account: sender.account, from: sender.id, receivers: receivers, type: MessageType(rawValue: envelope.type ?? ""),
            payload: text, reqId: envelope.request, state: !online.isEmpty ? .sent : isKept ? .accepted : .failed,
            reason: online.isEmpty && !isKept ? LineFailure.targetOffline(targets[0]).text : nil,
            deadline: deadline)
    }

    /// Tells the sender what he has to know, and notes what the receivers missed by going in the same moment.
    private func settle(
        _ outcome: Outcome, to target: Device.ID, _ envelope: Envelope, _ messageId: String?, _ socket: DeviceSocket
    ) async throws {
        if outcome.isConflict {
            return answer(LineFailure("msg_id already used for another message"), to: envelope, socket)
        }
        // Sent again, and stored before: however things are now.
        var isOffline = outcome.stored != nil && outcome.isFailed
        if let stored = outcome.stored {
            let (id, time) = (stored.id, now())
            switch (outcome.delivery, stored.state) {
            case (.written, .accepted):
                try await store.write { try $0.database.markSent(id, isOpen: true, at: time) }
            // It is numbered, and written when one of the receivers comes back.
            case (.gone, .sent) where outcome.isOpen:
                try await store.write { [lines] transaction in
                    if try !transaction.database.isWritten(id, on: lines) { try transaction.database.markWaiting(id) }
                }
            case (.gone, .sent):
                isOffline = true
                let reason = LineFailure.targetOffline(target).text
                try await store.write { try $0.database.markFailed(id, reason: reason, at: time) }
            default: break
            }
        }
        if isOffline { return answer(.targetOffline(target), to: envelope, socket) }
        if let messageId { socket.answer(RelayMessage(.stored(messageId: messageId)).text) }
    }

    private struct ReceiverAway: Error {}
    private struct ReceiverRemoved: Error {}

    /// What a write found out. Written by the writer's thread before its caller is answered, and read after.
    private final class Outcome: @unchecked Sendable {
        var stored: StoredMessage?
        var isOpen = false
        /// There was no receiver to write it to, and none that keeps it.
        var isFailed = false
        var isConflict = false
        /// The best that any receiver's line answered.
        var delivery = DeviceSocket.Delivery.gone

        func add(_ other: DeviceSocket.Delivery) {
            if other == .written || delivery == .gone { delivery = other }
        }
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

    /// - Returns: At least one device: the one that is named; of a host's event that names none every paired client; else the first one paired.
    private static func targets(_ envelope: Envelope, of socket: DeviceSocket) throws(Refusal) -> [Device.ID] {
        switch envelope.to {
        case nil, .null, .integer(0):
            let peers = socket.peers
            guard let first = peers.first else {
                throw Refusal(failure: socket.device.kind == .client ? .noPairedHost : .noPairedClient)
            }
            return envelope.type == "event" && socket.device.kind == .host ? peers.map(\.device) : [first.device]
        case .integer(let number):
            let id = Device.ID(number)
            guard socket.isPaired(with: id) else { throw Refusal(failure: .notPaired(id)) }
            return [id]
        default: throw Refusal(failure: LineFailure("to_device_id must be a number"))
        }
    }

    /// - Returns: The end of a command; nil for anything else.
    private static func deadline(_ envelope: Envelope, to target: Device.ID, at time: Timestamp) throws(Refusal) -> Timestamp? {
        guard envelope.type == "command" else { return nil }
        let name = Command.Name(rawValue: envelope.command ?? "")
        let end = time + Deadlines.of(name)
        guard [.makeCall, .hangUp].contains(name), let value = envelope.object["deadline"], value != .null else { return end }
        guard case .string(let text) = value, let deadline = RelayTime(text)?.timestamp else {
            throw Refusal(failure: LineFailure("deadline must be a time"))
        }
        if deadline <= time { throw Refusal(failure: .deadlinePassed(target)) }
        return min(deadline, end)
    }

    private func answer(_ failure: LineFailure, to envelope: Envelope, _ socket: DeviceSocket) {
        guard case .object(var object) = RelayMessage(.failure(failure)).asJSON else { return }
        if failure.targetDeviceId != nil { object["req_id"] = Self.echo(envelope.reqId) ?? .null }
        if socket.isKeeper, let id = Self.echo(envelope.messageId) { object["msg_id"] = id }
        socket.answer((try? WireJSON.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}")
    }
}

extension Routing {
    /// What an answer repeats of what the sender chose: nil for what is longer than any id.
    private static func echo(_ value: JSONValue?) -> JSONValue? {
        switch value {
        case .string(let text): text.unicodeScalars.count <= RequestID.maximumLength ? value : nil
        case .array, .object: nil
        default: value
        }
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
            self.reason = reason.map(Self.shortened)
        case .textSent(.unknown, let reason):
            state = .unknown
            self.reason = reason.map(Self.shortened)
        case .callState: state = .confirmed
        default: return nil
        }
    }

    /// The event itself has all of it.
    private static func shortened(_ reason: String) -> String {
        String(String.UnicodeScalarView(reason.unicodeScalars.prefix(HistoryItem.maximumReasonLength)))
    }
}
