import Foundation
public import WireKit

/// A message from the relay to a device: one JSON object per text frame.
///
/// Decoding accepts any object: `error` is read first, then `type`; an event name is accepted in `type` itself; everything else is
/// ``Content/unknown(_:)``. Source: `Docs/Protocols/SimBridge.md`, section 3, "Reading".
public struct RelayMessage: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// The line is open; queued messages were written before this message.
        case connected(Device.ID?)
        case ping
        case pong
        /// The relay no longer stores the messages after the cursor: fetch the history and continue from `seq`. Version 2 only.
        case reset(seq: Int64)
        /// The device's message with that ``DeviceMessage/messageId`` is on disk. Version 2 only.
        case stored(messageId: String)
        case failure(LineFailure)
        case command(Command)
        case event(PhoneEvent)
        case webrtc(WebRTCSignal)
        /// A message of a type that this version does not know.
        case unknown(JSONValue)
    }

    public var content: Content
    /// The sequence number of a command or event for this device, from 1. Version 2 only.
    public var seq: Int64?
    /// The message's ``HistoryItem/id``. Version 2 only, together with ``seq``.
    public var historyId: HistoryItem.ID?
    /// The sender. Nil for messages of the relay itself and for commands given by REST.
    public var fromDeviceId: Device.ID?
    public var reqId: RequestID?
    /// The relay's time when it wrote `connected` or `ping`. Version 2 only.
    public var time: RelayTime?
    /// Further fields of an event.
    public var details: EventDetails

    public init(
        _ content: Content, seq: Int64? = nil, historyId: HistoryItem.ID? = nil, from fromDeviceId: Device.ID? = nil,
        reqId: RequestID? = nil, time: RelayTime? = nil, details: EventDetails = EventDetails()
    ) {
        self.content = content
        self.seq = seq
        self.historyId = historyId
        self.fromDeviceId = fromDeviceId
        self.reqId = reqId
        self.time = time
        self.details = details
    }
}

extension RelayMessage {
    /// Decodes a text frame.
    ///
    /// - Returns: nil when the text is not a JSON object.
    public init?(text: String) {
        guard let value = try? WireJSON.decode(JSONValue.self, from: Data(text.utf8)), case .object = value else { return nil }
        self.init(value)
    }

    /// Decodes a parsed message, such as ``HistoryItem/payload``.
    public init(_ value: JSONValue) {
        guard case .object(let object) = value else {
            self.init(.unknown(value))
            return
        }
        let fields = LineFields(object)
        let content = Content(from: fields)
        self.init(
            content, seq: content.isReset ? nil : fields.int64("seq"), historyId: fields.id("history_id"),
            from: fields.id("from_device_id"), reqId: fields.request("req_id"), time: content.hasTime ? fields.time("time") : nil,
            details: content.isEvent ? EventDetails(from: fields) : EventDetails())
    }
}

extension RelayMessage.Content {
    fileprivate var isReset: Bool { if case .reset = self { true } else { false } }

    fileprivate var isEvent: Bool { if case .event = self { true } else { false } }

    fileprivate var hasTime: Bool {
        switch self {
        case .connected, .ping: true
        default: false
        }
    }

    fileprivate init(from fields: LineFields) {
        if let error = fields["error"], error != .null {
            self = .failure(
                LineFailure(
                    fields.string("error") ?? "\(error.text)", targetDeviceId: fields.id("target_device_id"),
                    messageId: fields.string("msg_id")))
            return
        }
        switch fields.string("type") {
        case "connected": self = .connected(fields.id("device_id"))
        case "ping": self = .ping
        case "pong": self = .pong
        case "reset": self = fields.int64("seq").map { .reset(seq: $0) } ?? .unknown(.object(fields.object))
        case "stored": self = fields.string("msg_id").map { .stored(messageId: $0) } ?? .unknown(.object(fields.object))
        case "command": self = .command(Command(from: fields))
        case "event": self = .event(PhoneEvent(named: fields.string("event") ?? "", from: fields))
        case "webrtc": self = .webrtc(WebRTCSignal(from: fields))
        case .some(let name) where PhoneEvent.names.contains(name): self = .event(PhoneEvent(named: name, from: fields))
        default: self = .unknown(.object(fields.object))
        }
    }
}

extension RelayMessage: Codable {
    public var asJSON: JSONValue {
        var fields = LineFields()
        switch content {
        case .connected(let id):
            fields.set("type", "connected")
            fields.set("device_id", id?.rawValue)
        case .ping: fields.set("type", "ping")
        case .pong: fields.set("type", "pong")
        case .reset(let seq):
            fields.set("type", "reset")
            fields.set("seq", seq)
        case .stored(let messageId):
            fields.set("type", "stored")
            fields.set("msg_id", messageId)
        case .failure(let failure):
            fields.set("msg_id", failure.messageId)
            fields.set("error", failure.text)
            fields.set("target_device_id", failure.targetDeviceId?.rawValue)
            // The contract has `req_id` in every failure with a target, even when it is null.
            if failure.targetDeviceId != nil { fields["req_id"] = .null }
        case .command(let command): command.write(to: &fields)
        case .event(let event):
            event.write(to: &fields)
            details.write(to: &fields)
        case .webrtc(let signal): signal.write(to: &fields)
        case .unknown(let value): if case .object(let object) = value { fields = LineFields(object) }
        }
        fields.set("seq", seq)
        fields.set("history_id", historyId?.rawValue)
        fields.set("from_device_id", fromDeviceId?.rawValue)
        fields.set("req_id", reqId?.rawValue)
        fields.set("time", time?.description)
        return .object(fields.object)
    }

    public init(from decoder: any Decoder) throws { self.init(try JSONValue(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try asJSON.encode(to: encoder) }

    /// The contents of the text frame.
    public var text: String { asJSON.text }
}
