import Foundation
import ServerKit
import SimBridgeWire
import StorageKit
import WireKit

/// Relays messages from one device to another: checks that the two are paired, stores the message, delivers it.
///
/// A message between connected devices costs one write and no read: the sockets know the pairs. Messages are delivered in the order of the
/// commits, which is the order in which each sender wrote and each receiver numbers.
struct Routing: Sendable {
    let store: Database
    let lines: Lines
    let now: @Sendable () -> Timestamp
    let quota: Quota
    let pushes: RelayPushes

    /// Handles one text frame of a device.
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
        case "ack" where socket.acknowledges: try await acknowledge(envelope.seq, from: socket)
        case "presence" where socket.acknowledges && socket.device.kind == .client: setPresence(envelope.foreground, of: socket)
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
        // Only a client with notifications reports its presence.
        let isInForeground = lines.foreground.contains(socket, of: socket.device.id)
        guard upTo > 0 || isInForeground else { return }
        try await store.write { [pushes] transaction in
            if upTo > 0 { try transaction.confirm(upTo: upTo, by: device, at: time) }
            // Also of what the client confirmed on an earlier connection.
            if isInForeground { try pushes.confirm(upTo: transaction.acknowledgedNumber(of: device), by: device, in: transaction) }
        }
    }

    // MARK: Presence

    private func setPresence(_ value: JSONValue?, of socket: DeviceSocket) {
        guard case .bool(let isInForeground) = value else {
            return socket.answer(RelayMessage(.failure(LineFailure("foreground must be true or false"))).text)
        }
        let end = isInForeground ? lines.foreground.now() + SimBridgeLine.presenceLifetime : nil
        lines.foreground.set(socket, of: socket.device.id, until: end)
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

        let outcome: Outcome
        do {
            outcome = try await quota.write { [lines] transaction in
                let message = Self.message(text, envelope, from: socket.device, to: targets, lines, deadline: deadline)
                return try save(message, envelope, from: socket.device, messageId, report, at: time, in: transaction)
            } onCommit: { [lines] (outcome: Outcome) in
                guard case .stored(var stored) = outcome, stored.message.state != .failed else { return outcome }
                for (receiver, message) in stored.copies {
                    stored.note(lines.deliver(message, to: receiver, hasRelayKeys: envelope.hasRelayKeys))
                }
                return .stored(stored)
            }
        } catch is Quota.Full {
            return answer(.noRoom, to: envelope, socket)
        } catch is RelayError {
            // The account was deleted, which closes this line.
            return
        } catch is ReceiverRemoved {
            // The same reply as to the sender's next message.
            let isForAll = socket.device.kind == .host && [nil, .null, .integer(0)].contains(envelope.to)
            return answer(isForAll ? .noPairedClient : .notPaired(targets[0]), to: envelope, socket)
        }
        try await finish(outcome, to: targets[0], envelope, messageId, socket)
    }

    private func save(
        _ message: NewMessage, _ envelope: Envelope, from sender: DeviceRecord, _ messageId: String?, _ report: Report?,
        at time: Timestamp, in transaction: WriteTransaction
    ) throws -> Outcome {
        func insert() throws -> Outcome {
            try quota.check(message.account, for: message.payload, in: transaction)
            let copies = try transaction.insert(message, at: time)
            if copies.isEmpty { throw ReceiverRemoved() }
            if let report {
                try transaction.report(report.state, reason: report.reason, about: report.id, by: message.from, at: time)
            }
            if message.state != .failed { try pushes.apply(envelope, from: sender, to: copies, at: time, in: transaction) }
            return .stored(Stored(message: message, copies: copies))
        }
        guard let messageId else { return try insert() }
        var outcome = Outcome.repeated
        do {
            _ = try transaction.once(messageId, from: "device:\(message.from)", content: Data(message.payload.utf8), at: time) {
                // Not remembered: it may be sent again when the receiver is there.
                if message.state == .failed { throw ReceiverAway() }
                outcome = try insert()
                return Data()
            }
            return outcome
        } catch is ReceiverAway {
            return try insert()
        } catch is CommandConflict {
            return .conflict
        }
    }

    /// The message as stored, for every target that is connected or numbers. The first target is named in any case.
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
        let canWait = receivers.contains(where: \.isNumbered)
        return NewMessage(
            account: sender.account, from: sender.id, receivers: receivers, type: MessageType(rawValue: envelope.type ?? ""),
            payload: text, reqId: envelope.request, state: !online.isEmpty ? .sent : canWait ? .accepted : .failed,
            reason: online.isEmpty && !canWait ? LineFailure.targetOffline(targets[0]).text : nil,
            deadline: deadline)
    }

    /// Answers the sender, and corrects the state of a message whose receivers went away in the same moment.
    private func finish(
        _ outcome: Outcome, to target: Device.ID, _ envelope: Envelope, _ messageId: String?, _ socket: DeviceSocket
    ) async throws {
        switch outcome {
        case .conflict: return answer(LineFailure("msg_id already used for another message"), to: envelope, socket)
        // Whatever its state is now.
        case .repeated: break
        case .stored(let stored):
            if try await isOffline(stored, target) { return answer(.targetOffline(target), to: envelope, socket) }
        }
        if let messageId { socket.answer(RelayMessage(.stored(messageId: messageId)).text) }
    }

    /// True if the message was stored as failed, because no receiver is connected.
    private func isOffline(_ stored: Stored, _ target: Device.ID) async throws -> Bool {
        guard let copy = stored.copies.first?.message else { return false }
        let (id, time) = (copy.id, now())
        switch (stored.delivery, copy.state) {
        case (.written, .accepted): try await store.write { try $0.markSent(id, isOpen: true, at: time) }
        // The message is numbered, and written when one of the receivers comes back.
        case (.gone, .sent) where stored.message.isOpen:
            try await store.write { [lines] transaction in
                if try !transaction.isWritten(id, on: lines) { try transaction.markWaiting(id) }
            }
        case (.gone, .sent):
            let reason = LineFailure.targetOffline(target).text
            try await store.write { try $0.markFailed(id, reason: reason, at: time) }
            return true
        default: break
        }
        return copy.state == .failed
    }

    private struct ReceiverAway: Error {}
    /// Every receiver was removed in the same moment: nothing is stored.
    private struct ReceiverRemoved: Error {}

    /// The result of the write of one message.
    private enum Outcome: Sendable {
        case stored(Stored)
        /// The message was stored before, by the same `msg_id`.
        case repeated
        /// Its `msg_id` was used for another message.
        case conflict
    }

    private struct Stored: Sendable {
        var message: NewMessage
        /// The message for each of its receivers that exists.
        var copies: [(receiver: Device.ID, message: StoredMessage)]
        /// The best reply of any receiver's line.
        var delivery = DeviceSocket.Delivery.gone

        mutating func note(_ other: DeviceSocket.Delivery) {
            if other == .written || delivery == .gone { delivery = other }
        }
    }

    private struct Refusal: Error { var failure: LineFailure }

    /// - Returns: nil on a line without version 2, and for a message without an id.
    private static func messageId(_ envelope: Envelope, on socket: DeviceSocket) throws(Refusal) -> String? {
        guard socket.acknowledges, envelope.type != "webrtc", let value = envelope.messageId else { return nil }
        guard case .string(let text) = value, (1...DeviceMessage.maximumMessageIDLength).contains(text.unicodeScalars.count) else {
            throw Refusal(failure: LineFailure("msg_id must be a text of 1 to \(DeviceMessage.maximumMessageIDLength) characters"))
        }
        return text
    }

    /// - Returns: At least one device: the named one; for a host's event without a name every paired client; else the first paired device.
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

    /// - Returns: The deadline of a command; nil for anything else.
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
        if socket.acknowledges, let id = Self.echo(envelope.messageId) { object["msg_id"] = id }
        socket.answer((try? WireJSON.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}")
    }
}

extension Routing {
    /// An id of the sender's, as an answer repeats it; nil when it is longer than any id.
    private static func echo(_ value: JSONValue?) -> JSONValue? {
        switch value {
        case .string(let text): text.unicodeScalars.count <= RequestID.maximumLength ? value : nil
        case .array, .object: nil
        default: value
        }
    }
}

/// A host's event as the outcome of the command that it reports on.
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
            self.reason = reason.map { $0.prefix(scalars: HistoryItem.maximumReasonLength) }
        case .textSent(.unknown, let reason):
            state = .unknown
            self.reason = reason.map { $0.prefix(scalars: HistoryItem.maximumReasonLength) }
        case .callState: state = .confirmed
        default: return nil
        }
    }
}
