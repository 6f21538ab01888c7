public import WireKit

/// A message from a device to the relay: one JSON object per text frame.
///
/// The receiving device gets a ``RelayMessage`` with the same content.
public struct DeviceMessage: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// Requests a `pong`.
        case ping
        case pong
        /// Acknowledges all messages up to `seq`, which the device has stored. Version 2 only.
        case ack(seq: Int64)
        /// The client's presence. Sent at least every ``SimBridgeLine/presenceLifetime`` in the foreground. Version 2 only.
        case presence(foreground: Bool)
        case command(Command)
        case event(PhoneEvent)
        case webrtc(WebRTCSignal)
    }

    public var content: Content
    /// The receiver. Nil selects the device that the sender was paired with first.
    public var toDeviceId: Device.ID?
    /// The id of a command, chosen by its sender; in an event, the id of the command that it reports on.
    public var reqId: RequestID?
    /// The idempotency key, chosen by the sender, at most ``maximumMessageIDLength`` characters: a message sent again with the same key is
    /// stored once. The relay replies ``RelayMessage/Content/stored(messageId:)`` when the message is on disk. Version 2 only.
    public var messageId: String?
    /// Further fields of an event.
    public var details: EventDetails

    public static let maximumMessageIDLength = 64

    public init(
        _ content: Content, to toDeviceId: Device.ID? = nil, reqId: RequestID? = nil, messageId: String? = nil,
        details: EventDetails = EventDetails()
    ) {
        self.content = content
        self.toDeviceId = toDeviceId
        self.reqId = reqId
        self.messageId = messageId
        self.details = details
    }

    public static let ping = DeviceMessage(.ping)
    public static let pong = DeviceMessage(.pong)
    public static func presence(foreground: Bool) -> DeviceMessage { DeviceMessage(.presence(foreground: foreground)) }
    public static func ack(seq: Int64) -> DeviceMessage { DeviceMessage(.ack(seq: seq)) }
}

extension DeviceMessage: Encodable {
    public var asJSON: JSONValue {
        var fields = LineFields()
        switch content {
        case .ping: fields.set("type", "ping")
        case .pong: fields.set("type", "pong")
        case .ack(let seq):
            fields.set("type", "ack")
            fields.set("seq", seq)
        case .presence(let foreground):
            fields.set("type", "presence")
            fields["foreground"] = .bool(foreground)
        case .command(let command): command.write(to: &fields)
        case .event(let event):
            event.write(to: &fields)
            details.write(to: &fields)
        case .webrtc(let signal): signal.write(to: &fields)
        }
        fields.set("to_device_id", toDeviceId?.rawValue)
        fields.set("req_id", reqId?.rawValue)
        fields.set("msg_id", messageId)
        return .object(fields.object)
    }

    public func encode(to encoder: any Encoder) throws { try asJSON.encode(to: encoder) }

    /// The contents of the text frame.
    public var text: String { asJSON.text }
}

extension JSONValue {
    /// The value as JSON text.
    var text: String {
        // Encoding fails only for numbers that are not finite, which JSON cannot contain.
        (try? WireJSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
