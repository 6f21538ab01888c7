public import WireKit

/// What a device writes on its line: one JSON object in a text frame.
///
/// What the other side receives is a ``RelayMessage`` with the same content.
public struct DeviceMessage: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// Asks for a `pong`.
        case ping
        case pong
        /// Everything up to `seq` has arrived and is kept. On a line of version 2 only.
        case ack(seq: Int64)
        case command(Command)
        case event(PhoneEvent)
        case webrtc(WebRTCSignal)
    }

    public var content: Content
    /// Nil: the device that the sender was paired with first.
    public var toDeviceId: Device.ID?
    /// Of a command: chosen by its sender. Of an event: of the command that it is about.
    public var reqId: RequestID?
    /// Chosen by the sender, at most ``maximumMessageIDLength`` characters: sent again with the same it is still one message, and the relay
    /// answers ``RelayMessage/Content/stored(messageId:)`` once it is on disk. On a line of version 2 only.
    public var messageId: String?

    public static let maximumMessageIDLength = 64

    public init(_ content: Content, to toDeviceId: Device.ID? = nil, reqId: RequestID? = nil, messageId: String? = nil) {
        self.content = content
        self.toDeviceId = toDeviceId
        self.reqId = reqId
        self.messageId = messageId
    }

    public static let ping = DeviceMessage(.ping)
    public static let pong = DeviceMessage(.pong)
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
        case .command(let command): command.write(to: &fields)
        case .event(let event): event.write(to: &fields)
        case .webrtc(let signal): signal.write(to: &fields)
        }
        fields.set("to_device_id", toDeviceId?.rawValue)
        fields.set("req_id", reqId?.rawValue)
        fields.set("msg_id", messageId)
        return .object(fields.object)
    }

    public func encode(to encoder: any Encoder) throws { try asJSON.encode(to: encoder) }

    /// The text frame.
    public var text: String { asJSON.text }
}

extension JSONValue {
    /// As JSON text.
    var text: String {
        // A JSON value can always be written, but for numbers that are none; those never come from JSON.
        (try? WireJSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
